/**
 * Lets each signal of a call through once and in order. Signals carry their place in the leg's sequence, from 1; 0 marks
 * one that is not counted. What is missing is fetched; what cannot be had is skipped.
 */
export class SequenceGate<Signal extends { readonly sequence_number: number }> {
  readonly #apply: (signal: Signal) => void;
  readonly #fetch: () => Promise<unknown>;
  readonly #waiting = new Map<number, Signal>();
  #last: number;
  #isFilling = false;

  /** `fetch` hands {@link receive} what was missed; it settles when all there is has been handed over. */
  constructor(apply: (signal: Signal) => void, fetch: () => Promise<unknown>, last = 0) {
    this.#apply = apply;
    this.#fetch = fetch;
    this.#last = last;
  }

  /** The number of the last signal applied. */
  get last(): number {
    return this.#last;
  }

  receive(signal: Signal): void {
    const number = signal.sequence_number;
    if (number === 0) return this.#apply(signal);
    if (number <= this.#last) return;
    this.#waiting.set(number, signal);
    this.#release();
    if (this.#waiting.size > 0) void this.#fill();
  }

  /** A gap is given up only by a fetch that began when it was there: the answer to an earlier one knows nothing of it. */
  async #fill(): Promise<void> {
    if (this.#isFilling) return;
    this.#isFilling = true;
    while (this.#waiting.size > 0) {
      const before = this.#last;
      await this.#fetch();
      if (this.#last === before) this.#skip();
    }
    this.#isFilling = false;
  }

  #skip(): void {
    this.#last = Math.min(...this.#waiting.keys()) - 1;
    this.#release();
  }

  #release(): void {
    for (let next = this.#waiting.get(this.#last + 1); next; next = this.#waiting.get(this.#last + 1)) {
      this.#last += 1;
      this.#waiting.delete(this.#last);
      this.#apply(next);
    }
  }
}
