/** What users will do with calls that ring later: each answer is for one call. */
import type { Clock } from '../../../src/common/clock.ts';

/** How a user answers a call. */
export interface CallAnswer {
  readonly how: 'accept' | 'decline';
  /** How long the call rings first. Milliseconds. */
  readonly afterMs: number;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export class StandingAnswers {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #perform: (device: string, answer: CallAnswer) => void;
  /** The answers for the next calls, by device. */
  readonly #next = new Map<string, CallAnswer[]>();
  /** The devices whose ringing call has an answer that is not due yet. */
  readonly #pending = new Set<string>();

  /** @param perform - gives the answer to the call that rings at the device. */
  constructor(clock: Pick<Clock, 'after'>, perform: (device: string, answer: CallAnswer) => void) {
    this.#clock = clock;
    this.#perform = perform;
  }

  /** Returns whether the device will answer a call that rings, now or later. */
  has(device: string): boolean {
    return this.#pending.has(device) || (this.#next.get(device)?.length ?? 0) > 0;
  }

  /** Adds an answer for the call that rings, if it has none, or for a later one. */
  add(device: string, answer: CallAnswer, isRinging: boolean): void {
    if (isRinging && !this.#pending.has(device)) this.#wait(device, answer);
    else this.#next.set(device, [...(this.#next.get(device) ?? []), answer]);
  }

  /** A call rings at the device. */
  rang(device: string): void {
    const answer = this.#next.get(device)?.shift();
    if (answer) this.#wait(device, answer);
  }

  #wait(device: string, answer: CallAnswer): void {
    this.#pending.add(device);
    this.#clock.after(answer.afterMs, () => {
      this.#pending.delete(device);
      this.#perform(device, answer);
    });
  }
}
