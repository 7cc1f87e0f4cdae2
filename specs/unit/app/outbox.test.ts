import { describe, expect, it } from 'vitest';
import { createOutbox } from '../../../src/app/features/chat/outbox.ts';
import { countCoins } from '../../../src/app/features/money/wallet/count-coins.ts';
import { countUnread } from '../../../src/app/features/chat/unread.ts';
import { readEvent } from '../../../src/app/core/events/read-event.ts';
import { createEventClient } from '../../../src/app/core/events/event-client.ts';
import { FakeConnectivity } from '../../../src/app/testing/fakes/fake-connectivity.ts';
import { fakeProduct } from '../../../src/app/testing/fakes/fake-product.ts';
import { FakeSockets } from '../../../src/app/testing/fakes/fake-sockets.ts';
import { HandClock } from '../support/hand-clock.ts';
import { MemoryStorage } from '../../../src/app/testing/fakes/memory-storage.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import { ProductError } from '../../../src/app/core/product/product-error.ts';
import type { Message, NewMessage } from '../../../src/protocol/product/chat.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A page with an outbox, and a server whose answers the test sets. */
function stage(options: { storage?: MemoryStorage; online?: boolean; uId?: string } = {}) {
  const { storage = new MemoryStorage(), online = true, uId = 'kai' } = options;
  const clock = new HandClock();
  const connectivity = new FakeConnectivity(online);
  const asked: string[] = [];
  let answer: (body: NewMessage) => Promise<void> = () => Promise.resolve();
  let ids = 0;
  const outbox = createOutbox({
    product: fakeProduct({
      sendMessage: async ({ params, body }) => {
        asked.push(`${body.client_id} ${body.type === 'text' ? body.text : body.type}`);
        await answer(body);
        return sent(params.channel_url, body);
      },
    }),
    connectivity,
    localStorage: storage,
    clock,
    logger: new RecordingLogger(),
    newId: () => `id-${(ids += 1)}`,
  });
  const took: string[] = [];
  outbox.onSent(({ client_id }) => took.push(client_id ?? ''));
  outbox.start(uId);
  const say = (text: string) => outbox.put('c1', { type: 'text', text });
  const left = () => outbox.unsent.get().map(({ clientId, state }) => `${clientId} ${state}`);
  return {
    storage,
    clock,
    connectivity,
    outbox,
    asked,
    took,
    say,
    left,
    answerWith: (how: typeof answer) => (answer = how),
  };
}

const sent = (channel_url: string, body: NewMessage): Message => ({
  channel_url,
  seq: 1,
  from: 'me',
  client_id: body.client_id,
  at: 0,
  type: 'text',
  data: { text: body.type === 'text' ? body.text : '' },
});

const refused = (status: number, code: string, retry_after?: number) =>
  new ProductError('refused', code, {
    status,
    refusal: { code, message: code, ...(retry_after === undefined ? {} : { retry_after }) },
  });

const EMPTY_WALLET = {
  coins: 0,
  held: 0,
  limit: 20_000,
  spent: 0,
  next_limit: null,
  next_limit_at: null,
  is_first_deposit: true,
};

