import { REFUSALS, type RefusalBody, type RefusalCode } from '../../src/protocol/product/refusals.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { consumeTogether, type Counted, type NamedLimit, type RateLimits } from '../budgets/rate-limits.ts';

/** The refusal of a request to the product, with a code of its contract. */
export class Refusal extends HttpRefusal<RefusalBody & { readonly code: RefusalCode }> {
  /**
   * @param message - one plain line for developers. The app has its own texts for each code.
   * @param more - `field` names the wrong field. `retry_after` is in seconds.
   */
  constructor(code: RefusalCode, message: string, more: Pick<RefusalBody, 'field' | 'retry_after'> = {}) {
    super(REFUSALS[code], { code, message, ...more }, more.retry_after);
  }
}

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
