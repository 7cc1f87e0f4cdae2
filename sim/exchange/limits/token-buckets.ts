import type { Budget } from '../settings.ts';

/** Counts against a budget: a bucket that holds `burst` and is filled up by `perSecond`. */
export class TokenBucket {
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

  /** Takes so many points; false, and nothing is taken, when fewer are left. */
  take(points = 1): boolean {
    this.#fill();
    if (this.#left < points) return false;
    this.#left -= points;
    return true;
  }

  /** Milliseconds until so many points are left; 0 where they are. */
  waitMs(points = 1): number {
    return (Math.max(0, points - this.#leftAt(this.#now())) / this.#budget.perSecond) * 1_000;
  }

  #fill(): void {
    const now = this.#now();
    this.#left = this.#leftAt(now);
    this.#at = now;
  }

  #leftAt(now: number): number {
    const gained = (Math.max(0, now - this.#at) / 1_000) * this.#budget.perSecond;
    return Math.min(this.#budget.burst, this.#left + gained);
  }

  /** Nothing is spent: keeping this or making a new one is the same. */
  get isFull(): boolean {
    return this.#leftAt(this.#now()) >= this.#budget.burst;
  }
}

/** One bucket a key. Those that are full again are forgotten. */
export class TokenBuckets {
  readonly #budget: Budget;
  readonly #now: () => number;
  readonly #byKey = new Map<string, TokenBucket>();

  constructor(budget: Budget, now: () => number) {
    this.#budget = budget;
    this.#now = now;
  }

  /** Takes so many points of a key; false, and nothing is taken, when fewer are left. */
  take(key: string, points = 1): boolean {
    return this.#of(key).take(points);
  }

  /** Milliseconds until so many points of a key are left; 0 where they are. */
  waitMs(key: string, points = 1): number {
    return this.#byKey.get(key)?.waitMs(points) ?? 0;
  }

  #of(key: string): TokenBucket {
    for (const [other, bucket] of this.#byKey) {
      if (!bucket.isFull) break;
      this.#byKey.delete(other);
    }
    const bucket = this.#byKey.get(key) ?? new TokenBucket(this.#budget, this.#now);
    // Last used, last in the map: the full ones gather at its start.
    this.#byKey.delete(key);
    this.#byKey.set(key, bucket);
    return bucket;
  }
}
