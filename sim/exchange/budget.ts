import type { Budget } from './settings.ts';

/** Counts against a budget: a bucket that holds `burst` and is filled up by `perSecond`. */
export class Allowance {
  readonly #budget: Budget;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(budget: Budget, now: () => number) {
    this.#budget = budget;
    this.#now = now;
    this.#left = budget.burst;
    this.#at = now();
  }

  /** Takes one; false when there is none left. */
  take(): boolean {
    const now = this.#now();
    const gained = (Math.max(0, now - this.#at) / 1_000) * this.#budget.perSecond;
    this.#left = Math.min(this.#budget.burst, this.#left + gained);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Nothing is spent: keeping this or making a new one is the same. */
  get isFull(): boolean {
    const gained = (Math.max(0, this.#now() - this.#at) / 1_000) * this.#budget.perSecond;
    return this.#left + gained >= this.#budget.burst;
  }
}

/** One allowance a key. Those that are full again are forgotten. */
export class Allowances {
  readonly #budget: Budget;
  readonly #now: () => number;
  readonly #byKey = new Map<string, Allowance>();

  constructor(budget: Budget, now: () => number) {
    this.#budget = budget;
    this.#now = now;
  }

  take(key: string): boolean {
    for (const [other, allowance] of this.#byKey) {
      if (!allowance.isFull) break;
      this.#byKey.delete(other);
    }
    const allowance = this.#byKey.get(key) ?? new Allowance(this.#budget, this.#now);
    // Last used, last in the map: the full ones gather at its start.
    this.#byKey.delete(key);
    this.#byKey.set(key, allowance);
    return allowance.take();
  }
}
