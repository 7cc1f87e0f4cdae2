import type { Channel, Message } from '../../../../protocol/product/chat.ts';
import { callsGoDown } from './shell-scenes.ts';
import { galleryPeople } from '../gallery-people.ts';
import type { SceneAnswers, Scenes } from '../scene.ts';
import { quote } from './call-scenes.ts';

const MINUTE_MS = 60_000;
const now = Date.now();

type Said = { [Type in Message['type']]: Pick<Extract<Message, { type: Type }>, 'type' | 'data'> }[Message['type']];

const said = (seq: number, from: string, minutesAgo: number, what: Said): Message => ({
  channel_url: 'c0',
  seq,
  from,
  client_id: from === 'me' ? `mine-${seq}` : null,
  at: now - minutesAgo * MINUTE_MS,
  ...what,
});
const text = (words: string): Said => ({ type: 'text', data: { text: words } });

const messages: readonly Message[] = [
  said(1, 'pei-han', 1500, text('嗨，你也喜歡爬山嗎？')),
  said(2, 'me', 1490, text('喜歡！上個月才去了嘉明湖，風景超美的。')),
  said(3, 'me', 1489, text('照片在這裡 https://example.com/photos?trip=jiaming&day=2，你看看。')),
  said(4, 'pei-han', 1440, { type: 'photo', data: { url: '/portraits/pei-han.svg', width: 600, height: 800 } }),
  said(5, 'pei-han', 1439, text('這是我在合歡山拍的 🌙')),
  said(6, 'me', 1430, {
    type: 'call',
    data: { call_id: 'a', is_video_call: true, end_result: 'completed', duration_ms: 754_000 },
  }),
  said(7, 'me', 1400, { type: 'gift', data: { gift_id: 'bouquet', name: '花束', quantity: 2, coins: 598 } }),
  said(8, 'pei-han', 1390, text('謝謝你！好漂亮 😍')),
  said(9, 'me', 60, { type: 'voice', data: { url: '/none.webm', duration_ms: 14_000 } }),
  said(10, 'me', 59, text('週末要一起去走走嗎？')),
  said(11, 'pei-han', 20, {
    type: 'call',
    data: { call_id: 'b', is_video_call: false, end_result: 'canceled', duration_ms: 0 },
  }),
  said(12, 'pei-han', 4, text('剛剛想打給你，但是你好像在忙。')),
  said(13, 'pei-han', 3, text('週六可以喔！')),
];

const lasts: readonly Said[] = [
  text('週六可以喔！'),
  { type: 'photo', data: { url: '', width: 1, height: 1 } },
  { type: 'voice', data: { url: '', duration_ms: 14_000 } },
  { type: 'gift', data: { gift_id: 'rose', name: '玫瑰', quantity: 10, coins: 100 } },
  { type: 'call', data: { call_id: 'x', is_video_call: true, end_result: 'no_answer', duration_ms: 0 } },
  text('好喔，那就這樣說定了，明天晚上八點，我在捷運站二號出口等你，記得帶傘。'),
];
const ages = [3, 42, 200, 1600, 3 * 1440, 9 * 1440];

const channels: readonly Channel[] = lasts.map((last, at) => {
  const person = galleryPeople(now)[[0, 1, 2, 3, 6, 11][at] ?? 0];
  if (!person) throw new Error('There are not enough people');
  const { u_id, nickname, profile_url, gender_type, city, verified, accepts_video, presence, last_seen_at } = person;
  return {
    channel_url: `c${at}`,
    companion: { u_id, nickname, profile_url, gender_type, city, verified, accepts_video, presence, last_seen_at },
    last_message: { ...said(20, at % 2 === 0 ? u_id : 'me', ages[at] ?? 0, last), channel_url: `c${at}` },
    unread_count: [2, 0, 120, 0, 0, 0][at] ?? 0,
    read_seq: 11,
    companion_read_seq: 9,
    companion_delivered_seq: 10,
    pinned: at === 0,
    muted: at === 2,
  };
});

const [open] = channels;
const list = { items: [...channels], next: null };
const lists: SceneAnswers = {
  channels: list,
  unreadMessages: { count: 122 },
  sendMessage: 'loading',
  readMessages: {},
  quoteCall: quote,
};
/** A chat with messages. */
export const thread: SceneAnswers = {
  ...lists,
  ...(open && { channel: open }),
  messages: { items: messages.toReversed(), next: null },
};
const path = '/man-chat-list';
const threadPath = `${path}/c0`;

export const chatScenes: Scenes = {
  'chat-list': { path, api: lists },
  'chat-list-loading': { path, answers: 'loading' },
  'chat-list-empty': { path, api: { channels: { items: [], next: null }, unreadMessages: { count: 0 } } },
  'chat-list-failed': { path, api: { channels: 'failed' } },
  'chat-list-offline': { path, api: lists, offline: true },
  'chat-list-calls-down': { path, api: lists, play: callsGoDown },
  'chat-thread': { path: threadPath, api: thread },
  'chat-thread-woman': { path: threadPath, as: 'woman', api: thread },
  'chat-thread-new': {
    path: threadPath,
    api: {
      ...thread,
      ...(open && { channel: { ...open, last_message: null, unread_count: 0, read_seq: 0 } }),
      messages: { items: [], next: null },
    },
  },
  'chat-thread-first-reply': {
    path: threadPath,
    api: {
      ...thread,
      messages: { items: [said(1, 'pei-han', 3, text('嗨，你也喜歡爬山嗎？'))], next: null },
      sendMessage: said(2, 'me', 0, text('喜歡！')),
    },
    play: ({ host }) => host.offerInstall(),
  },
  'chat-thread-loading': { path: threadPath, api: { ...lists, channel: 'loading', messages: 'loading' } },
  'chat-thread-failed': { path: threadPath, api: { ...lists, channel: 'failed' } },
  'chat-thread-unknown': {
    path: `${path}/javascript%3Aalert(1)`,
    api: { ...lists, channel: { refused: 'not_found' }, messages: { refused: 'not_found' } },
  },
  'chat-thread-offline': {
    path: threadPath,
    api: thread,
    offline: true,
    play: ({ services }) => services.outbox.put('c0', { type: 'text', text: '我在山上，訊號不太好。' }),
  },
  'chat-thread-calls-down': { path: threadPath, api: thread, play: callsGoDown },
  'chat-thread-unpaid': {
    path: threadPath,
    api: { ...thread, sendMessage: { refused: 'insufficient_coins' } },
    play: ({ services }) => services.outbox.put('c0', { type: 'text', text: '這則沒有送出去。' }),
  },
  'chat-thread-refused': {
    path: threadPath,
    api: { ...thread, sendMessage: { refused: 'invalid' } },
    play: ({ services }) => services.outbox.put('c0', { type: 'text', text: '這則沒有送出去。' }),
  },
};
