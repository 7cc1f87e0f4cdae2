import type { Clock } from '../../../src/common/clock.ts';

/** The polling interval for conditions without an event, milliseconds. */
const LOOK_MS = 25;

/** Waits for conditions in real time. Checks them after each event, and at an interval. */
export class Waiting {
  readonly #asking = new Set<() => void>();
  /** The time of the first event since the last check. Undefined without one. */
  #wokenAt: number | undefined;
  readonly #clock: Clock;
  #moment: number;
  #late = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#moment = clock.now();
  }

  /** The time of the event that ended the last wait, on the clock of the wait. */
  get moment(): number {
    return this.#moment;
  }

  /** The maximum lateness of a timer or an event report on this machine so far, milliseconds. */
  get late(): number {
    return this.#late;
  }

  /** Records a lateness of `ms`. */
  wasLate(ms: number): void {
    this.#late = Math.max(this.#late, ms);
  }

  /** Records an event at the time `at`. Its immediate effects are complete when the conditions are checked. */
  wake(at = this.#clock.now()): void {
    if (this.#wokenAt !== undefined) return;
    this.#wokenAt = at;
    setImmediate(() => {
      for (const ask of this.#asking) ask();
      this.#wokenAt = undefined;
    });
  }

  /** Resolves to true when the condition holds, or to false after `ms`. Rejects with the error of the condition. */
  until(condition: () => boolean, ms: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        limit.cancel();
        looking.cancel();
        this.#asking.delete(ask);
        this.#moment = this.#wokenAt ?? this.#clock.now();
        settle();
      };
      const ask = () => {
        try {
          if (condition()) end(() => resolve(true));
        } catch (error) {
          end(() => reject(error));
        }
      };
      const limit = this.#clock.after(ms, () => {
        ask();
        end(() => resolve(false));
      });
      let looked = this.#clock.now();
      const looking = this.#clock.every(LOOK_MS, () => {
        const now = this.#clock.now();
        this.wasLate(now - looked - LOOK_MS);
        looked = now;
        ask();
      });
      this.#asking.add(ask);
      // The effects of the last action come before the first check.
      setImmediate(ask);
    });
  }
}

/** The number of steps between two devices. Each step may be as late as the latest so far. */
const STEPS = 4;
/** A machine with more lateness than this carries no call in real time, milliseconds. */
const MOST_MS = 10_000;
/** The share of the time before the moment, because clocks and timers drift. */
const SHARE = 0.02;

/**
 * Returns the tolerance of a moment on the wall clock, milliseconds.
 *
 * @param slackMs - the tolerance on an idle machine.
 * @param ms - the time before the moment.
 * @param lateMs - the maximum lateness so far.
 */
export const toleranceOf = (slackMs: number, ms: number, lateMs: number): number =>
  slackMs + ms * SHARE + Math.min(MOST_MS, STEPS * lateMs);
