import type { Contact } from '../../../src/protocol/product/contact.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { GuessGuard, guessOf } from './guess-guard.ts';

/**
 * Checks the code that was sent to a contact for this.
 *
 * @param address - the client's.
 * @throws Refusal locked, code_wrong, code_expired, code_spent.
 */
export type CheckCode = (
  contact: Contact,
  purpose: 'register' | 'login' | 'reset',
  code: string,
  address: string,
) => Promise<void>;

/**
 * A code is soon another one: without a bound it could be guessed at for days. Only wrong tries of a code that was sent count, each
 * contact and purpose by itself, so that guesses at passwords keep no user from a code.
 */
export function createCheckCode({ codes, rateLimits }: Pick<ProductParts, 'codes' | 'rateLimits'>): CheckCode {
  const guard = new GuessGuard(rateLimits, 'codeGuess');
  return (contact, purpose, code, address) =>
    guard.count(
      guessOf(`${purpose} ${contact.value}`, address),
      () => codes.check(contact, purpose, code, address),
      isWrongCode,
    );
}

/** Whether a code was refused since it is another one. */
export const isWrongCode = (error: unknown): boolean => error instanceof Refusal && error.code === 'code_wrong';
