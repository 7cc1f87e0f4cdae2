import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { NamedLimit, RateLimits } from '../budgets/rate-limits.ts';
import { isLoopback } from './allowed-hosts.ts';

/** The factor for limits by address of loopback addresses. All test users of a lab share one address. */
const LOOPBACK_FACTOR = 100;

export interface MemoryRateLimitsOptions {
  /** Multiplies the points of limits by address for loopback addresses. Default 100. 1 treats them as any other. */
  readonly loopbackFactor?: number;
}

/**
 * Creates rate limits that are counted in the memory of this process, with its wall clock. A key is forgotten when
 * its window ends.
 */
export function createMemoryRateLimits({ loopbackFactor = LOOPBACK_FACTOR }: MemoryRateLimitsOptions = {}): RateLimits {
  const limiters = new Map<string, RateLimiterMemory>();
  const limiterOf = ({ name, by, points, seconds }: NamedLimit, key: string): RateLimiterMemory => {
    const isLab = by === 'address' && isLoopback(key);
    const keyPrefix = isLab ? `${name} of loopback` : name;
    const known = limiters.get(keyPrefix);
    if (known) return known;
    const limiter = new RateLimiterMemory({
      keyPrefix,
      points: isLab ? points * loopbackFactor : points,
      duration: seconds,
    });
    limiters.set(keyPrefix, limiter);
    return limiter;
  };
  return {
    async consume(limit, key) {
      const limiter = limiterOf(limit, key);
      try {
        await limiter.consume(key);
        return null;
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        await limiter.reward(key);
        return secondsOf(error);
      }
    },
    async giveBack(limit, key) {
      await limiterOf(limit, key).reward(key);
    },
    async forget(limit, key) {
      await limiterOf(limit, key).delete(key);
    },
  };
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1_000));
