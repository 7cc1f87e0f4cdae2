/** What users will do with calls that ring later: each answer is for one call. */
import type { Clock } from '../../../src/common/clock.ts';

/** How a user answers a call. */
export interface CallAnswer {
  readonly how: 'accept' | 'decline';
  /** How long the call rings first. Milliseconds. */
  readonly afterMs: number;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A call that rang at a device. */
export interface RungCall {
  readonly id: string;
  /** Whether it still rings. */
  readonly rings: boolean;
}

/** An answer that is not due yet. */
interface Pending {
  readonly device: string;
  readonly call: RungCall;
}

export class StandingAnswers {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #perform: (device: string, call: RungCall, answer: CallAnswer) => void;
  /** The answers for the next calls, by device. */
  readonly #next = new Map<string, CallAnswer[]>();
  /** The last call that rang, by device. */
  readonly #rung = new Map<string, RungCall>();
  readonly #pending = new Set<Pending>();

  /** @param perform - gives the answer to the call, which still rings. */
  constructor(clock: Pick<Clock, 'after'>, perform: (device: string, call: RungCall, answer: CallAnswer) => void) {
    this.#clock = clock;
    this.#perform = perform;
  }

  /** Returns whether the device will answer a call that rings, now or later. */
  has(device: string): boolean {
    return (
      [...this.#pending].some((one) => one.device === device && one.call.rings) ||
      (this.#next.get(device)?.length ?? 0) > 0
    );
  }

  /** Adds an answer for the call that rings, if it has none, or for a later one. */
  add(device: string, answer: CallAnswer): void {
    const call = this.#rung.get(device);
    if (call?.rings && ![...this.#pending].some((one) => one.call === call)) this.#wait(device, call, answer);
    else this.#next.set(device, [...(this.#next.get(device) ?? []), answer]);
  }

  /** Gives the next answer of the device to a call that begins to ring there. */
  rang(device: string, call: RungCall): void {
    this.#rung.set(device, call);
    const answer = this.#next.get(device)?.shift();
    if (answer) this.#wait(device, call, answer);
  }

  #wait(device: string, call: RungCall, answer: CallAnswer): void {
    const pending = { device, call };
    this.#pending.add(pending);
    this.#clock.after(answer.afterMs, () => {
      this.#pending.delete(pending);
      // A call that has ended takes its answer with it: a later call needs another one.
      if (call.rings) this.#perform(device, call, answer);
    });
  }
}
