/**
 * Push: the payload of a notification, and the times and bounds of its delivery (app-shell §3, §9), for the page, its
 * service worker and the server.
 */
import * as v from 'valibot';
import { endpoints } from '../endpoint.ts';
import { done } from './values.ts';

const text = v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), '');

/**
 * The payload of a notification. `type` is CHAT, CALL, ONLINE, GIFT, or ROOM, which is an extension. Every other type is
 * a video call. `coin` is the value of a gift, `room` the id of the room of an invitation. Other fields are ignored.
 */
export const pushPayload = v.object({
  type: text,
  name: text,
  gift_name: text,
  coin: text,
  icon: text,
  room: v.optional(v.string()),
});
export type PushPayload = v.InferOutput<typeof pushPayload>;

/** The limits of push: milliseconds, bytes and counts (app-shell §9). */
export const PUSH_LIMITS = {
  /** The time after which a page registers its token again. */
  tokenRefreshMs: 7 * 24 * 60 * 60 * 1_000,
  /** The limit for the service worker to become active. */
  activationTimeoutMs: 10_000,
  /** The limit for the push service to register this installation. Without a network it never answers. */
  installationTimeoutMs: 10_000,
  /** The margin before its expiry at which an authorisation is renewed. */
  authTokenRefreshMarginMs: 60 * 60 * 1_000,
  /** The stored days on which the app was alive. */
  heartbeatEntries: 30,
  /** The longest header with these days. */
  heartbeatHeaderBytes: 1_024,
  /** The largest encrypted message: the least that push services accept (RFC 8030 §7.2). */
  messageBytes: 4_096,
} as const;

/** The header with the days on which an app was alive. */
export const HEARTBEAT_HEADER = 'x-ringback-heartbeats';

/** The content of the header, as JSON in base64url: the dates on which each version of the app was alive. */
export const heartbeatReport = v.object({
  version: v.literal(1),
  heartbeats: v.array(v.object({ agent: v.string(), dates: v.array(v.pipe(v.string(), v.isoDate())) })),
});

/** A subscription of a browser, as JSON in base64url. */
const pushToken = v.pipe(v.string(), v.minLength(1), v.maxLength(4_096));

export const pushEndpoints = endpoints({
  pushPublicKey: {
    method: 'GET',
    path: '/push/public-key',
    access: 'user',
    about: 'Returns the key that identifies the server to browsers, in base64url.',
    answer: v.object({ public_key: v.string() }),
  },
  savePushToken: {
    method: 'POST',
    path: '/push/tokens',
    access: 'user',
    about: 'Registers a push token of the user. Another registration of the token shows that the device is in use.',
    header: HEARTBEAT_HEADER,
    body: v.strictObject({ token: pushToken }),
    answer: done,
  },
  forgetPushToken: {
    method: 'DELETE',
    path: '/push/tokens',
    access: 'user',
    about: 'Deletes a push token, so that its device gets no more messages.',
    body: v.strictObject({ token: pushToken }),
    answer: done,
  },
});