describe('the outbox', () => {
  it('sends messages one after the other, in the order they were written', async () => {
    const { say, asked, took, left, answerWith } = stage();
    const open: (() => void)[] = [];
    answerWith(() => new Promise((resolve) => open.push(resolve)));
    say('one');
    say('two');
    await settled();
    expect(asked).toEqual(['id-1 one']);
    expect(left()).toEqual(['id-1 waiting', 'id-2 waiting']);
    open.shift()?.();
    await settled();
    expect(asked).toEqual(['id-1 one', 'id-2 two']);
    open.shift()?.();
    await settled();
    expect([left(), took]).toEqual([[], ['id-1', 'id-2']]);
  });

  it('stores texts across a reload without network, and sends them in order when it returns', async () => {
    const first = stage({ online: false });
    first.say('one');
    first.say('two');
    await settled();
    expect(first.asked).toEqual([]);
    const second = stage({ storage: first.storage, online: false });
    expect(second.left()).toEqual(['id-1 waiting', 'id-2 waiting']);
    second.connectivity.set(true);
    await settled();
    expect(second.asked).toEqual(['id-1 one', 'id-2 two']);
    expect(second.storage.size).toBe(0);
  });

  it.each([
    ['nobody answers', new ProductError('unreachable', 'no answer'), 3_000],
    ['the server is in trouble', refused(500, 'failed'), 3_000],
    ['it is too much at once', refused(429, 'too_many', 7), 7_000],
  ])('retries automatically where %s, with the same idempotency key', async (_, error, waits) => {
    const { say, asked, left, clock, answerWith } = stage();
    answerWith(() => Promise.reject(error));
    say('one');
    say('two');
    await settled();
    expect([asked, left()]).toEqual([['id-1 one'], ['id-1 waiting', 'id-2 waiting']]);
    answerWith(() => Promise.resolve());
    clock.advance(waits - 1);
    await settled();
    expect(asked).toHaveLength(1);
    clock.advance(1);
    await settled();
    expect(asked.slice(1)).toEqual(['id-1 one', 'id-2 two']);
  });

  it('sets a refused message aside, sends the rest, and retries or deletes it as the user asks', async () => {
    const { say, asked, left, outbox, answerWith, storage } = stage();
    answerWith(({ client_id }) => (client_id === 'id-1' ? Promise.reject(refused(400, 'invalid')) : Promise.resolve()));
    say('one');
    say('two');
    await settled();
    expect(left()).toEqual(['id-1 failed']);
    expect(stage({ storage }).left()).toEqual(['id-1 failed']);
    outbox.retry('id-1');
    await settled();
    expect(asked).toEqual(['id-1 one', 'id-2 two', 'id-1 one']);
    outbox.discard('id-1');
    expect([left(), storage.size]).toEqual([[], 0]);
  });

  it('deletes its messages when its user signs out, and ignores an answer that arrives late', async () => {
    const { say, outbox, took, storage, clock, answerWith } = stage();
    const open: (() => void)[] = [];
    answerWith(() => new Promise((resolve) => open.push(resolve)));
    say('one');
    await settled();
    outbox.stop();
    open.shift()?.();
    await settled();
    expect([took, outbox.unsent.get(), storage.size, clock.pending]).toEqual([[], [], 0, 0]);
  });

  it('S42 neither sends nor deletes the messages of another user of the same browser', async () => {
    const storage = new MemoryStorage();
    const kai = stage({ storage, online: false });
    kai.say('one');
    const mina = stage({ storage, uId: 'mina' });
    await settled();
    expect([mina.left(), mina.asked]).toEqual([[], []]);
    mina.outbox.stop();
    expect(stage({ storage, online: false }).left()).toEqual(['id-1 waiting']);
    kai.outbox.stop();
    expect(storage.size).toBe(0);
  });

  it('starts empty when the stored value cannot be read', () => {
    expect(stage({ storage: new MemoryStorage({ chat_outbox: '[{"text":5}]' }) }).left()).toEqual([]);
    expect(stage({ storage: new MemoryStorage({ chat_outbox: 'no json' }) }).left()).toEqual([]);
  });
});

describe('the coins in the header of the app', () => {
  it('are requested when events may be lost, follow the events, and exist for men only', async () => {
    const sockets = new FakeSockets();
    const logger = new RecordingLogger();
    const events = createEventClient({
      checkSession: () => Promise.resolve(true),
      wsUrl: 'wss://ws.test',
      token: () => 'token',
      readEvent,
      openSocket: sockets.open,
      connectivity: new FakeConnectivity(),
      random: () => 0.5,
      clock: new HandClock(),
      logger,
    });
    const counts: number[] = [];
    const answers: ((coins: number) => void)[] = [];
    const product = fakeProduct({
      wallet: () => new Promise((resolve) => answers.push((coins) => resolve({ ...EMPTY_WALLET, coins }))),
    });
    let isMan = true;
    countCoins({ product, events, logger, isMan: () => isMan, onCoins: (coins) => counts.push(coins) });
    events.start();
    sockets.last.accept();
    const resync = () => sockets.last.receive({ stream: 's', seq: 0, resumed: false });
    resync();
    answers.shift()?.(100);
    await settled();
    resync();
    sockets.last.receive({ seq: 1, event: { type: 'wallet_changed', coins: 80, points: null } });
    answers.shift()?.(100);
    await settled();
    sockets.last.receive({ seq: 2, event: { type: 'wallet_changed', coins: null, points: 4_000 } });
    isMan = false;
    resync();
    await settled();
    expect([counts, answers]).toEqual([[100, 80], []]);
  });
});

describe('the unread count', () => {
  it('is requested when events may be lost, follows the events, and ignores an answer older than an event', async () => {
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
    const counts: number[] = [];
    const answers: ((count: number) => void)[] = [];
    const product = fakeProduct({
      unreadMessages: () => new Promise((resolve) => answers.push((count) => resolve({ count }))),
    });
    countUnread({ product, events, logger, onCount: (count) => counts.push(count) });
    events.start();
    sockets.last.accept();
    sockets.last.receive({ stream: 's', seq: 0, resumed: false });
    answers.shift()?.(4);
    await settled();
    const changed = { type: 'channel_changed', channel_url: 'c', unread_count: 0, unread_total: 2 };
    sockets.last.receive({ stream: 's', seq: 0, resumed: false });
    sockets.last.receive({ seq: 1, event: changed });
    answers.shift()?.(9);
    await settled();
    expect(counts).toEqual([4, 2]);
  });
});
