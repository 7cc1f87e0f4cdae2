/** The most missing messages of one sender that may still arrive late. */
const MISSING = 1_000;

/** How a numbered message compares with those before it. */
export type Arrival = 'next' | 'ahead' | 'late' | 'known';

/** The numbers of the messages that arrived from one sender, which numbers them from 1. */
export class Numbered {
  #last = 0;
  readonly #missing = new Set<number>();

  /** @param last - the number of the last message before the first that counts. */
  constructor(last = 0) {
    this.#last = last;
  }

  /** The largest number so far. */
  get last(): number {
    return this.#last;
  }

  /** Whether a message before `last` has not arrived. */
  get isMissing(): boolean {
    return this.#missing.size > 0;
  }

  /**
   * Records a message. `next` and `ahead` are newer than all before; a message is missing before one that is `ahead`. A
   * `late` one was missing. A `known` one has arrived before.
   */
  arrived(seq: number): Arrival {
    if (seq <= this.#last) return this.#missing.delete(seq) ? 'late' : 'known';
    const isNext = seq === this.#last + 1;
    this.#miss(seq - 1);
    this.#last = seq;
    return isNext ? 'next' : 'ahead';
  }

  /** Records that the sender has sent messages up to this number. */
  sentUpTo(seq: number): void {
    if (seq <= this.#last) return;
    this.#miss(seq);
    this.#last = seq;
  }

  /** Records that missing messages are not needed any more. */
  forgive(): void {
    this.#missing.clear();
  }

  #miss(upTo: number): void {
    for (let one = Math.max(this.#last + 1, upTo - MISSING + 1); one <= upTo; one += 1) this.#missing.add(one);
    for (const oldest of this.#missing) {
      if (this.#missing.size <= MISSING) return;
      this.#missing.delete(oldest);
    }
  }
}
