import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Costs an attacker about 32 MiB and tens of milliseconds a guess. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const BYTES = 32;

/** A password as it is kept: `scrypt$salt$hash`, both in base64url (RFC 7914). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
}

/** Whether it is the password of which this is kept. Takes its time where nothing is kept, so that nobody learns that from it. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const [, salt = '', hash = ''] = (kept ?? '').split('$');
  const derived = await derive(password, Buffer.from(salt, 'base64url'));
  const expected = Buffer.from(hash, 'base64url');
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // One password may be written in several sequences of code points.
    scrypt(password.normalize('NFKC'), salt, BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
