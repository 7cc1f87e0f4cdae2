import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { NamedLimit } from '../../../sim/budgets/rate-limits.ts';
import { MemoryStateServer } from '../../../sim/cluster/memory-state.ts';
import { createMemoryRateLimits } from '../../../sim/server/memory-rate-limits.ts';
import { createSharedRateLimits } from '../../../sim/server/shared-rate-limits.ts';
import { HandClock } from '../../unit/support/hand-clock.ts';
import { rateLimitsContract, type RateLimitsSubject } from './rate-limits.contract.ts';

const byAddress: NamedLimit = { name: 'login by address', by: 'address', points: 2, seconds: 60 };

/** Replaces the timers of the process until the end of the test. */
function fakeTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

/** Rate limits of two nodes with one state, and what they log. */
function sharedByNodes(loopbackFactor?: number) {
  // The insurance counts in memory, with the timers of the process.
  fakeTimers();
  const clock = new HandClock();
  const server = new MemoryStateServer({ clock });
  const lines: string[] = [];
  const log = { info: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) };
  const limitsOf = (node: string) =>
    createSharedRateLimits({
      state: server.connect(node),
      log,
      ...(loopbackFactor !== undefined && { loopbackFactor }),
    });
  return { clock, server, lines, one: limitsOf('one'), two: limitsOf('two') };
}

const IMPLEMENTATIONS: Record<string, () => RateLimitsSubject> = {
  'in memory': () => {
    fakeTimers();
    return { limits: createMemoryRateLimits(), pass: async (ms) => void (await vi.advanceTimersByTimeAsync(ms)) };
  },
  'of several nodes': () => {
    const { clock, one, two } = sharedByNodes();
    let turn = 0;
    // Each input arrives at another node.
    const next = () => ((turn += 1) % 2 === 0 ? one : two);
    const limits = {
      consume: (limit: NamedLimit, key: string) => next().consume(limit, key),
      giveBack: (limit: NamedLimit, key: string) => next().giveBack(limit, key),
      forget: (limit: NamedLimit, key: string) => next().forget(limit, key),
    };
    return { limits, pass: async (ms) => clock.advance(ms) };
  },
};

describe.each(Object.entries(IMPLEMENTATIONS))('rate limits %s', (_, make) => {
  for (const { title, run } of rateLimitsContract) it(title, () => run(make()));
});

describe('rate limits in memory', () => {
  it('S14: treat loopback addresses as any other when configured so', async () => {
    fakeTimers();
    const limits = createMemoryRateLimits({ loopbackFactor: 1 });
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await limits.consume(byAddress, '127.0.0.1'));
    expect(answers).toEqual([null, null, 60]);
  });

  it('I22: store nothing of a key whose window has ended', async () => {
    fakeTimers();
    const limits = createMemoryRateLimits();
    for (let host = 0; host < 100; host += 1) await limits.consume(byAddress, `192.0.2.${host}`);
    expect(vi.getTimerCount()).toBe(100);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('rate limits of several nodes', () => {
  it('S14: treat loopback addresses as any other when configured so', async () => {
    const { one } = sharedByNodes(1);
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await one.consume(byAddress, '127.0.0.1'));
    expect(answers).toEqual([null, null, 60]);
  });

  it('S14: are counted by each node alone while the state is unreachable, which is logged once', async () => {
    const { server, lines, one, two } = sharedByNodes();
    const consume = () => one.consume(byAddress, '192.0.2.1');
    expect(await consume()).toBeNull();
    server.setReachable('one', false);
    expect([await consume(), await consume(), await consume()]).toEqual([null, null, 60]);
    await one.giveBack(byAddress, '192.0.2.1');
    expect([await consume(), await consume()]).toEqual([null, 60]);
    await one.forget(byAddress, '192.0.2.1');
    expect(await consume()).toBeNull();
    expect(lines).toEqual(['rate limits are counted by this node alone: the shared state is unreachable']);
    expect([await two.consume(byAddress, '192.0.2.1'), await two.consume(byAddress, '192.0.2.1')]).toEqual([null, 60]);
    server.setReachable('one', true);
    expect(await consume()).toBe(60);
    expect(lines.slice(1)).toEqual(['rate limits are counted by all nodes together again']);
  });

  it('S14: count in memory the input whose operation was cut off', async () => {
    const { server, one } = sharedByNodes();
    const running = one.consume(byAddress, '192.0.2.1');
    server.setReachable('one', false);
    expect(await running).toBeNull();
    const answers = [await one.consume(byAddress, '192.0.2.1'), await one.consume(byAddress, '192.0.2.1')];
    expect(answers).toEqual([null, 60]);
  });

  it('do not ask an unreachable state, which would answer after its limit', async () => {
    fakeTimers();
    const state = new MemoryStateServer({ clock: new HandClock() }).connect('one');
    const count = vi.spyOn(state, 'count');
    vi.spyOn(state, 'isReachable', 'get').mockReturnValue(false);
    const limits = createSharedRateLimits({ state, log: { info: () => undefined, warn: () => undefined } });
    expect(await limits.consume(byAddress, '192.0.2.1')).toBeNull();
    expect(count).not.toHaveBeenCalled();
  });

  it('reject when the state refuses an operation for another reason', async () => {
    fakeTimers();
    const state = new MemoryStateServer({ clock: new HandClock() }).connect('one');
    vi.spyOn(state, 'count').mockRejectedValue(new TypeError('another kind'));
    const limits = createSharedRateLimits({ state, log: { info: () => undefined, warn: () => undefined } });
    await expect(limits.consume(byAddress, '192.0.2.1')).rejects.toThrow('another kind');
  });

  it('store neither an address nor a name, and keys of a bounded length', async () => {
    const { server, one } = sharedByNodes();
    const names: string[] = [];
    const set = vi.spyOn(server.keys, 'count').mockImplementation((key) => (names.push(key), 0));
    await one.consume(byAddress, '192.0.2.1');
    await one.consume({ ...byAddress, by: 'target' }, 'x'.repeat(10_000));
    set.mockRestore();
    expect(names).toHaveLength(2);
    expect(names.filter((name) => name.length > 60 || name.includes('192.0.2.1'))).toEqual([]);
  });
});
