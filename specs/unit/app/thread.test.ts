import { describe, expect, it } from 'vitest';
import { readEvent } from '../../../src/app/core/events/read-event.ts';
import { createEventClient } from '../../../src/app/core/events/event-client.ts';
import type { Unsent } from '../../../src/app/features/chat/unsent.ts';
import { fakeProduct } from '../../../src/app/testing/fakes/fake-product.ts';
import { FakeConnectivity } from '../../../src/app/testing/fakes/fake-connectivity.ts';
import { FakeSockets } from '../../../src/app/testing/fakes/fake-sockets.ts';
import { HandClock } from '../support/hand-clock.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import { ProductError } from '../../../src/app/core/product/product-error.ts';
import { type ChannelPages, channelsAfter } from '../../../src/app/features/chat/screens/channel-list.ts';
import { chatPath } from '../../../src/app/features/chat/screens/chat-path.ts';
import { linkParts } from '../../../src/app/features/chat/screens/link-parts.ts';
import type { ReadyThread } from '../../../src/app/features/chat/screens/thread-state.ts';
import { createThread } from '../../../src/app/features/chat/screens/thread.ts';
import { threadRows } from '../../../src/app/features/chat/screens/thread-rows.ts';
import { createStore } from '../../../src/common/store.ts';
import type { Channel, Message } from '../../../src/protocol/product/chat.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const MINUTE = 60_000;

const words = (seq: number, from = 'mina', at = seq * MINUTE): Message => ({
  channel_url: 'c1',
  seq,
  from,
  client_id: from === 'me' ? `mine-${seq}` : null,
  at,
  type: 'text',
  data: { text: `${seq}` },
});

const aChannel = (more: Partial<Channel> = {}): Channel => ({
  channel_url: 'c1',
  companion: {
    u_id: 'mina',
    nickname: 'Mina',
    profile_url: '',
    gender_type: 'woman',
    city: '',
    verified: false,
    accepts_video: true,
    presence: 'offline',
    last_seen_at: 5,
  },
  last_message: null,
  unread_count: 0,
  read_seq: 0,
  companion_read_seq: 0,
  companion_delivered_seq: 0,
  pinned: false,
  muted: false,
  ...more,
});

const waiting = (clientId: string, at = 0, state: Unsent['state'] = 'waiting'): Unsent => ({
  clientId,
  channelUrl: 'c1',
  said: { type: 'text', text: clientId },
  at,
  state,
  error: null,
});

/** A chat whose server has these messages. */
function stage(options: { count?: number; said?: Message[]; channel?: Partial<Channel> } = {}) {
  const server = options.said ?? Array.from({ length: options.count ?? 3 }, (_, at) => words(at + 1));
  const clock = new HandClock();
  const sockets = new FakeSockets();
  const logger = new RecordingLogger();
  const events = createEventClient({
    checkSession: () => Promise.resolve(true),
    readEvent,
    wsUrl: 'wss://ws.test',
    token: () => 'token',
    openSocket: sockets.open,
    connectivity: new FakeConnectivity(),
    random: () => 0.5,
    clock: new HandClock(),
    logger,
  });
  const unsent = createStore<readonly Unsent[]>([]);
  const asked: string[] = [];
  const sentListeners = new Set<(message: Message) => void>();
  let failure: ProductError | null = null;
  const thread = createThread({
    channelUrl: 'c1',
    uId: 'me',
    events,
    outbox: {
      unsent,
      onSent(listener) {
        sentListeners.add(listener);
        return () => sentListeners.delete(listener);
      },
    },
    clock,
    logger,
    onFirstReply: () => void asked.push('first reply'),
    product: fakeProduct({
      channel: () => {
        if (failure) throw failure;
        return aChannel(options.channel);
      },
      messages: ({ query: { limit = '20', before, after } }) => {
        asked.push(before === undefined ? `after ${after ?? 'none'}` : `before ${before}`);
        const most = Number(limit);
        const found = server.filter(({ seq }) => seq > Number(after ?? 0) && seq < Number(before ?? Infinity));
        const items = after === undefined ? found.toReversed() : found;
        return { items: items.slice(0, most), next: items.length > most ? `${items[most - 1]?.seq}` : null };
      },
      readMessages: ({ body }) => {
        asked.push(`read ${body.seq}`);
        return {};
      },
      typing: ({ body }) => {
        asked.push(`typing ${body.typing}`);
        return {};
      },
    }),
  });
  events.start();
  sockets.last.accept();
  sockets.last.receive({ stream: 's', seq: 0, resumed: false });
  let told = 0;
  const tell = (event: unknown) => sockets.last.receive({ seq: (told += 1), event });
  const ready = (): ReadyThread => {
    const state = thread.state.get();
    if (state.kind !== 'ready') throw new Error(`The chat is ${state.kind}`);
    return state;
  };
  return {
    thread,
    server,
    asked,
    unsent,
    clock,
    sockets,
    ready,
    tell,
    say: (message: Message) => tell({ type: 'message', message, unread_count: 1, unread_total: 1 }),
    sent: (message: Message) => {
      for (const listener of sentListeners) listener(message);
    },
    seqs: () => ready().messages.map(({ seq }) => seq),
    fail: (error: ProductError | null) => (failure = error),
  };
}

