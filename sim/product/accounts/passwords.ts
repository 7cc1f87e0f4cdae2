import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** What a guess costs: the parameters of scrypt (RFC 7914). */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Costs an attacker about 32 MiB and tens of milliseconds a guess. */
const PASSWORD_COST: PasswordCost = { N: 2 ** 15, r: 8, p: 1 };
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const BYTES = 32;

/** How passwords are kept and compared. */
export interface Passwords {
  /** Makes what is kept of a password. */
  hash(password: string): Promise<string>;
  /** Tells whether it is the password of which this is kept; takes as long where nothing is kept, so that no answer comes sooner. */
  matches(password: string, kept: string | null): Promise<boolean>;
}

/** Makes passwords that are kept as `scrypt$salt$hash`, both in base64url. @param cost - of each hash. */
export function createPasswords(cost: PasswordCost = PASSWORD_COST): Passwords {
  const derive = (password: string, salt: Buffer): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      // One password may be written in several sequences of code points.
      scrypt(password.normalize('NFKC'), salt, BYTES, { ...cost, maxmem: MAX_MEMORY_BYTES }, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  return {
    async hash(password) {
      const salt = randomBytes(16);
      return `scrypt$${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
    },
    async matches(password, kept) {
      const [, salt = '', hash = ''] = (kept ?? '').split('$');
      const derived = await derive(password, Buffer.from(salt, 'base64url'));
      const expected = Buffer.from(hash, 'base64url');
      return derived.length === expected.length && timingSafeEqual(derived, expected);
    },
  };
}
