import { CALL_RULES } from '../rules.ts';

/** Where a meter stands: billed time up to `since`, and when the call was put on hold. Milliseconds. */
export interface MeterState {
  readonly before: number;
  readonly since: number;
  readonly heldAt: number | null;
}

/**
 * The time of a call that is billed: it runs from `connected`, and stands still while the call has been on hold for longer
 * than a hold is billed. All times are milliseconds since the epoch, or a length.
 */
export class Meter {
  /** Billed time up to the last moment it started or stopped. */
  #before = 0;
  /** Since when it has run. */
  #since: number;
  /** When the call was put on hold; null while it is not. */
  #heldAt: number | null = null;

  constructor(connectedAt: number, state?: MeterState) {
    this.#since = state?.since ?? connectedAt;
    this.#before = state?.before ?? 0;
    this.#heldAt = state?.heldAt ?? null;
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
