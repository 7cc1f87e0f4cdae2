import { consumeAll, type NamedLimit, type RateLimits } from '../budgets/rate-limits.ts';
import { Refusal } from './refusal.ts';

/** Counts one input of a key under each of these limits. @throws Refusal too_many, with the seconds to wait. */
export async function refuseTooMany(rateLimits: RateLimits, limits: readonly NamedLimit[], key: string): Promise<void> {
  const seconds = await consumeAll(rateLimits, limits, key);
  if (seconds !== null) {
    throw new Refusal('too_many', `Too many requests. Try again in ${seconds} s.`, { retry_after: seconds });
  }
}
