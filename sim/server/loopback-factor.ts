import type { NamedLimit, RateLimits } from '../budgets/rate-limits.ts';
import { isLoopback } from './allowed-hosts.ts';

/** The factor for limits by address of loopback addresses. All test users of a lab share one address. */
const LOOPBACK_FACTOR = 100;

/**
 * Returns rate limits that give loopback addresses more points.
 * @param factor - multiplies the points of limits by address. Default 100. 1 treats these addresses as any other.
 */
export function withLoopbackFactor(limits: RateLimits, factor = LOOPBACK_FACTOR): RateLimits {
  const of = (limit: NamedLimit, key: string): NamedLimit =>
    limit.by === 'address' && isLoopback(key)
      ? { ...limit, name: `${limit.name} of loopback`, points: limit.points * factor }
      : limit;
  return {
    consume: (limit, key) => limits.consume(of(limit, key), key),
    giveBack: (limit, key) => limits.giveBack(of(limit, key), key),
    forget: (limit, key) => limits.forget(of(limit, key), key),
  };
}
