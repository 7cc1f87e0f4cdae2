import type { Clock, Timer } from '../../src/common/clock.ts';

/**
 * Timers by key, at most one for each. None is set after `dispose`, because work that is in progress then may schedule
 * its next step.
 */
export class KeyedTimers {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #timers = new Map<string, Timer>();
  #isDisposed = false;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Runs `run` once after `ms` milliseconds, in place of the earlier timer of the key. */
  set(key: string, ms: number, run: () => void): void {
    this.cancel(key);
    if (this.#isDisposed) return;
    const timer = this.#clock.after(Math.max(0, ms), () => {
      this.#timers.delete(key);
      run();
    });
    this.#timers.set(key, timer);
  }

  cancel(key: string): void {
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }

  /** Cancels all timers. */
  dispose(): void {
    this.#isDisposed = true;
    for (const key of [...this.#timers.keys()]) this.cancel(key);
  }
}