const refusal = (code: string) => new ProductError('refused', code, { status: 404, refusal: { code, message: code } });

describe('an open chat', () => {
  it('shows the last messages, and older ones on request, once', async () => {
    const { thread, seqs, ready, asked } = stage({ count: 100 });
    expect(thread.state.get().kind).toBe('loading');
    thread.open();
    await settled();
    expect([seqs()[0], seqs().at(-1), ready().hasOlder]).toEqual([61, 100, true]);
    thread.loadOlder();
    thread.loadOlder();
    expect(ready().isLoadingOlder).toBe(true);
    await settled();
    thread.loadOlder();
    await settled();
    expect(seqs()).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
    expect(asked).toEqual(['after none', 'before 61', 'before 21']);
    thread.loadOlder();
    expect([ready().hasOlder, asked.length]).toEqual([false, 3]);
  });

  it('PROD-01: users chat in real time: a new message appears at the end, once, and nothing of another chat', async () => {
    const { thread, seqs, say, sent } = stage();
    thread.open();
    await settled();
    say(words(4));
    say(words(4));
    say({ ...words(5), channel_url: 'c2' });
    sent(words(5, 'me'));
    say(words(5, 'me'));
    expect(seqs()).toEqual([1, 2, 3, 4, 5]);
  });

  it('requests missed messages when a number is missing, and after events were lost', async () => {
    const { thread, server, seqs, say, sockets, asked } = stage();
    thread.open();
    await settled();
    server.push(words(4), words(5));
    say(words(5));
    await settled();
    expect(seqs()).toEqual([1, 2, 3, 4, 5]);
    server.push(words(6));
    sockets.last.receive({ stream: 's2', seq: 0, resumed: false });
    await settled();
    expect(seqs()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(asked).toEqual(['after none', 'after 3', 'after 5']);
  });

  it.each([
    ['not_found', 'unknown'],
    ['invalid', 'unknown'],
    ['failed', 'failed'],
  ])('B72 shows after an answer with %s that it is %s, and can be requested again', async (code, kind) => {
    const { thread, fail, seqs } = stage();
    fail(refusal(code));
    thread.open();
    await settled();
    expect(thread.state.get().kind).toBe(kind);
    fail(null);
    thread.retry();
    await settled();
    expect(seqs()).toHaveLength(3);
  });

  const gift: Message = {
    ...words(1, 'me'),
    type: 'gift',
    data: { gift_id: 'rose', name: '玫瑰', quantity: 1, coins: 10 },
  };
  it.each([
    ['the first answer to her', [words(1)], 1],
    ['an answer after a gift alone', [gift, words(2)], 1],
    ['a first message, before she said anything', [], 0],
    ['a message after a gift alone', [gift], 0],
    ['a second answer', [words(1), words(2, 'me'), words(3)], 0],
    [
      'a message that may not be the first: there are older ones',
      Array.from({ length: 41 }, (_, at) => words(at + 1)),
      0,
    ],
  ])('reports whether the message is a first reply: %s', async (_, said, times) => {
    const { thread, sent, say, asked, ready } = stage({ said });
    thread.open();
    await settled();
    const mine = words(said.length + 1, 'me');
    const replies = () => asked.filter((one) => one === 'first reply').length;
    sent({ ...mine, channel_url: 'c2' });
    expect(replies()).toBe(0);
    // The server sends it to this page as well, and the event may arrive before the answer.
    say(mine);
    sent(mine);
    expect([replies(), ready().messages.at(-1)]).toEqual([times, mine]);
    sent(words(said.length + 2, 'me'));
    expect(replies()).toBe(times);
  });

  it('reports the other user’s last message as read, once, and only when it is visible', async () => {
    const { thread, say, asked } = stage({ channel: { read_seq: 1, unread_count: 2 } });
    thread.open();
    await settled();
    expect(asked).toEqual(['after none']);
    thread.markRead();
    thread.markRead();
    say(words(4));
    say(words(5, 'me'));
    thread.markRead();
    expect(asked.slice(1)).toEqual(['read 3', 'read 4']);
  });

  it('shows what the other user has received and read, the presence, and typing for a while', async () => {
    const { thread, tell, ready, clock, say } = stage();
    thread.open();
    await settled();
    tell({ type: 'delivered', channel_url: 'c1', u_id: 'mina', seq: 2 });
    tell({ type: 'read', channel_url: 'c2', u_id: 'mina', seq: 9 });
    expect(ready().channel).toMatchObject({ companion_delivered_seq: 2, companion_read_seq: 0 });
    tell({ type: 'read', channel_url: 'c1', u_id: 'mina', seq: 3 });
    expect(ready().channel).toMatchObject({ companion_delivered_seq: 3, companion_read_seq: 3 });
    tell({ type: 'presence_changed', u_id: 'mina', presence: 'online', last_seen_at: null });
    expect(ready().channel.companion.presence).toBe('online');
    const typing = { type: 'typing', channel_url: 'c1', u_id: 'mina', typing: true };
    tell(typing);
    clock.advance(7_999);
    expect(ready().isTyping).toBe(true);
    clock.advance(1);
    expect(ready().isTyping).toBe(false);
    tell(typing);
    say(words(4));
    expect([ready().isTyping, clock.pending]).toEqual([false, 0]);
  });

  it('reports typing every four seconds at most, and its end once', async () => {
    const { thread, asked, clock } = stage();
    thread.typing(false);
    thread.typing(true);
    clock.advance(3_999);
    thread.typing(true);
    clock.advance(1);
    thread.typing(true);
    thread.typing(false);
    thread.typing(false);
    expect(asked).toEqual(['typing true', 'typing true', 'typing false']);
  });

  it('ignores events after it is closed', async () => {
    const { thread, say, tell, seqs, clock } = stage();
    const leave = thread.open();
    await settled();
    tell({ type: 'typing', channel_url: 'c1', u_id: 'mina', typing: true });
    leave();
    say(words(4));
    expect([seqs(), clock.pending]).toEqual([[1, 2, 3], 0]);
  });
});

describe('the rows of a chat', () => {
  const dayOf = (at: number): string => String(Math.floor(at / (24 * 60 * MINUTE)));
  const rowsOf = (messages: Message[], more: Partial<ReadyThread> = {}) =>
    threadRows({ messages, unsent: [], readWhenOpened: null, channel: aChannel(), ...more }, 'me', dayOf);

  it('are grouped while one user writes within five minutes of one day', () => {
    const day = 24 * 60 * MINUTE;
    const rows = rowsOf([
      words(1, 'mina', 0),
      words(2, 'mina', 5 * MINUTE - 1),
      words(3, 'mina', 10 * MINUTE - 1),
      words(4, 'me', 10 * MINUTE),
      words(5, 'me', day - 1),
      words(6, 'me', day),
    ]);
    const shape = rows.map(({ isFirst, isLast, isNewDay }) => [isFirst, isLast, isNewDay].map(Number).join(''));
    expect(shape).toEqual(['101', '010', '110', '110', '110', '111']);
  });

  it('mark the first unread message at opening, and count the unread ones', () => {
    const rows = rowsOf([words(1), words(2, 'me'), words(3), words(4)], { readWhenOpened: 1 });
    expect(rows.map(({ unread }) => unread)).toEqual([null, null, 2, null]);
    expect(rows[2]?.isFirst).toBe(true);
    expect(rowsOf([words(1), words(2)]).every(({ unread }) => unread === null)).toBe(true);
  });

  it("show the delivery state of the user's own messages only", () => {
    const channel = aChannel({ companion_read_seq: 1, companion_delivered_seq: 2 });
    const rows = rowsOf([words(1, 'me'), words(2, 'me'), words(3, 'me'), words(4)], {
      channel,
      unsent: [waiting('a'), waiting('b', 0, 'failed')],
    });
    expect(rows.map(({ status }) => status)).toEqual(['read', 'delivered', 'sent', null, 'waiting', 'failed']);
  });

  it('keep the key of a sent message when it returns from the server, and show it once', () => {
    const before = rowsOf([], { unsent: [waiting('mine-1')] });
    const between = rowsOf([words(1, 'me')], { unsent: [waiting('mine-1')] });
    expect(before.map(({ key }) => key)).toEqual(['mine-1']);
    expect(between.map(({ key, status }) => [key, status])).toEqual([['mine-1', 'sent']]);
  });
});

describe('addresses in a text', () => {
  const links = (text: string) => linkParts(text).flatMap(({ href }) => href ?? []);

  it.each([
    ['see https://example.com/a?b=1&c=2.', ['https://example.com/a?b=1&c=2']],
    ['看這裡：http://例子.tw/頁，很好', ['http://xn--fsqu00a.tw/%E9%A0%81']],
    ['（https://example.com）「https://b.example/」', ['https://example.com/', 'https://b.example/']],
  ])('S37 are found without the punctuation around them: %s', (text, hrefs) => {
    expect(links(text)).toEqual(hrefs);
    expect(
      linkParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>1</script>',
    'ftp://example.com',
    'https://bank.example@evil.example/',
    'https://',
    '<a href="https">x</a>',
    '//evil.example',
  ])('S37 B74 are text when they are no plain http address: %s', (text) => {
    expect(links(text)).toEqual([]);
    expect(
      linkParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});

describe('the list of chats', () => {
  const pages = (...channels: Channel[]): ChannelPages => ({
    pages: [
      { items: channels.slice(0, 2), next: 'more' },
      { items: channels.slice(2), next: null },
    ],
    pageParams: [],
  });
  const named = (channel_url: string, more: Partial<Channel> = {}) => aChannel({ channel_url, ...more });
  const order = (kept: ChannelPages | null) =>
    kept?.pages.flatMap(({ items }) => items.map(({ channel_url }) => channel_url)).join('');
  const said = (channel_url: string, seq = 9) => ({
    type: 'message' as const,
    message: { ...words(seq), channel_url },
    unread_count: 3,
    unread_total: 3,
  });

  it('sorts by the last message, below pinned chats', () => {
    const kept = pages(named('a', { pinned: true }), named('b'), named('c'));
    const next = channelsAfter(kept, said('c'));
    expect(order(next)).toBe('acb');
    expect(next?.pages[0]?.items[1]).toMatchObject({ unread_count: 3, last_message: { seq: 9 } });
    expect(order(channelsAfter(kept, said('a')))).toBe('abc');
    expect(
      channelsAfter(pages(named('a', { last_message: words(9) })), said('a', 8))?.pages[0]?.items[0],
    ).toMatchObject({
      unread_count: 0,
    });
  });

  it('must be requested again when a chat is not in it', () => {
    expect(channelsAfter(pages(named('a')), said('new'))).toBeNull();
  });

  it('B72 links to a chat by a safe address, whatever its id is', () => {
    expect(chatPath('javascript:alert(1)/../x?y#z')).toBe('/man-chat-list/javascript%3Aalert(1)%2F..%2Fx%3Fy%23z');
  });
});
