import type { Clock, TimerHandle } from '../../exchange/ports.ts';
import type { VirtualClock } from '../../virtual/clock.ts';

/**
 * The clock of the exchange: the world's, until a fault sets it or stalls the event loop. Setting it affects no
 * timer.
 */
export class ExchangeClock implements Clock {
  readonly #world: VirtualClock;
  /** Timers that came due during a stall, in order. */
  readonly #late = new Map<TimerHandle, () => void>();
  #skewMs = 0;
  #isStalled = false;

  constructor(world: VirtualClock) {
    this.#world = world;
  }

  now(): number {
    return this.#world.now() + this.#skewMs;
  }

  monotonic(): number {
    return this.#world.now();
  }

  /** Sets the clock forward. Milliseconds. */
  skew(ms: number): void {
    this.#skewMs += ms;
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

  setTimeout(run: () => void, ms: number): TimerHandle {
    const timer = this.#world.setTimeout(() => {
      if (this.#isStalled) this.#late.set(handle, run);
      else run();
    }, ms);
    const handle = {
      cancel: () => {
        this.#late.delete(handle);
        timer.cancel();
      },
    };
    return handle;
  }

  clearTimeout(timer: TimerHandle): void {
    timer.cancel();
  }
}

/** The clock of one process of the exchange: its timers end with the process. */
export class ProcessClock implements Clock {
  readonly #clock: ExchangeClock;
  readonly #timers = new Set<TimerHandle>();
  #hasEnded = false;

  constructor(clock: ExchangeClock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  setTimeout(run: () => void, ms: number): TimerHandle {
    if (this.#hasEnded) return { cancel: () => undefined };
    const timer = this.#clock.setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(timer: TimerHandle): void {
    this.#timers.delete(timer);
    timer.cancel();
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
}
