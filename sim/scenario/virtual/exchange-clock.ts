import type { Clock, TimerHandle } from '../../exchange/ports.ts';
import type { VirtualClock } from '../../virtual/clock.ts';

/** The clock of the exchange: the world's, until somebody sets it. Timers do not care. */
export class ExchangeClock implements Clock {
  readonly #world: VirtualClock;
  #skewMs = 0;

  constructor(world: VirtualClock) {
    this.#world = world;
  }

  now(): number {
    return this.#world.now() + this.#skewMs;
  }

  monotonic(): number {
    return this.#world.now();
  }

  /** Sets it forward, milliseconds. */
  skew(ms: number): void {
    this.#skewMs += ms;
  }

  setTimeout(run: () => void, ms: number): TimerHandle {
    return this.#world.setTimeout(run, ms);
  }

  clearTimeout(timer: TimerHandle): void {
    timer.cancel();
  }
}

/** The clock of one process of the exchange: its timers end with it. */
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

  /** The process is gone. */
  end(): void {
    this.#hasEnded = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }
}
