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

/** The buckets that each use looks at. More than one, so that the search gains on new keys. */
const LOOKS = 2;

/**
 * One token bucket for each key, in memory. Each use looks at a few buckets in turn, and drops the full ones. So a full
 * bucket is dropped within as many uses as there are buckets.
 */
export class TokenBuckets implements RateLimiter {
  readonly #budget: Budget;
  readonly #now: () => number;
  readonly #byKey = new Map<string, TokenBucket>();
  /** The place of the search. */
  #search = this.#byKey.entries();

  constructor(budget: Budget, now: () => number) {
    this.#budget = budget;
    this.#now = now;
  }

  take(key: string, points = 1): boolean {
    this.#dropFull();
    const known = this.#byKey.get(key);
    if (known) return known.take(points);
    const bucket = new TokenBucket(this.#budget, this.#now);
    this.#byKey.set(key, bucket);
    return bucket.take(points);
  }

  waitMs(key: string, points = 1): number {
    return this.#byKey.get(key)?.waitMs(points) ?? 0;
  }

  /** The number of keys that take memory. */
  get size(): number {
    return this.#byKey.size;
  }

  #dropFull(): void {
    for (let look = 0; look < LOOKS; look += 1) {
      const { done, value } = this.#search.next();
      if (done) this.#search = this.#byKey.entries();
      else if (value[1].isFull) this.#byKey.delete(value[0]);
    }
  }
}
