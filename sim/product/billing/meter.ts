import { CALL_RULES } from '../rules.ts';

/**
 * The state of a meter: billed time up to `since`, and when the call was put on hold. Milliseconds, see {@link Meter}.
 */
export interface MeterState {
  readonly before: number;
  readonly since: number;
  readonly heldAt: number | null;
}

/**
 * The billed time of a call. It runs from the start of media, and stops while the call has been on hold for longer than
 * a hold is billed. Every time is in milliseconds since the start of media, by a monotonic clock.
 */
export class Meter {
  /** Billed time up to the last start or stop. */
  #before: number;
  /** When it last started. */
  #since: number;
  /** When the call was put on hold. Null when it is not on hold. */
  #heldAt: number | null;

  constructor({ before, since, heldAt }: MeterState = { before: 0, since: 0, heldAt: null }) {
    this.#before = before;
    this.#since = since;
    this.#heldAt = heldAt;
  }

  /** The state from which another meter can go on. */
  get state(): MeterState {
    return { before: this.#before, since: this.#since, heldAt: this.#heldAt };
  }

  hold(at: number): void {
    this.#heldAt ??= at;
  }

  resume(at: number): void {
    const stoppedAt = this.#stopsAt();
    this.#heldAt = null;
    if (stoppedAt === null || at <= stoppedAt) return;
    this.#before += stoppedAt - this.#since;
    this.#since = at;
  }

  /** Returns the billed time at a moment that is not before the last start or stop. */
  billed(at: number): number {
    const stopsAt = this.#stopsAt();
    return this.#before + (stopsAt === null ? at : Math.min(at, stopsAt)) - this.#since;
  }

  /** Subtracts time from the billed time. Milliseconds. */
  waive(ms: number): void {
    this.#before -= ms;
  }

  /** Returns when the billed time will reach a value. Null while the meter is stopped below it. */
  reaches(billed: number): number | null {
    const at = this.#since + billed - this.#before;
    const stopsAt = this.#stopsAt();
    return stopsAt !== null && at >= stopsAt ? null : at;
  }

  #stopsAt(): number | null {
    return this.#heldAt === null ? null : this.#heldAt + CALL_RULES.holdMs;
  }
}

/** Returns the billed time at which a charged minute begins, from minute 1. */
export const minuteBegins = (minute: number): number => CALL_RULES.freeMs + (minute - 1) * CALL_RULES.minuteMs;
