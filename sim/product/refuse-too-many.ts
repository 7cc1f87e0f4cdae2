import { consumeTogether, type Counted, type NamedLimit, type RateLimits } from '../budgets/rate-limits.ts';
import { Refusal } from './refusal.ts';

/**
 * Counts an input of a key under each of these rate limits. @throws Refusal `too_many` with the seconds to wait. A
 * refused input does not count.
 */
export function refuseTooMany(rateLimits: RateLimits, limits: readonly NamedLimit[], key: string): Promise<void> {
  return refuseTooManyOf(
    rateLimits,
    limits.map((limit) => ({ limit, key })),
  );
}

/** Counts an input under rate limits of several keys. @throws Refusal as {@link refuseTooMany}. */
export async function refuseTooManyOf(rateLimits: RateLimits, counted: readonly Counted[]): Promise<void> {
  const seconds = await consumeTogether(rateLimits, counted);
  if (seconds !== null) {
    throw new Refusal('too_many', `Too many requests. Try again in ${seconds} s.`, { retry_after: seconds });
  }
}
