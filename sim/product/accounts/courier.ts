import type { Letter } from '../../../src/protocol/product/accounts.ts';

/** A sender of codes and security notices to phones and e-mails. */
export interface Courier {
  /** Delivers a letter. Rejects when it cannot be delivered. */
  deliver(letter: Letter): void | Promise<void>;
}

/** The number of letters that are kept. The oldest are deleted first. */
const KEPT = 100;

/** The courier of the demo world. It sends nothing, and every client may read its letters. */
export class DemoInbox implements Courier {
  #letters: readonly Letter[] = [];

  deliver(letter: Letter): void {
    this.#letters = [letter, ...this.#letters].slice(0, KEPT);
  }

  /** Returns the letters to one address, or all, the newest first. */
  letters(to?: string): readonly Letter[] {
    return to === undefined ? this.#letters : this.#letters.filter((letter) => letter.to === to);
  }
}
