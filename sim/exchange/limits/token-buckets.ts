import type { Budget } from '../settings.ts';
import { InTurn } from './in-turn.ts';

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
 * The time for which a full bucket stays, milliseconds. The commands of a call come sooner. A map that loses and gains a
 * key with each command makes its table again and again. Each former table keeps the next one alive until V8 collects
 * the old generation.
 */
const FULL_FOR_MS = 1_000;
/** More than the error of a sum of times, milliseconds. */
const ROUNDING_MS = 1e-6;

/**
 * One token bucket for each key, in memory: it holds `burst` points and refills by `perSecond`. A bucket is the time at
 * which it is full again, so that a key takes little memory. Each use looks at a few buckets in turn, and drops those
 * that were full for a second. So such a bucket is dropped within as many uses as there are buckets.
 */
export class TokenBuckets implements RateLimiter {
  readonly #now: () => number;
  /** The time that refills a point, milliseconds. */
  readonly #pointMs: number;
  /** The time that refills an empty bucket, milliseconds. */
  readonly #burstMs: number;
  /** When the bucket of each key is full. A key without a bucket has a full one. */
  readonly #fullAt = new Map<string, number>();
  readonly #search = new InTurn(this.#fullAt);

  constructor({ burst, perSecond }: Budget, now: () => number) {
    this.#now = now;
    this.#pointMs = 1_000 / perSecond;
    this.#burstMs = burst * this.#pointMs;
  }

  take(key: string, points = 1): boolean {
    const now = this.#now();
    this.#dropFull(now);
    const fullAt = this.#fullAtOf(key, now) + points * this.#pointMs;
    if (fullAt - now > this.#burstMs + ROUNDING_MS) return false;
    this.#fullAt.set(key, fullAt);
    return true;
  }

  waitMs(key: string, points = 1): number {
    const now = this.#now();
    const wait = this.#fullAtOf(key, now) + points * this.#pointMs - now - this.#burstMs;
    return wait > ROUNDING_MS ? wait : 0;
  }

  /** The number of keys that take memory. */
  get size(): number {
    return this.#fullAt.size;
  }

  /** Returns when the bucket of a key is full, at the earliest now. */
  #fullAtOf(key: string, now: number): number {
    const fullAt = this.#fullAt.get(key) ?? now;
    // The clock went back by more than the bucket needs to fill.
    if (fullAt - now > this.#burstMs + ROUNDING_MS) return now;
    return Math.max(fullAt, now);
  }

  #dropFull(now: number): void {
    for (let look = 0; look < LOOKS; look += 1) {
      const next = this.#search.next();
      if (next && now - next[1] >= FULL_FOR_MS) this.#fullAt.delete(next[0]);
    }
  }
}
