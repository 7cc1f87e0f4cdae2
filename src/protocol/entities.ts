/** The entities that messages carry (§3), in their wire form. */
import * as v from 'valibot';
import { boundedList, boundedRecord } from './bounded-list.ts';
import { directCallRole, recordingStatus } from './enumerations.ts';
import { LIMITS } from './limits.ts';

/** The id of a call. PostgreSQL stores no NUL character. */
export const callId = v.pipe(v.string(), v.minLength(1), v.maxLength(128), v.excludes('\0'));
export const userId = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.userIdChars));

const text = v.pipe(v.string(), v.maxLength(LIMITS.textChars));
const longText = v.pipe(v.string(), v.maxLength(LIMITS.longTextChars));

/** A number of things: an integer, not below zero. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A measured value: finite, not below zero. */
export const measure = v.pipe(v.number(), v.finite(), v.minValue(0));

/** A mean opinion score. A value outside the scale becomes its nearest end. */
export const mos = v.pipe(
  v.number(),
  v.transform((score) => Math.min(LIMITS.mos.max, Math.max(LIMITS.mos.min, score))),
);

/** A user (§3). */
export const user = v.object({
  user_id: userId,
  nickname: text,
  profile_url: longText,
  metadata: boundedRecord(text, text, LIMITS.metadataEntries),
  is_active: v.boolean(),
});
export type UserPayload = v.InferOutput<typeof user>;

/** A user in a call: also has a role (§3). */
export const callUser = v.object({ ...user.entries, role: directCallRole });
export type CallUserPayload = v.InferOutput<typeof callUser>;

/** Which media a side wants, or has on. */
export const constraints = v.object({ audio: v.boolean(), video: v.boolean() });

export const capabilities = boundedList(v.pipe(v.string(), v.maxLength(LIMITS.nameChars)), LIMITS.capabilities);

const customItemText = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.customItemChars));

/** The name of a custom item (D24). It has no comma, since a comma joins the keys of a change. */
export const customItemKey = v.pipe(customItemText, v.excludes(','));

/** Key-value items of a call: strings only (D24). */
export const customItems = boundedRecord(customItemKey, customItemText, LIMITS.customItems);

const address = v.pipe(v.string(), v.nonEmpty(), v.maxLength(LIMITS.urlChars));

/** The chat channel a call belongs to. */
export const chatChannel = v.object({ channel_url: address });

const webhookName = v.pipe(v.string(), v.maxLength(LIMITS.webhook.nameChars), v.regex(/^[\w-]+$/));

/** Returns whether a url is http or https, without a user name and password. */
function isPostable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** The name of a header, except those that control the request itself. */
const headerName = v.pipe(
  webhookName,
  v.regex(/^(?!(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$)/i),
);

/** The webhook of a call: its url, its events (default: all), and additional headers. */
export const webhookTarget = v.object({
  url: v.pipe(address, v.check(isPostable, 'not an http or https url')),
  enabled_events: v.optional(boundedList(webhookName, LIMITS.webhook.events)),
  headers: v.optional(
    boundedRecord(
      headerName,
      // Only printable characters, so that no value can begin another header.
      v.pipe(v.string(), v.maxLength(LIMITS.webhook.valueChars), v.regex(/^[\t -~]*$/)),
      LIMITS.webhook.headers,
    ),
  ),
});
export type WebhookTarget = v.InferOutput<typeof webhookTarget>;

/** A relay credential (§3): time-limited, for one user. A policy that is neither relay nor all reads as all. */
export const relayCredential = v.object({
  username: longText,
  password: longText,
  turn_urls: v.pipe(
    v.array(v.unknown()),
    // An invalid address is dropped, and the rest of the credential stays (B53).
    v.transform((urls) =>
      urls.filter((url): url is string => typeof url === 'string' && url.length <= LIMITS.relayUrlChars),
    ),
  ),
  transport_policy: v.fallback(v.picklist(['relay', 'all']), 'all'),
});
export type RelayCredential = v.InferOutput<typeof relayCredential>;

/** An ICE candidate (RFC 8839 §5.1), with the media section it belongs to. */
export const candidate = v.object({
  sdp: v.pipe(v.string(), v.maxLength(2048)),
  sdp_mline_index: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(63))),
  sdp_mid: v.nullable(v.pipe(v.string(), v.maxLength(64))),
});
export type CandidatePayload = v.InferOutput<typeof candidate>;

/** The known state of the other side of a leg, and the call's items and recording. */
export const signalSnapshot = v.object({
  is_audio_enabled: v.boolean(),
  is_video_enabled: v.boolean(),
  custom_items: boundedRecord(customItemText, customItemText, LIMITS.customItems),
  recording: recordingStatus,
});
