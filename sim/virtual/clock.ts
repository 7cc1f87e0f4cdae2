import type { Clock, Timer } from '../../src/common/clock.ts';

interface Entry {
  readonly at: number;
  /** Orders timers that are due at the same instant: they fire in the order in which they were started (D01). */
  readonly seq: number;
  readonly run: () => void;
}

/** A timer that has not fired, for checks that no timer is left over. */
export interface PendingTimer {
  /** Milliseconds from now. */
  readonly dueIn: number;
}

/** More timers at one instant than a correct world starts: a timer restarts itself without time passing. */
const STORM = 100_000;

/** Resolves when every promise chain has run as far as it can without time passing. */
const drain = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * A clock whose time moves only on request. One queue, ordered by time and then by start, holds every timer of the
 * world: those of the library, the exchange, the network and the media. So one seed gives one order of events. The
 * library and the exchange use it. `now()` equals the wall time until {@link skewWall} moves the device's clock.
 */
export class VirtualClock implements Clock {
  /** Latest first: the next timer is at the end, where removing it is cheap. */
  readonly #queue: Entry[] = [];
  #now: number;
  #skew = 0;
  #seq = 0;

  /** @param start - the wall time at which the world begins, milliseconds since the epoch. */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  wallTime(): number {
    return this.#now + this.#skew;
  }

  /** Sets the device's wall clock forward by `ms` milliseconds. Timers are not affected. */
  skewWall(ms: number): void {
    this.#skew += ms;
  }

  after(ms: number, run: () => void): Timer {
    const entry = this.#start(ms, run);
    return { cancel: () => this.#remove(entry) };
  }

  every(ms: number, run: () => void): Timer {
    // Each tick keeps the order that its timer got when it was started (D01).
    const tick = () => {
      entry = this.#start(Math.max(1, ms), tick, entry.seq);
      run();
    };
    let entry = this.#start(Math.max(1, ms), tick);
    return { cancel: () => this.#remove(entry) };
  }

  /** The timers that have not fired, in the order in which they are due. */
  get pending(): readonly PendingTimer[] {
    return this.#queue.map(({ at }) => ({ dueIn: at - this.#now })).reverse();
  }

  /** Runs promises until nothing more happens at this instant, including timers that are due now. */
  async settle(): Promise<void> {
    await this.advance(0);
  }

  /**
   * Moves time forward by `ms` milliseconds, one timer at a time, and runs promises after each. Rejects with the
   * error of a timer; time then stops at that timer.
   */
  async advance(ms: number): Promise<void> {
    await this.advanceUntil(ms, () => false);
  }

  /**
   * Works as {@link advance}, but stops as soon as `reached` returns true, which is checked after each timer. Returns
   * whether it did.
   */
  async advanceUntil(ms: number, reached: () => boolean): Promise<boolean> {
    const end = this.#now + ms;
    await drain();
    if (reached()) return true;
    let firedNow = 0;
    for (let next = this.#queue.at(-1); next !== undefined && next.at <= end; next = this.#queue.at(-1)) {
      this.#queue.pop();
      firedNow = next.at === this.#now ? firedNow + 1 : 0;
      if (firedNow > STORM) throw new Error(`${STORM} timers fired and no time passed`);
      this.#now = next.at;
      next.run();
      await drain();
      if (reached()) return true;
    }
    this.#now = end;
    return reached();
  }

  #start(ms: number, run: () => void, place?: number): Entry {
    // As with setTimeout, a negative or invalid delay means now.
    const at = this.#now + (ms > 0 ? ms : 0);
    const entry = { at, seq: place ?? this.#seq, run };
    if (place === undefined) this.#seq += 1;
    this.#queue.splice(this.#placeOf(entry), 0, entry);
    return entry;
  }

  #remove(entry: Entry): void {
    const place = this.#placeOf(entry);
    if (this.#queue[place] === entry) this.#queue.splice(place, 1);
  }

  /** Returns the index at which the entry is, or belongs. */
  #placeOf({ at, seq }: Entry): number {
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#queue[middle];
      const isLater = other !== undefined && (other.at > at || (other.at === at && other.seq > seq));
      if (isLater) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
