import type { Contact } from '../../../src/protocol/product/contact.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { GuessGuard, guessOf } from './guess-guard.ts';

/**
 * Checks the code that was sent to a contact for a purpose.
 *
 * @param address - the address of the client.
 * @throws Refusal `locked`, `code_wrong`, `code_expired`, `code_spent`.
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

/** Returns whether a code was refused because it is not the one that was sent. */
export const isWrongCode = (error: unknown): boolean => error instanceof Refusal && error.code === 'code_wrong';
