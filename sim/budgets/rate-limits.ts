/** The port that counts rate limits. */
import type { InputBudget, RateLimit } from './input-budget.ts';

/** A limit with the name of its counter: `login by address`. Limits of one name share their counts. */
export interface NamedLimit extends RateLimit {
  readonly name: string;
}

/** Counters of keys under named limits. No method rejects. */
export interface RateLimits {
  /**
   * Counts one input of a key. Resolves with null when the input is allowed, else with the seconds until the key may
   * retry. A refused input does not count.
   */
  consume(limit: NamedLimit, key: string): Promise<number | null>;
  /** Returns one point to a key for an input that turned out not to count. */
  giveBack(limit: NamedLimit, key: string): Promise<void>;
  /** Deletes the counts of a key. */
  forget(limit: NamedLimit, key: string): Promise<void>;
}

/** Returns the limits of a row by one kind of key, with their names. `input` is the name of the row. */
export function limitsBy(
  input: string,
  { limits }: Pick<InputBudget, 'limits'>,
  by: RateLimit['by'],
  of?: RateLimit['of'],
): readonly NamedLimit[] {
  return limits
    .filter((limit) => limit.by === by && limit.of === of)
    .map((limit) => ({
      ...limit,
      name: `${input}${of === undefined ? '' : ` ${of}`} by ${by} in ${limit.seconds} s`,
    }));
}

/** A limit, and the key that an input counts by. */
export interface Counted {
  readonly limit: NamedLimit;
  readonly key: string;
}

/** Counts one input of a key under each of these limits, see {@link consumeTogether}. */
export function consumeAll(rateLimits: RateLimits, limits: readonly NamedLimit[], key: string): Promise<number | null> {
  return consumeTogether(
    rateLimits,
    limits.map((limit) => ({ limit, key })),
  );
}

/**
 * Counts one input under each of these limits, or under none when one of them refuses it. Otherwise retries within a
 * minute would use up the limit of the day. Resolves with the longest wait in seconds. Null when all limits allow the
 * input.
 */
export async function consumeTogether(rateLimits: RateLimits, counted: readonly Counted[]): Promise<number | null> {
  const allowed: Counted[] = [];
  let wait: number | null = null;
  for (const one of counted) {
    const seconds = await rateLimits.consume(one.limit, one.key);
    if (seconds === null) allowed.push(one);
    else wait = Math.max(wait ?? 0, seconds);
  }
  if (wait !== null) for (const { limit, key } of allowed) await rateLimits.giveBack(limit, key);
  return wait;
}
