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
}

/** A rate limit with a budget for each key. */
export interface RateLimiter {
  /** Takes points of a key. Returns false, and takes nothing, when fewer are left. */
  take(key: string, points?: number): boolean;
  /** Returns the milliseconds until `points` of a key are left. 0 when they are. */
  waitMs(key: string, points?: number): number;
}

/**
 * One token bucket for each key, in memory. A bucket that was not used for as long as it takes to refill is full, which
 * equals a new one: it is dropped within twice that time.
 */
export class TokenBuckets implements RateLimiter {
  readonly #budget: Budget;
  readonly #now: () => number;
  readonly #refillMs: number;
  /** The buckets that were used since `#since`. */
  #recent = new Map<string, TokenBucket>();
  /** The buckets that were used in the period before. */
  #former = new Map<string, TokenBucket>();
  #since: number;

  constructor(budget: Budget, now: () => number) {
    this.#budget = budget;
    this.#now = now;
    this.#refillMs = (budget.burst / budget.perSecond) * 1_000;
    this.#since = now();
  }

  take(key: string, points = 1): boolean {
    return this.#of(key).take(points);
  }

  waitMs(key: string, points = 1): number {
    return (this.#recent.get(key) ?? this.#former.get(key))?.waitMs(points) ?? 0;
  }

  /** The number of keys that take memory. One that was used in both periods counts twice. */
  get size(): number {
    return this.#recent.size + this.#former.size;
  }

  #of(key: string): TokenBucket {
    this.#dropFull();
    const recent = this.#recent.get(key);
    if (recent) return recent;
    const bucket = this.#former.get(key) ?? new TokenBucket(this.#budget, this.#now);
    this.#recent.set(key, bucket);
    return bucket;
  }

  #dropFull(): void {
    const passed = this.#now() - this.#since;
    if (passed < this.#refillMs) return;
    this.#former = passed < 2 * this.#refillMs ? this.#recent : new Map();
    this.#recent = new Map();
    this.#since += passed;
  }
}
