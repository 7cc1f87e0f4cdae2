import type { Budget } from '../settings.ts';

/** A token bucket: it holds `burst` points and refills by `perSecond`. */
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

  /** Takes points. Returns false, and takes nothing, when fewer are left. */
  take(points = 1): boolean {
    this.#fill();
    if (this.#left < points) return false;
    this.#left -= points;
    return true;
  }

  /** Returns the milliseconds until `points` are left. 0 when they are. */
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

  /** True when nothing is spent. A full bucket equals a new one. */
  get isFull(): boolean {
    return this.#leftAt(this.#now()) >= this.#budget.burst;
  }
}

/** A rate limit with a budget for each key. */
export interface RateLimiter {
  /** Takes points of a key. Returns false, and takes nothing, when fewer are left. */
  take(key: string, points?: number): boolean;
  /** Returns the milliseconds until `points` of a key are left. 0 when they are. */
  waitMs(key: string, points?: number): number;
}

/** One token bucket for each key, in memory. Full buckets are dropped. */
export class TokenBuckets implements RateLimiter {
  readonly #budget: Budget;
  readonly #now: () => number;
  readonly #byKey = new Map<string, TokenBucket>();

  constructor(budget: Budget, now: () => number) {
    this.#budget = budget;
    this.#now = now;
  }

  take(key: string, points = 1): boolean {
    return this.#of(key).take(points);
  }

  waitMs(key: string, points = 1): number {
    return this.#byKey.get(key)?.waitMs(points) ?? 0;
  }

  #of(key: string): TokenBucket {
    for (const [other, bucket] of this.#byKey) {
      if (!bucket.isFull) break;
      this.#byKey.delete(other);
    }
    const bucket = this.#byKey.get(key) ?? new TokenBucket(this.#budget, this.#now);
    // The last used is last in the map, so the full ones gather at its start.
    this.#byKey.delete(key);
    this.#byKey.set(key, bucket);
    return bucket;
  }
}
