import type { Letter } from '../../../src/protocol/product/accounts.ts';

/** Carries codes and news to phones and e-mails. */
export interface Courier {
  /** Rejects where it cannot be delivered. */
  deliver(letter: Letter): void | Promise<void>;
}
