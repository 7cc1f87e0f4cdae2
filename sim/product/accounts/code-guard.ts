import type { Contact } from '../../../src/protocol/product/contact.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { LoginGuard } from './login-guard.ts';

/** Wrong codes in a row, of two that were sent: a typing error costs nobody their way in. */
const FREE_TRIES = 10;

/** Checks the code that was sent to a contact for this. @throws Refusal locked, code_wrong, code_expired, code_spent. */
export type CheckCode = (contact: Contact, purpose: 'register' | 'login' | 'reset', code: string) => Promise<void>;

/**
 * A code is soon another one: without a lock it could be guessed at for days. Only wrong tries of a code that was sent count, each
 * contact and purpose by itself: whoever guesses at passwords, or where no code was sent, keeps nobody from a new one.
 */
export function createCheckCode({
  codes,
  database,
  clock,
}: Pick<ProductParts, 'codes' | 'database' | 'clock'>): CheckCode {
  const guard = new LoginGuard(database, clock, FREE_TRIES);
  return async (contact, purpose, code) => {
    const name = `codes for ${purpose} to ${contact.value}`;
    await guard.refuseLocked(name);
    try {
      await codes.check(contact, purpose, code);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'code_wrong') await guard.tried(name);
      throw error;
    }
    await guard.passed(name);
  };
}
