/** Chat: the channel of two people, and what is said in it. */
import * as v from 'valibot';
import { endpoints } from './endpoint.ts';
import { done, genderType, pageOf, pageQuery, presence, time, userId } from './values.ts';

/** Characters of one message, after spaces at its ends are cut off. */
export const MESSAGE_CHARACTERS = 1_000;
/** Seconds of a voice note. */
export const VOICE_NOTE_SECONDS = 60;
/** A page that tells of typing tells it again this often, and takes it for over after twice as long. Milliseconds. */
export const TYPING_MS = 4_000;

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const clientId = v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/));

/** What of a message depends on its type. */
const text = v.object({ text: v.string() });
const photo = v.object({ url: v.string(), width: whole, height: whole });
const voice = v.object({ url: v.string(), duration_ms: whole });
/** `coins` is what the gifts are worth together. */
const gift = v.object({ gift_id: v.string(), name: v.string(), quantity: whole, coins: whole });
/** `end_result` as the calling service names it; whoever sent the message is the caller. */
const call = v.object({ call_id: v.string(), is_video_call: v.boolean(), end_result: v.string(), duration_ms: whole });
/** A note of the platform. */
const system = v.object({ code: v.string() });

/**
 * One message. `seq` is its place in the channel, from 1. `client_id` is what its sender named it, by which a page knows its
 * own; null for what no page sent.
 */
const common = { channel_url: v.string(), seq: whole, from: v.string(), client_id: v.nullable(v.string()), at: time };
export const message = v.variant('type', [
  v.object({ ...common, type: v.literal('text'), data: text }),
  v.object({ ...common, type: v.literal('photo'), data: photo }),
  v.object({ ...common, type: v.literal('voice'), data: voice }),
  v.object({ ...common, type: v.literal('gift'), data: gift }),
  v.object({ ...common, type: v.literal('call'), data: call }),
  v.object({ ...common, type: v.literal('system'), data: system }),
]);
export type Message = v.InferOutput<typeof message>;

/** Who the other one is, as a chat shows them. */
const companion = v.object({
  u_id: v.string(),
  nickname: v.string(),
  profile_url: v.string(),
  gender_type: genderType,
  city: v.string(),
  verified: v.boolean(),
  accepts_video: v.boolean(),
  presence,
  last_seen_at: v.nullable(time),
});
export type Companion = v.InferOutput<typeof companion>;

/**
 * A channel as one of the two sees it. What the other one has got and read is told by the `seq` of the last such message.
 */
export const channel = v.object({
  channel_url: v.string(),
  companion,
  last_message: v.nullable(message),
  unread_count: whole,
  /** The last message that the one who asks has read. */
  read_seq: whole,
  companion_read_seq: whole,
  companion_delivered_seq: whole,
  pinned: v.boolean(),
  muted: v.boolean(),
});
export type Channel = v.InferOutput<typeof channel>;

/** What one may send. What a photo or a voice note is comes from what was uploaded as `media_id`. */
const mediaId = v.pipe(v.string(), v.minLength(1), v.maxLength(128));
export const newMessage = v.variant('type', [
  v.strictObject({
    client_id: clientId,
    type: v.literal('text'),
    text: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MESSAGE_CHARACTERS)),
  }),
  v.strictObject({ client_id: clientId, type: v.literal('photo'), media_id: mediaId }),
  v.strictObject({
    client_id: clientId,
    type: v.literal('voice'),
    media_id: mediaId,
    duration_ms: v.pipe(whole, v.maxValue(VOICE_NOTE_SECONDS * 1_000)),
  }),
]);
export type NewMessage = v.InferInput<typeof newMessage>;

const seqText = v.optional(v.pipe(v.string(), v.digits(), v.maxLength(15), v.transform(Number)));

export const chatEndpoints = endpoints({
  channels: {
    method: 'GET',
    path: '/channels',
    access: 'user',
    about: 'Lists the chats of the user: pinned ones first, then by their last message.',
    query: v.strictObject({
      ...pageQuery,
      filter: v.optional(v.picklist(['all', 'unread', 'favourite']), 'all'),
      search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40)), ''),
    }),
    answer: pageOf(channel),
  },
  unreadMessages: {
    method: 'GET',
    path: '/channels/unread',
    access: 'user',
    about: 'Returns the number of unread messages of the user in all chats.',
    answer: v.object({ count: whole }),
  },
  openChannel: {
    method: 'POST',
    path: '/channels',
    access: 'user',
    about: 'Returns the chat with a user, and creates it when it does not exist.',
    body: v.strictObject({ u_id: userId }),
    answer: channel,
  },
  channel: {
    method: 'GET',
    path: '/channels/{channel_url}',
    access: 'user',
    about: 'One chat.',
    answer: channel,
  },
  changeChannel: {
    method: 'PATCH',
    path: '/channels/{channel_url}',
    access: 'user',
    about: 'Pins, mutes or empties a chat for the user alone.',
    body: v.strictObject({
      pinned: v.optional(v.boolean()),
      muted: v.optional(v.boolean()),
      /** What was said so far is shown to the one who asks no more. */
      cleared: v.optional(v.literal(true)),
    }),
    answer: channel,
  },
  messages: {
    method: 'GET',
    path: '/channels/{channel_url}/messages',
    access: 'user',
    about: 'Messages by their seq: the last ones or those before one, newest first; those after one, oldest first.',
    query: v.strictObject({ limit: pageQuery.limit, before: seqText, after: seqText }),
    answer: pageOf(message),
  },
  sendMessage: {
    method: 'POST',
    path: '/channels/{channel_url}/messages',
    access: 'user',
    about: 'Says something. A second one of the same client_id is the first one again.',
    body: newMessage,
    answer: message,
  },
  readMessages: {
    method: 'POST',
    path: '/channels/{channel_url}/read',
    access: 'user',
    about: 'Marks the messages up to this seq as read.',
    body: v.strictObject({ seq: whole }),
    answer: done,
  },
  typing: {
    method: 'POST',
    path: '/channels/{channel_url}/typing',
    access: 'user',
    about: 'Reports that the user is typing, or has stopped. The server does not store it.',
    body: v.strictObject({ typing: v.boolean() }),
    answer: done,
  },
});
