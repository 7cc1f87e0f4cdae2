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

/** The keys of a guess, by what its limits count. */
export type GuessKeys = Readonly<Partial<Record<CountedBy, string>>>;

/** The keys of a guess at something of a target that came from an address. */
export const guessOf = (target: string, address: string): GuessKeys => ({
  'target and address': `${address} ${target}`,
  address,
  target,
});

/**
 * Bounds wrong guesses at passwords and codes. Those of one address at one target are few; those of all addresses together are more,
 * so that no stranger locks a user out. Names that no account has are counted alike, and tell nothing.
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
   * Makes a guess. It counts as wrong until it is found right, so that guesses at the same time cannot slip by. A right one has the
   * server forget the wrong ones of its address before it. A guess that is refused as locked is not made, and does not count.
   *
   * @param guess - throws what `isWrong` says of it; whatever else it throws does not count.
   * @throws Refusal locked; what the guess throws.
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
