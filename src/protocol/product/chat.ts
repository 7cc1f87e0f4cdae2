/** Chat: the channel of two users, and its messages. */
import * as v from 'valibot';
import { endpoints } from '../endpoint.ts';
import { done, genderType, pageOf, pageQuery, presence, time, userId } from './values.ts';

/** The most characters of one message, without spaces at its ends. */
export const MESSAGE_CHARACTERS = 1_000;
/** The most seconds of a voice note. */
export const VOICE_NOTE_SECONDS = 60;
/**
 * The interval at which a page repeats that its user types. Typing ends twice this time after the last report.
 * Milliseconds.
 */
export const TYPING_MS = 4_000;

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const clientId = v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/));

/** The parts of a message that depend on its type. */
const text = v.object({ text: v.string() });
const photo = v.object({ url: v.string(), width: whole, height: whole });
const voice = v.object({ url: v.string(), duration_ms: whole });
/** A gift. `coins` is the value of all its pieces together. */
const gift = v.object({ gift_id: v.string(), name: v.string(), quantity: whole, coins: whole });
/** A call. `end_result` is that of the calling service. The sender of the message is the caller. */
const call = v.object({ call_id: v.string(), is_video_call: v.boolean(), end_result: v.string(), duration_ms: whole });
/** A notice of the platform. */
const system = v.object({ code: v.string() });

/**
 * The parts of every message. `seq` is its place in the channel, from 1. `client_id` is the name that its sender gave
 * it, by which a page knows its own messages. Null for a message of the server.
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

/** The other user of a chat, as the chat shows them. */
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

/** A channel as one of the two users sees it. The `seq` of the last message that the other user received, and read. */
export const channel = v.object({
  channel_url: v.string(),
  companion,
  last_message: v.nullable(message),
  unread_count: whole,
  /** The last message that the user has read. */
  read_seq: whole,
  companion_read_seq: whole,
  companion_delivered_seq: whole,
  pinned: v.boolean(),
  muted: v.boolean(),
});
export type Channel = v.InferOutput<typeof channel>;

/** The messages that a user may send. `media_id` names an uploaded photo or voice note. */
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
      /** Hides the messages so far from the user. */
      cleared: v.optional(v.literal(true)),
    }),
    answer: channel,
  },
  messages: {
    method: 'GET',
    path: '/channels/{channel_url}/messages',
    access: 'user',
    about:
      'Lists messages by their seq: the last ones or those before one, newest first; those after one, oldest first.',
    query: v.strictObject({ limit: pageQuery.limit, before: seqText, after: seqText }),
    answer: pageOf(message),
  },
  sendMessage: {
    method: 'POST',
    path: '/channels/{channel_url}/messages',
    access: 'user',
    about: 'Sends a message. A repeated client_id returns the first message again.',
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
