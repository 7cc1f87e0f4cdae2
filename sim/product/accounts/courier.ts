import type { Letter } from '../../../src/protocol/product/accounts.ts';

/** A sender of codes and security notices to phones and e-mails. */
export interface Courier {
  /** Delivers a letter. Rejects when it cannot be delivered. */
  deliver(letter: Letter): void | Promise<void>;
}
