import type { CountedBy } from '../../budgets/input-budget.ts';
import { SHARED_BUDGETS } from '../../budgets/product-budgets.ts';
import {
  consumeTogether,
  limitsBy,
  type Counted,
  type NamedLimit,
  type RateLimits,
} from '../../budgets/rate-limits.ts';
import { Refusal } from '../refusal.ts';

/** The keys of a guess, by what each rate limit counts. */
export type GuessKeys = Readonly<Partial<Record<CountedBy, string>>>;

/** Returns the keys of a guess at a target from an address. */
export const guessOf = (target: string, address: string): GuessKeys => ({
  'target and address': `${address} ${target}`,
  address,
  target,
});

/**
 * A rate limit on wrong guesses of passwords and codes. One address has few guesses at one target. All addresses
 * together have more, so that a stranger cannot lock a user out. Names without an account count in the same way, so the
 * answer does not reveal which accounts exist.
 */
export class GuessGuard {
  readonly #rateLimits: RateLimits;
  readonly #limits: readonly NamedLimit[];

  constructor(rateLimits: RateLimits, name: 'passwordGuess' | 'codeGuess' | 'ownerProof') {
    const budget = SHARED_BUDGETS[name];
    this.#rateLimits = rateLimits;
    this.#limits = COUNTED.flatMap((by) => limitsBy(name, budget, by, 'failures'));
  }

  /**
   * Makes a guess. It counts as wrong until it proves right, so that parallel guesses cannot exceed the limit. A right
   * guess resets the count of its address. A guess that is refused as locked is not made and does not count.
   *
   * @param guess - throws an error that `isWrong` recognizes. Any other error does not count.
   * @throws Refusal `locked`, and the errors of the guess.
   */
  async count<T>(keys: GuessKeys, guess: () => Promise<T>, isWrong: (error: unknown) => boolean): Promise<T> {
    const counted = this.#limits.flatMap((limit): Counted[] => {
      const key = keys[limit.by];
      return key === undefined ? [] : [{ limit, key }];
    });
    const seconds = await consumeTogether(this.#rateLimits, counted);
    if (seconds !== null) throw locked(seconds);
    try {
      const result = await guess();
      await this.#forgive(counted, true);
      return result;
    } catch (error) {
      if (!isWrong(error)) await this.#forgive(counted, false);
      throw error;
    }
  }

  async #forgive(counted: readonly Counted[], isRight: boolean): Promise<void> {
    for (const { limit, key } of counted) {
      const isOwn = limit.by === 'target and address' || limit.by === 'account';
      await (isRight && isOwn ? this.#rateLimits.forget(limit, key) : this.#rateLimits.giveBack(limit, key));
    }
  }
}

const COUNTED: readonly CountedBy[] = ['account', 'target and address', 'address', 'target'];

const locked = (seconds: number): Refusal =>
  new Refusal('locked', 'Too many wrong passwords or codes.', { retry_after: seconds });
