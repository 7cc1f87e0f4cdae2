import type { Clock, Timer } from '../../src/common/clock.ts';

interface Entry {
  readonly run: () => void;
  isOver: boolean;
  /** The timer was due while the device could not run it. */
  late?: Timer;
}

/**
 * The clock of one device. It shows the time of the world, but timers run only while the device is awake. In a
 * throttled page they run no more often than the throttle allows. Timers that come due meanwhile run as soon as
 * possible.
 */
export class DeviceClock implements Clock {
  readonly #world: Clock;
  readonly #due = new Set<Entry>();
  #isAsleep = false;
  #throttleMs = 0;

  constructor(world: Clock) {
    this.#world = world;
  }

  now(): number {
    return this.#world.now();
  }

  wallTime(): number {
    return this.#world.wallTime();
  }

  after(ms: number, run: () => void): Timer {
    return this.#start({ run, isOver: false }, (due) => this.#world.after(ms, due));
  }

  every(ms: number, run: () => void): Timer {
    return this.#start({ run, isOver: false }, (due) => this.#world.every(ms, due));
  }

  /** Stops all timers until {@link wake}. */
  sleep(): void {
    this.#isAsleep = true;
  }

  /** Runs every timer that came due. A repeating timer runs once. */
  wake(): void {
    this.#isAsleep = false;
    for (const entry of this.#due) this.#runIn(entry, 0);
    this.#due.clear();
  }

  /**
   * Runs timers only at whole multiples of this interval, as browsers do with hidden pages. Milliseconds. 0: at the
   * time they are due.
   */
  throttle(ms: number): void {
    this.#throttleMs = ms;
  }

  #start(entry: Entry, start: (due: () => void) => Timer): Timer {
    const timer = start(() => this.#isDue(entry));
    return {
      cancel: () => {
        entry.isOver = true;
        timer.cancel();
        entry.late?.cancel();
        this.#due.delete(entry);
      },
    };
  }

  #isDue(entry: Entry): void {
    const early = this.#throttleMs === 0 ? 0 : this.now() % this.#throttleMs;
    if (this.#isAsleep) this.#due.add(entry);
    else if (early > 0) this.#runIn(entry, this.#throttleMs - early);
    else {
      entry.late?.cancel();
      entry.run();
    }
  }

  #runIn(entry: Entry, ms: number): void {
    entry.late?.cancel();
    entry.late = this.#world.after(ms, () => {
      if (this.#isAsleep) this.#due.add(entry);
      else if (!entry.isOver) entry.run();
    });
  }
}
