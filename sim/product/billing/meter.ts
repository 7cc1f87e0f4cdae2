import { CALL_RULES } from '../rules.ts';

/** Where a meter stands: billed time up to `since`, and when the call was put on hold. Milliseconds, see {@link Meter}. */
export interface MeterState {
  readonly before: number;
  readonly since: number;
  readonly heldAt: number | null;
}

/**
 * The time of a call that is billed: it runs from the moment media began, and stands still while the call has been on hold
 * for longer than a hold is billed. Every time is a number of milliseconds since that moment, by a monotonic clock.
 */
export class Meter {
  /** Billed time up to the last moment it started or stopped. */
  #before: number;
  /** Since when it has run. */
  #since: number;
  /** When the call was put on hold; null while it is not. */
  #heldAt: number | null;

  constructor({ before, since, heldAt }: MeterState = { before: 0, since: 0, heldAt: null }) {
    this.#before = before;
    this.#since = since;
    this.#heldAt = heldAt;
  }

  /** What a meter that goes on from here must know. */
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

  /** Returns how much is billed at a moment that is not before the last start or stop. */
  billed(at: number): number {
    const stopsAt = this.#stopsAt();
    return this.#before + (stopsAt === null ? at : Math.min(at, stopsAt)) - this.#since;
  }

  /** Takes so much off what is billed. */
  waive(ms: number): void {
    this.#before -= ms;
  }

  /** When so much will have been billed; null where it never will be, as things are. */
  reaches(billed: number): number | null {
    const at = this.#since + billed - this.#before;
    const stopsAt = this.#stopsAt();
    return stopsAt !== null && at >= stopsAt ? null : at;
  }

  #stopsAt(): number | null {
    return this.#heldAt === null ? null : this.#heldAt + CALL_RULES.holdMs;
  }
}

/** The billed time at which a minute begins that is charged, from minute 1. */
export const minuteBegins = (minute: number): number => CALL_RULES.freeMs + (minute - 1) * CALL_RULES.minuteMs;
