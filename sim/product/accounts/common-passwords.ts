import { createHash } from 'node:crypto';
import { COMMON_PASSWORD_HASHES } from './common-password-hashes.ts';

/** The bytes of a hash that are kept: of a million other passwords, one is taken for a common one. */
const HASH_BYTES = 4;

/** What the list has of a password, which may be written in several ways. */
export const commonHashOf = (password: string): number =>
  createHash('sha256').update(password.normalize('NFKC').toLowerCase()).digest().readUIntBE(0, HASH_BYTES);

const bytes = Buffer.from(COMMON_PASSWORD_HASHES, 'base64');
const hashes = new Set(
  Array.from({ length: bytes.length / HASH_BYTES }, (_, at) => bytes.readUIntBE(at * HASH_BYTES, HASH_BYTES)),
);

/** Says whether a password is one of the 5 000 most common ones of eight characters or more (ASVS 5.0, 6.2.4). */
export const isCommonPassword = (password: string): boolean => hashes.has(commonHashOf(password));
