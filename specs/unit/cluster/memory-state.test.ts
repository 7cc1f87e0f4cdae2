import { describe, expect, test } from 'vitest';
import { MemoryStateServer, type StateTransfer } from '../../../sim/cluster/memory-state.ts';
import { StateUnreachable } from '../../../sim/cluster/shared-state.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';

const LIFE = 60_000;

/** A server whose transfers go through `carry`. */
function serverWith(carry: (arrive: () => void, transfer: StateTransfer, node: string, clock: VirtualClock) => void) {
  const clock = new VirtualClock();
  const server = new MemoryStateServer({
    clock,
    limitMs: 2_000,
    transit: (node, arrive, transfer) => carry(arrive, transfer, node, clock),
  });
  return { clock, server, one: server.connect('one'), two: server.connect('two') };
}

describe('the shared state in memory', () => {
  test('answers in a later microtask, and delivers a text in a later microtask', async () => {
    const server = new MemoryStateServer({ clock: new VirtualClock() });
    const [one, two] = [server.connect('one'), server.connect('two')];
    const order: string[] = [];
    await two.subscribe('channel', (text) => order.push(text));
    const set = one.set('key', 'value', LIFE).then(() => order.push('set'));
    const published = one.publish('channel', 'text');
    order.push('called');
    await Promise.all([set, published]);
    await Promise.resolve();
    expect(order[0]).toBe('called');
    expect(order.slice(1).toSorted((a, b) => a.localeCompare(b))).toEqual(['set', 'text']);
  });

  test('delays operations, answers and texts as the transit does', async () => {
    const { clock, one, two } = serverWith((arrive, _, __, time) => void time.after(100, arrive));
    const texts: number[] = [];
    const end = two.subscribe('channel', () => texts.push(clock.now()));
    await clock.advance(200);
    await end;
    const start = clock.now();
    const published = one.publish('channel', 'text').then(() => clock.now() - start);
    await clock.advance(1_000);
    expect(await published).toBe(200);
    expect(texts.map((at) => at - start)).toEqual([200]);
    expect(clock.pending).toEqual([]);
  });

  test('rejects an operation whose answer is lost, after the limit, and is reachable when an answer arrives', async () => {
    let lost: StateTransfer | null = 'answer';
    const { clock, one, two } = serverWith((arrive, transfer, node) => {
      if (node !== 'one' || transfer !== lost) arrive();
    });
    const changes: boolean[] = [];
    one.onReachable((isReachable) => changes.push(isReachable));
    const failed = one.set('key', 'value', LIFE).catch((error: unknown) => error);
    await clock.advance(1_999);
    expect(one.isReachable).toBe(true);
    await clock.advance(1);
    expect(await failed).toBeInstanceOf(StateUnreachable);
    expect([one.isReachable, two.isReachable]).toEqual([false, true]);
    expect(await two.get('key')).toBe('value');
    lost = null;
    await clock.advance(5_000);
    expect(changes).toEqual([false, true]);
    expect(clock.pending).toEqual([]);
  });

  test('runs a duplicated operation twice, and delivers a duplicated text twice', async () => {
    const { one, two } = serverWith((arrive) => {
      arrive();
      arrive();
    });
    expect(await one.append('list', ['entry'], 10, LIFE)).toBe(1);
    expect(await two.list('list')).toEqual({ last: 2, entries: ['entry', 'entry'] });
    const texts: string[] = [];
    await two.subscribe('channel', (text) => texts.push(text));
    await one.publish('channel', 'text');
    expect(texts).toEqual(Array.from({ length: 4 }, () => 'text'));
  });

  test('ends a subscription whose answer is lost', async () => {
    let lost: StateTransfer | null = 'answer';
    const { clock, one, two } = serverWith((arrive, transfer) => {
      if (transfer !== lost) arrive();
    });
    const texts: string[] = [];
    const failed = one.subscribe('channel', (text) => texts.push(text)).catch((error: unknown) => error);
    await clock.advance(2_000);
    expect(await failed).toBeInstanceOf(StateUnreachable);
    lost = null;
    await two.publish('channel', 'text');
    expect(texts).toEqual([]);
    await one.close();
    expect(clock.pending).toEqual([]);
  });

  test('cuts off one node: its operations reject, it misses texts, and its subscriptions hold afterwards', async () => {
    const clock = new VirtualClock();
    const server = new MemoryStateServer({ clock });
    const [one, two] = [server.connect('one'), server.connect('two')];
    const texts: string[] = [];
    const changes: boolean[] = [];
    await one.subscribe('channel', (text) => texts.push(text));
    const end = one.onReachable((isReachable) => changes.push(isReachable));
    const running = one.get('key').catch((error: unknown) => error);
    server.setReachable('one', false);
    expect(await running).toBeInstanceOf(StateUnreachable);
    await expect(one.get('key')).rejects.toBeInstanceOf(StateUnreachable);
    expect([one.isReachable, two.isReachable]).toEqual([false, true]);
    await two.publish('channel', 'missed');
    await clock.settle();
    server.setReachable('one', true);
    await two.publish('channel', 'received');
    await clock.settle();
    expect(texts).toEqual(['received']);
    expect(changes).toEqual([false, true]);
    end();
    server.setReachable('one', false);
    expect(changes).toHaveLength(2);
    expect(server.connect('one').isReachable).toBe(false);
  });

  test('loses all data, as a server that restarts, and keeps the subscriptions', async () => {
    const server = new MemoryStateServer({ clock: new VirtualClock() });
    const one = server.connect('one');
    const texts: string[] = [];
    await one.subscribe('channel', (text) => texts.push(text));
    await one.set('key', 'value', LIFE);
    await one.append('list', ['entry'], 10, LIFE);
    server.lose();
    expect([await one.get('key'), (await one.list('list')).last]).toEqual([null, 0]);
    await one.publish('channel', 'text');
    await Promise.resolve();
    expect(texts).toEqual(['text']);
  });

  test('drops expired keys that no operation names', async () => {
    const clock = new VirtualClock();
    const server = new MemoryStateServer({ clock });
    const one = server.connect('one');
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 900 }, (_, at) => one.set(`${round}:${at}`, '', 1_000)));
      await clock.advance(1_000);
    }
    expect(server.keys.size).toBeLessThan(3_000);
  });

  test('fills a bucket exactly in the time that a charge returned', async () => {
    const clock = new VirtualClock();
    const one = new MemoryStateServer({ clock }).connect('one');
    for (const perSecond of [0.3, 1 / 3, 7, 30, 700]) {
      const budget = { burst: 3, perSecond };
      const key = `bucket ${perSecond}`;
      for (let round = 0; round < 20; round += 1) {
        const wait = await one.charge(key, budget, round === 0 ? 3 : 1);
        expect(wait).toBeGreaterThan(0);
        await clock.advance(wait - 1);
        if (wait > 1) expect(await one.charge(key, budget, 0)).toBe(1);
        await clock.advance(1);
        expect(await one.charge(key, budget, 0)).toBe(0);
      }
    }
  });
});
