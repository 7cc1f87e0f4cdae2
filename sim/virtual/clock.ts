import type { Clock, Timer } from '../../src/calls/platform/clock.ts';

interface Entry {
  readonly at: number;
  /** Tells timers of one instant apart: they fire in the order they were started (D01). */
  readonly seq: number;
  readonly run: () => void;
}

/** A timer that has not fired, for checks that nothing is left over. */
export interface PendingTimer {
  /** Milliseconds from now. */
  readonly dueIn: number;
}

/** More timers at one instant than any honest world starts: something starts itself again without time passing. */
const STORM = 100_000;

/** Everything a promise chain can do without time passing is done when this resolves. */
const drain = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Time that moves only when told to. One queue, ordered by time and then by start, holds every timer of the world:
 * those of the library, of the exchange, of the network and of the media; so one seed gives one order of events.
 *
 * It serves the library's clock and, by setTimeout and clearTimeout, the exchange's. `now()` is the same number as the
 * wall time until {@link skewWall} moves the host's clock.
 */
export class VirtualClock implements Clock {
  /** Latest first: what is due next is at the end, where taking it is cheap. */
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

  /** For the exchange: the clock that no user sets. */
  monotonic(): number {
    return this.#now;
  }

  wallTime(): number {
    return this.#now + this.#skew;
  }

  /** Somebody sets the host's clock: the wall time jumps by `ms`, timers do not care. */
  skewWall(ms: number): void {
    this.#skew += ms;
  }

  after(ms: number, run: () => void): Timer {
    const entry = this.#start(ms, run);
    return { cancel: () => this.#remove(entry) };
  }

  every(ms: number, run: () => void): Timer {
    // Each tick keeps the place its timer got when it was started (D01).
    const tick = () => {
      entry = this.#start(Math.max(1, ms), tick, entry.seq);
      run();
    };
    let entry = this.#start(Math.max(1, ms), tick);
    return { cancel: () => this.#remove(entry) };
  }

  setTimeout(run: () => void, ms: number): Timer {
    return this.after(ms, run);
  }

  clearTimeout(timer: Timer | undefined): void {
    timer?.cancel();
  }

  /** The timers that have not fired, the next first. */
  get pending(): readonly PendingTimer[] {
    return this.#queue.map(({ at }) => ({ dueIn: at - this.#now })).reverse();
  }

  /** Lets promises run until nothing more happens at this instant, timers due now included. */
  async settle(): Promise<void> {
    await this.advance(0);
  }

  /**
   * Moves time on by `ms`, one timer at a time, and lets promises run after each. Rejects with what a timer threw; time
   * then stands where that was.
   */
  async advance(ms: number): Promise<void> {
    await this.advanceUntil(ms, () => false);
  }

  /** As {@link advance}, but stops as soon as `reached` says so, asked after each timer. Returns whether it did. */
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
    // As setTimeout does: no time, and what is no number, is now.
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

  /** Where the entry is, or belongs. */
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
