import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NamedLimit } from '../../../sim/budgets/rate-limits.ts';
import { createMemoryRateLimits } from '../../../sim/server/memory-rate-limits.ts';

const byAddress: NamedLimit = { name: 'login by address', by: 'address', points: 2, seconds: 60 };
const byTarget: NamedLimit = { name: 'login by target', by: 'target', points: 2, seconds: 60 };

describe('rate limits in memory', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('S14: allow a key its points, refuse more, and allow them again after the window', async () => {
    const limits = createMemoryRateLimits();
    const consume = () => limits.consume(byAddress, '192.0.2.1');
    expect([await consume(), await consume()]).toEqual([null, null]);
    await vi.advanceTimersByTimeAsync(20_500);
    expect(await consume()).toBe(40);
    await vi.advanceTimersByTimeAsync(39_500);
    expect(await consume()).toBeNull();
  });

  it('S14: count each key and each limit separately', async () => {
    const limits = createMemoryRateLimits();
    for (const _ of [1, 2, 3]) await limits.consume(byAddress, '192.0.2.1');
    expect(await limits.consume(byAddress, '192.0.2.2')).toBeNull();
    expect(await limits.consume(byTarget, '192.0.2.1')).toBeNull();
  });

  it('give a key one point or all points back', async () => {
    const limits = createMemoryRateLimits();
    const consume = () => limits.consume(byTarget, 'kai');
    expect([await consume(), await consume()]).toEqual([null, null]);
    await limits.giveBack(byTarget, 'kai');
    expect([await consume(), await consume()]).toEqual([null, 60]);
    await limits.forget(byTarget, 'kai');
    expect([await consume(), await consume(), await consume()]).toEqual([null, null, 60]);
  });

  it('S14: do not count a refusal: a returned point is free for the next request', async () => {
    const limits = createMemoryRateLimits();
    const consume = () => limits.consume(byTarget, 'kai');
    expect([await consume(), await consume(), await consume(), await consume()]).toEqual([null, null, 60, 60]);
    await limits.giveBack(byTarget, 'kai');
    expect([await consume(), await consume()]).toEqual([null, 60]);
  });

  it('S14: give loopback addresses a hundred times as many points, unless configured otherwise', async () => {
    const refusalsOf = async (loopbackFactor?: number) => {
      const limits = createMemoryRateLimits(loopbackFactor === undefined ? {} : { loopbackFactor });
      const answers = [];
      for (let count = 0; count < 201; count += 1) answers.push(await limits.consume(byAddress, '127.0.0.1'));
      return answers.filter((seconds) => seconds !== null).length;
    };
    expect(await refusalsOf()).toBe(1);
    expect(await refusalsOf(1)).toBe(199);
  });

  it('I22: store nothing of a key whose window has ended', async () => {
    const limits = createMemoryRateLimits();
    for (let host = 0; host < 100; host += 1) await limits.consume(byAddress, `192.0.2.${host}`);
    expect(vi.getTimerCount()).toBe(100);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
