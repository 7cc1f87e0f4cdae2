import type { Clock, Timer } from '../../src/calls/platform/clock.ts';

interface Entry {
  readonly run: () => void;
  isOver: boolean;
  /** It was due, and runs when the device lets it. */
  late?: Timer;
}

/**
 * The clock of one device: the world's, but its timers run only while the device is awake, and in a page that is
 * throttled no more often than that allows. Time itself goes on: what was due meanwhile runs as soon as it may.
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

  /** No timer runs until {@link wake}. */
  sleep(): void {
    this.#isAsleep = true;
  }

  /** Everything that was due runs now; what repeats, once. */
  wake(): void {
    this.#isAsleep = false;
    for (const entry of this.#due) this.#runIn(entry, 0);
    this.#due.clear();
  }

  /** Timers run at whole multiples of this alone, milliseconds, as browsers do with pages nobody looks at; 0: when they are due. */
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
