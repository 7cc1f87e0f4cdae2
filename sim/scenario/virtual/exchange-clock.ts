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
