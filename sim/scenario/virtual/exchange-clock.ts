import type { Clock, Timer } from '../../../src/common/clock.ts';

/**
 * The clock of the exchange: the world's, until a fault sets it or stalls the event loop. Setting it affects no
 * timer.
 */
export class ExchangeClock implements Clock {
  readonly #world: Clock;
  /** Timers that came due during a stall, in order. */
  readonly #late = new Map<Timer, () => void>();
  readonly #startMs: number;
  #skewMs = 0;
  /** How much the wall clock gains in a millisecond, and since when. */
  #drift = { rate: 0, since: 0 };
  #isStalled = false;

  /**
   * @param startMs - what the monotonic clock shows more than that of the world. Monotonic clocks of two machines have
   *   nothing to do with each other. Default: nothing.
   */
  constructor(world: Clock, startMs = 0) {
    this.#world = world;
    this.#startMs = startMs;
  }

  wallTime(): number {
    return this.#world.now() + this.#skewMs + this.#driftedMs;
  }

  now(): number {
    return this.#world.now() + this.#startMs;
  }

  /** Sets the clock forward. Milliseconds. */
  skew(ms: number): void {
    this.#skewMs += ms;
  }

  /** Lets the wall clock gain this many milliseconds in each second from now on. 0 ends the drift. */
  drift(msPerSecond: number): void {
    this.#skewMs += this.#driftedMs;
    this.#drift = { rate: msPerSecond / 1_000, since: this.#world.now() };
  }

  get #driftedMs(): number {
    const { rate, since } = this.#drift;
    return rate === 0 ? 0 : Math.round(rate * (this.#world.now() - since));
  }

  /** Stalls the event loop: no timer runs until {@link resume}. Time goes on. */
  stall(): void {
    this.#isStalled = true;
  }

  /**
   * Runs the timers that came due during the stall. As in Node, they run before messages that arrived meanwhile are
   * read.
   */
  resume(): void {
    this.#isStalled = false;
    for (const [timer, run] of this.#late) {
      this.#late.delete(timer);
      run();
    }
  }

  after(ms: number, run: () => void): Timer {
    return this.#start(run, (due) => this.#world.after(ms, due));
  }

  every(ms: number, run: () => void): Timer {
    return this.#start(run, (due) => this.#world.every(ms, due));
  }

  #start(run: () => void, start: (due: () => void) => Timer): Timer {
    const timer = start(() => {
      if (this.#isStalled) this.#late.set(handle, run);
      else run();
    });
    const handle = {
      cancel: () => {
        this.#late.delete(handle);
        timer.cancel();
      },
    };
    return handle;
  }
}

/** The clock of one process of the exchange: its timers end with the process. */
export class ProcessClock implements Clock {
  readonly #clock: ExchangeClock;
  readonly #timers = new Set<Timer>();
  #hasEnded = false;

  constructor(clock: ExchangeClock) {
    this.#clock = clock;
  }

  wallTime(): number {
    return this.#clock.wallTime();
  }

  now(): number {
    return this.#clock.now();
  }

  after(ms: number, run: () => void): Timer {
    return this.#start((handle) =>
      this.#clock.after(ms, () => {
        this.#timers.delete(handle);
        run();
      }),
    );
  }

  every(ms: number, run: () => void): Timer {
    return this.#start(() => this.#clock.every(ms, run));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Ends the process: no timer runs any more. */
  end(): void {
    this.#hasEnded = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  #start(start: (handle: Timer) => Timer): Timer {
    if (this.#hasEnded) return { cancel: () => undefined };
    const handle: Timer = {
      cancel: () => {
        this.#timers.delete(handle);
        timer.cancel();
      },
    };
    const timer = start(handle);
    this.#timers.add(handle);
    return handle;
  }
}
