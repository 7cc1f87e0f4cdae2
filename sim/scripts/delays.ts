import type { Clock, TimerHandle } from '../exchange/ports.ts';

/** A set of delayed actions, which can be canceled together. */
export class Delays {
  readonly #clock: Clock;
  readonly #pending = new Set<TimerHandle>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(ms: number, act: () => void): void {
    const timer = this.#clock.setTimeout(() => {
      this.#pending.delete(timer);
      act();
    }, ms);
    this.#pending.add(timer);
  }

  close(): void {
    for (const timer of this.#pending) this.#clock.clearTimeout(timer);
    this.#pending.clear();
  }
}
