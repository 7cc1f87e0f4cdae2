import { describe, expect, test } from 'vitest';
import { MemoryStateServer } from '../../../sim/cluster/memory-state.ts';
import { SharedLimit } from '../../../sim/cluster/shared-limits.ts';
import { TokenBuckets } from '../../../sim/exchange/limits/token-buckets.ts';
import type { Budget } from '../../../sim/exchange/settings.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';

/** The same limit at several nodes, whose transfers take `delayMs`. */
function nodesWith(budget: Budget, delayMs = 0, count = 3) {
  const clock = new VirtualClock();
  let operations = 0;
  const server = new MemoryStateServer({
    clock,
    transit: (_, arrive, transfer) => {
      if (transfer === 'operation') operations += 1;
      clock.after(delayMs, arrive);
    },
  });
  const now = () => clock.now();
  const nodes = Array.from({ length: count }, (_, at) => {
    const state = server.connect(`node ${at}`);
    return new SharedLimit(new TokenBuckets(budget, now), { state, name: 'dials', budget, now });
  });
  return { clock, server, nodes, operations: () => operations };
}

describe('a rate limit of several nodes', () => {
  test('S14: decides at once, and refuses at the nodes that learn that all points are used', async () => {
    const { clock, nodes } = nodesWith({ burst: 6, perSecond: 0.1 });
    for (const node of [...nodes, ...nodes]) {
      expect(node.take('alice')).toBe(true);
      await clock.settle();
    }
    // Each node has used two of its six points. The one that used the last shared point has learnt it.
    const [first, second, third] = nodes;
    expect([first, second, third].map((node) => node?.waitMs('alice'))).toEqual([0, 0, 10_000]);
    expect(third?.take('alice')).toBe(false);
    expect(first?.take('alice')).toBe(true);
    await clock.settle();
    expect(first?.take('alice')).toBe(false);
    expect(first?.waitMs('alice')).toBe(20_000);
    expect(third?.take('bob')).toBe(true);
  });

  test('S14: keeps the rate of all nodes together over time, whatever arrives', async () => {
    const budget = { burst: 20, perSecond: 2 };
    const { clock, nodes } = nodesWith(budget, 5);
    let allowed = 0;
    const seconds = 120;
    for (let step = 0; step < seconds * 50; step += 1) {
      for (const node of nodes) if (node.take('alice')) allowed += 1;
      await clock.advance(20);
    }
    const together = budget.burst + budget.perSecond * seconds;
    // Each node may be above by a tenth of a burst, and by what arrives while the state answers.
    expect(allowed).toBeLessThanOrEqual(together + nodes.length * (budget.burst / 10 + 1));
    expect(allowed).toBeGreaterThan(together * 0.9);
  });

  test('S14: asks the state once for a tenth of a burst, and once at a time', async () => {
    const { clock, nodes, operations } = nodesWith({ burst: 100, perSecond: 10 }, 50);
    const [node] = nodes;
    for (let count = 0; count < 9; count += 1) node?.take('alice');
    expect(operations()).toBe(0);
    for (let count = 0; count < 51; count += 1) node?.take('alice');
    expect(operations()).toBe(1);
    await clock.advance(500);
    expect(operations()).toBe(2);
  });

  test('S14: allows again when the shared bucket has a point', async () => {
    const { clock, nodes } = nodesWith({ burst: 2, perSecond: 1 });
    const [one, two] = nodes;
    for (const node of [one, two]) {
      expect(node?.take('alice')).toBe(true);
      await clock.settle();
    }
    expect(two?.waitMs('alice')).toBe(1_000);
    await clock.advance(999);
    expect(two?.take('alice')).toBe(false);
    await clock.advance(1);
    expect(two?.take('alice')).toBe(true);
  });

  test('S14: counts at each node alone while the state is unreachable, and together again afterwards', async () => {
    const { clock, server, nodes, operations } = nodesWith({ burst: 2, perSecond: 0.001 });
    for (const at of [0, 1, 2]) server.setReachable(`node ${at}`, false);
    for (const node of nodes) {
      expect([node.take('alice'), node.take('alice'), node.take('alice')]).toEqual([true, true, false]);
      await clock.settle();
    }
    expect(operations()).toBe(0);
    for (const at of [0, 1, 2]) server.setReachable(`node ${at}`, true);
    const [one, two] = nodes;
    for (const _ of [1, 2]) one?.take('bob');
    await clock.settle();
    two?.take('bob');
    await clock.settle();
    expect(two?.take('bob')).toBe(false);
  });

  test('does not ask an unreachable state, which would answer after its limit', async () => {
    const budget = { burst: 2, perSecond: 1 };
    const charged: number[] = [];
    const charge = async (_: string, __: unknown, points: number) => {
      charged.push(points);
      return 0;
    };
    const state = { isReachable: false, charge };
    const limit = new SharedLimit(new TokenBuckets(budget, () => 0), { state, name: 'dials', budget, now: () => 0 });
    expect([limit.take('alice'), limit.take('alice')]).toEqual([true, true]);
    expect(limit.waitMs('alice')).toBe(1_000);
    expect(charged).toEqual([]);
    state.isReachable = true;
    expect(limit.take('bob')).toBe(true);
    expect(charged).toEqual([1]);
  });

  test('goes on by the bucket of the node when an answer is lost', async () => {
    const clock = new VirtualClock();
    const budget = { burst: 3, perSecond: 0.001 };
    const now = () => clock.now();
    const state = new MemoryStateServer({ clock, transit: () => undefined }).connect('node');
    const node = new SharedLimit(new TokenBuckets(budget, now), { state, name: 'dials', budget, now });
    expect(node.take('alice')).toBe(true);
    await clock.advance(2_000);
    expect([node.take('alice'), node.take('alice'), node.take('alice')]).toEqual([true, true, false]);
    await state.close();
    await clock.settle();
    expect(clock.pending).toEqual([]);
  });

  test('I22: stores nothing of a key whose bucket is full again', async () => {
    const { clock, nodes } = nodesWith({ burst: 10, perSecond: 1 });
    const [node] = nodes;
    for (let user = 0; user < 100; user += 1) node?.take(`user ${user}`);
    await clock.advance(10_000);
    // Each allowed use looks at two keys.
    for (let use = 0; use < 100; use += 1) {
      await clock.advance(1_000);
      node?.take('alice');
    }
    expect(node?.size).toBe(1);
    await clock.settle();
    expect(clock.pending).toEqual([]);
  });
});
