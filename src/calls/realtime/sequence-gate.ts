/**
 * Passes each signal of a call once and in order. Signals carry their number in the leg's sequence, from 1. 0 marks a
 * signal that is not counted. Missing signals are fetched, and skipped when they cannot be fetched.
 */
export class SequenceGate<Signal extends { readonly sequence_number: number }> {
  readonly #apply: (signal: Signal) => void;
  readonly #fetch: () => Promise<unknown>;
  readonly #waiting = new Map<number, Signal>();
  #last: number;
  #isFilling = false;

  /** @param fetch - passes missed signals to {@link receive}. It settles when all available ones were passed. */
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

  /**
   * Fills a gap. A gap is skipped only after a fetch that began when the gap was there: an earlier answer does not
   * cover it.
   */
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
