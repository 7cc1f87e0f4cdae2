import * as v from 'valibot';
import { type Letter, letter as letterSchema } from '../../../src/protocol/product/accounts.ts';
import type { SharedState } from '../../cluster/shared-state.ts';

/** A sender of codes and security notices to phones and e-mails. */
export interface Courier {
  /** Delivers a letter. Rejects when it cannot be delivered. */
  deliver(letter: Letter): void | Promise<void>;
}

/** The number of letters that are kept. The oldest are deleted first. */
const KEPT = 100;

/** The courier of the demo world. It sends nothing, and every client may read its letters. */
export interface Mailbox extends Courier {
  /** Returns the letters to one address, or all, the newest first. */
  letters(to?: string): readonly Letter[] | Promise<readonly Letter[]>;
}

/** The letters of the demo world in the memory of one process. */
export class DemoInbox implements Mailbox {
  #letters: readonly Letter[] = [];

  deliver(letter: Letter): void {
    this.#letters = [letter, ...this.#letters].slice(0, KEPT);
  }

  letters(to?: string): readonly Letter[] {
    return to === undefined ? this.#letters : this.#letters.filter((letter) => letter.to === to);
  }
}

/** The time for which letters of a cluster are kept after the newest one. Milliseconds. */
const LETTERS_MS = 24 * 3_600_000;
const LETTERS_KEY = 'product demo letters';

/** The letters of the demo world for the nodes of a cluster. */
export class SharedInbox implements Mailbox {
  readonly #state: Pick<SharedState, 'append' | 'list'>;

  constructor(state: Pick<SharedState, 'append' | 'list'>) {
    this.#state = state;
  }

  async deliver(letter: Letter): Promise<void> {
    await this.#state.append(LETTERS_KEY, [JSON.stringify(letter)], KEPT, LETTERS_MS);
  }

  async letters(to?: string): Promise<readonly Letter[]> {
    const { entries } = await this.#state.list(LETTERS_KEY);
    const all = entries.map((entry) => v.parse(letterSchema, JSON.parse(entry)));
    return all.filter((letter) => to === undefined || letter.to === to).toReversed();
  }
}
