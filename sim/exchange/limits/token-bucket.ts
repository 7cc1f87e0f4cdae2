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
