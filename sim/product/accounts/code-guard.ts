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
 * Creates the check of a code, with a limit for wrong guesses. A new code does not reset the limit, since codes change often.
 * Each contact and purpose has its own limit, so that guesses at a password do not block a code.
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
