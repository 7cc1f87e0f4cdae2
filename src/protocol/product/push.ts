/**
 * Push: what a notification is told of, and the times and bounds of getting it there (app-shell §3, §9). In one place, for
 * the page, its service worker and the server.
 */
import * as v from 'valibot';
import { endpoints } from './endpoint.ts';
import { done } from './values.ts';

const text = v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), '');

/**
 * What a notification is about. `type` is CHAT, CALL, ONLINE or GIFT; every other one is a video call. `coin` is what a
 * gift is worth. Whatever else a message carries is not read.
 */
export const pushPayload = v.object({ type: text, name: text, gift_name: text, coin: text, icon: text });
export type PushPayload = v.InferOutput<typeof pushPayload>;

/** Milliseconds, bytes and counts (app-shell §9). */
export const PUSH_LIMITS = {
  /** After this long a token is made known anew. */
  tokenRefreshMs: 7 * 24 * 60 * 60 * 1_000,
  /** How long the service worker may take to become active. */
  activationTimeoutMs: 10_000,
  /** How long the push service may take to register this installation; without a network it never answers. */
  installationTimeoutMs: 10_000,
  /** What is authorised only until a time is renewed this long before it. */
  authTokenRefreshMarginMs: 60 * 60 * 1_000,
  /** Days on which the app was alive, as they are stored. */
  heartbeatEntries: 30,
  /** The header that carries them. */
  heartbeatHeaderBytes: 1_024,
  /** What push services take at least (RFC 8030 §7.2), and so what is sent at most, encrypted. */
  messageBytes: 4_096,
} as const;

/** The header by which an app tells on which days it was alive. */
export const HEARTBEAT_HEADER = 'x-ringback-heartbeats';

/** What the header holds, as JSON in base64url: the dates on which each version of the app was alive. */
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
    about: 'The key by which browsers know who sends to them, in base64url.',
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
