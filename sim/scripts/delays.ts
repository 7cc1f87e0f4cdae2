import type { Clock, Timer } from '../../src/common/clock.ts';
import type { LinkClock } from '../faults/fault-engine.ts';

/** A set of delayed actions, which can be canceled together. It is the clock of the links of a script. */
export class Delays implements LinkClock {
  readonly #clock: Clock;
  readonly #pending = new Set<Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
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
