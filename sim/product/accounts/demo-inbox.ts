import type { Letter } from '../../../src/protocol/product/accounts.ts';
import type { Courier } from './courier.ts';

/** Older ones make room. */
const KEPT = 100;

/** The courier of the demo world: nothing leaves the server, and whoever likes may read it. */
export class DemoInbox implements Courier {
  #letters: readonly Letter[] = [];

  deliver(letter: Letter): void {
    this.#letters = [letter, ...this.#letters].slice(0, KEPT);
  }

  /** Newest first; those to one address, or all. */
  letters(to?: string): readonly Letter[] {
    return to === undefined ? this.#letters : this.#letters.filter((letter) => letter.to === to);
  }
}
