import { createHash } from 'node:crypto';
import { COMMON_PASSWORD_HASHES } from './common-password-hashes.ts';
import { passwordFault } from '../../../src/protocol/product/password-rules.ts';
import { Refusal } from '../refusal.ts';

/** The stored bytes of each hash. Of a million other passwords, about one collides with a common one. */
const HASH_BYTES = 4;

/** Returns the stored hash of a password, which is the same for all its Unicode forms. */
export const commonHashOf = (password: string): number =>
  createHash('sha256').update(password.normalize('NFKC').toLowerCase()).digest().readUIntBE(0, HASH_BYTES);

const bytes = Buffer.from(COMMON_PASSWORD_HASHES, 'base64');
const hashes = new Set(
  Array.from({ length: bytes.length / HASH_BYTES }, (_, at) => bytes.readUIntBE(at * HASH_BYTES, HASH_BYTES)),
);

/** Returns whether a password is one of the 5 000 most common ones of eight characters or more (ASVS 5.0, 6.2.4). */
export const isCommonPassword = (password: string): boolean => hashes.has(commonHashOf(password));

/**
 * Refuses a password that breaks the rules of the app, or that is in the server's list of common passwords.
 *
 * @param own - data of the user that others know: nickname, e-mail, phone.
 * @throws Refusal `weak_password`.
 */
export function refuseWeak(password: string, own: readonly string[]): void {
  const fault = passwordFault(password, own) ?? (isCommonPassword(password) ? 'common' : null);
  if (fault !== null) throw new Refusal('weak_password', `The password is too ${fault}.`, { field: 'password' });
}
