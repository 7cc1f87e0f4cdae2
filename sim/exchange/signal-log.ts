import type { EventFrame } from '../../src/protocol/envelope.ts';

/** The signals of one leg, numbered from 1 without gaps. Of a long call only the newest are kept. */
export class SignalLog {
  readonly #limit: number;
  readonly #frames: EventFrame[] = [];
  #last = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The number of the newest signal, 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** Numbers a signal and keeps it. */
  append(number: (sequence: number) => EventFrame): EventFrame {
    this.#last += 1;
    const frame = number(this.#last);
    this.#frames.push(frame);
    if (this.#frames.length > this.#limit) this.#frames.shift();
    return frame;
  }

  /** Puts back the signals of the exchange before this one; the next is numbered after `last`. */
  restore(frames: readonly EventFrame[], last: number): void {
    this.#frames.splice(0, this.#frames.length, ...frames);
    this.#last = last;
  }

  /** The signals kept, oldest first. */
  get frames(): readonly EventFrame[] {
    return this.#frames;
  }
}
