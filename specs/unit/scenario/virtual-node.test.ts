import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ExchangeClock } from '../../../sim/scenario/virtual/exchange-clock.ts';
import { VirtualCluster } from '../../../sim/scenario/virtual/virtual-cluster.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import { loginAnswer } from '../../../src/protocol/http.ts';

/** A world with one node. */
function oneNode() {
  const world = createWorld({
    seed: 1,
    exchange: (clock, mediaServer) =>
      new VirtualCluster({ world: clock, seed: 1, nodes: 1, users: ['alice'], mediaServer: mediaServer('sfu') }),
  });
  const [node] = world.exchange.nodes;
  if (!node) throw new Error('there is no node');
  const request = () =>
    world.exchange.http({
      method: 'POST',
      path: '/v1/users/alice/login',
      query: {},
      headers: { 'x-client-id': 'alice-1' },
      address: '192.0.2.1',
      body: { app_id: 'ringback-demo', user_id: 'alice' },
    });
  /** Opens a channel. Returns what became of it. */
  const channel = async () => {
    const sessionToken = v.parse(loginAnswer, (await request()).body).sbcall_session_token;
    const found = { opened: false, status: 0, isReset: false };
    const answer = world.exchange.connect(
      { sessionToken, clientId: 'alice-1', version: '1' },
      { send: () => undefined, close: () => undefined, reset: () => (found.isReset = true) },
    );
    const take = (taken: Awaited<typeof answer>) => {
      found.opened = 'receive' in taken;
      if ('status' in taken) found.status = taken.status;
    };
    if (answer instanceof Promise) void answer.then(take);
    else take(answer);
    return found;
  };
  return { world, node, request, channel };
}

describe('a node that is paused', () => {
  it('answers requests when it goes on, after the timers that came due', async () => {
    const { world, node, request } = oneNode();
    await world.settle();
    const order: string[] = [];
    node.clock.after(1_000, () => order.push('timer'));
    node.pause();
    void request().then(({ status }) => order.push(`answered ${status}`));
    await world.advance(3_000);
    expect(order).toEqual([]);
    node.resume();
    await world.settle();
    expect(order).toEqual(['timer', 'answered 200']);
  });

  it('is ready until the probes of the balancer have found it', async () => {
    const { world, node } = oneNode();
    node.pause();
    await world.advance(4_999);
    expect(node.isReady).toBe(true);
    await world.advance(1);
    expect(node.isReady).toBe(false);
    node.resume();
    expect(node.isReady).toBe(true);
  });

  it('answers nothing when it is killed, and none of its timers runs', async () => {
    const { world, node, request, channel } = oneNode();
    await world.settle();
    const open = await channel();
    expect(open.opened).toBe(true);
    node.pause();
    const lost = request();
    lost.catch(() => undefined);
    await world.advance(100);
    node.kill();
    node.resetLinks();
    await expect(lost).rejects.toThrow('the exchange was killed before it answered');
    expect(open.isReset).toBe(true);
    await world.advance(200_000);
    expect([node.isDown, world.exchange.isDown, world.clock.pending]).toEqual([true, true, []]);
  });
});

describe('a node that drains', () => {
  it('is not ready, and stops when it has no call', async () => {
    const { world, node } = oneNode();
    await world.settle();
    node.drain();
    expect([node.isReady, node.isDown]).toEqual([false, false]);
    await world.advance(1_000);
    expect(node.isDown).toBe(true);
    node.start();
    expect([node.isReady, node.isDown]).toEqual([true, false]);
  });
});

describe('the clock of a node', () => {
  it('drifts from that of the world, and its timers do not', async () => {
    const world = new VirtualClock();
    const clock = new ExchangeClock(world, 5_000);
    const [wall, now] = [world.now(), clock.now()];
    expect(now).toBe(wall + 5_000);
    clock.drift(100);
    let fired = 0;
    clock.after(10_000, () => (fired = world.now() - wall));
    await world.advance(10_000);
    expect([clock.wallTime() - wall, clock.now() - now, fired]).toEqual([11_000, 10_000, 10_000]);
    clock.drift(0);
    await world.advance(10_000);
    expect(clock.wallTime() - wall).toBe(21_000);
  });
});
