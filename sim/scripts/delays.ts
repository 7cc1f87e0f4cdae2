import type { Clock, Timer } from '../../src/common/clock.ts';

/** A set of delayed actions, which can be canceled together. */
export class Delays {
  readonly #clock: Clock;
  readonly #pending = new Set<Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(ms: number, act: () => void): void {
    const timer = this.#clock.after(ms, () => {
      this.#pending.delete(timer);
      act();
    });
    this.#pending.add(timer);
  }

  close(): void {
    for (const timer of this.#pending) timer.cancel();
    this.#pending.clear();
  }
}
