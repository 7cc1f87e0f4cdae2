import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { NamedLimit, RateLimits } from '../budgets/rate-limits.ts';
import { withLoopbackFactor } from './loopback-factor.ts';

export interface MemoryRateLimitsOptions {
  /** Multiplies the points of limits by address for loopback addresses. Default 100. 1 treats them as any other. */
  readonly loopbackFactor?: number;
}

/**
 * Creates rate limits that are counted in the memory of this process, with its wall clock. A key is forgotten when
 * its window ends.
 */
export function createMemoryRateLimits({ loopbackFactor }: MemoryRateLimitsOptions = {}): RateLimits {
  const limiters = new Map<string, RateLimiterMemory>();
  const limiterOf = ({ name, points, seconds }: NamedLimit): RateLimiterMemory => {
    const known = limiters.get(name);
    if (known) return known;
    const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds });
    limiters.set(name, limiter);
    return limiter;
  };
  const limits: RateLimits = {
    async consume(limit, key) {
      const limiter = limiterOf(limit);
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
      await limiterOf(limit).reward(key);
    },
    async forget(limit, key) {
      await limiterOf(limit).delete(key);
    },
  };
  return withLoopbackFactor(limits, loopbackFactor);
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1_000));
