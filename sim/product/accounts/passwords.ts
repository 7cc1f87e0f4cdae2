import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { WorkQueue } from '../work-queue.ts';

/** The cost of a guess: the parameters of scrypt (RFC 7914). */
export interface PasswordCost {
  /** The base-2 logarithm of N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** The first choice of the OWASP Password Storage Cheat Sheet: 128 MiB and tenths of a second a guess. */
const PASSWORD_COST: PasswordCost = { ln: 17, r: 8, p: 1 };
/** The cost of stored hashes without parameters. */
const UNNAMED_COST: PasswordCost = { ln: 15, r: 8, p: 1 };
/**
 * Uses two of the four threads of libuv, which files, DNS and pictures share. The last in the queue waits for some
 * seconds.
 */
const QUEUE = { atOnce: 2, waiting: 32 };
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const BYTES = 32;

/** The storage and comparison of passwords. */
export interface Passwords {
  /** Hashes a password for storage. @throws Refusal `busy`. */
  hash(password: string): Promise<string>;
  /**
   * Returns whether the password matches the stored hash. Takes as long without a hash, so that the time of the answer
   * reveals nothing.
   *
   * @throws Refusal `busy`.
   */
  matches(password: string, kept: string | null): Promise<boolean>;
  /** Returns whether the hash has another cost than today's, and should be renewed at the next login. */
  isOutdated(kept: string): boolean;
}

/**
 * Creates the storage of passwords as `scrypt$ln=17,r=8,p=1$salt$hash`, the last two in base64url. Older hashes without
 * parameters, `scrypt$salt$hash`, are still compared.
 *
 * @param cost - the cost of each new hash.
 */
export function createPasswords(cost: PasswordCost = PASSWORD_COST, queue = new WorkQueue(QUEUE)): Passwords {
  const derive = (password: string, salt: Buffer, { ln, r, p }: PasswordCost): Promise<Buffer> =>
    queue.run(
      () =>
        new Promise((resolve, reject) => {
          const options = { N: 2 ** ln, r, p, maxmem: MAX_MEMORY_BYTES };
          // One password can have several Unicode forms.
          scrypt(password.normalize('NFKC'), salt, BYTES, options, (error, key) =>
            error ? reject(error) : resolve(key),
          );
        }),
    );
  return {
    async hash(password) {
      const salt = randomBytes(16);
      const hash = await derive(password, salt, cost);
      return `scrypt$${parametersOf(cost)}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
    },
    async matches(password, kept) {
      const read = kept === null ? null : readHash(kept);
      const derived = await derive(password, read?.salt ?? Buffer.alloc(16), read?.cost ?? cost);
      return read !== null && derived.length === read.hash.length && timingSafeEqual(derived, read.hash);
    },
    isOutdated: (kept) => !kept.startsWith(`scrypt$${parametersOf(cost)}$`),
  };
}

const parametersOf = ({ ln, r, p }: PasswordCost): string => `ln=${ln},r=${r},p=${p}`;

const HASH = /^scrypt\$(?:ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$)?([\w-]+)\$([\w-]+)$/;

/** Reads a stored hash. Null for text that is no such hash. No password matches it then. */
function readHash(kept: string): { readonly cost: PasswordCost; readonly salt: Buffer; readonly hash: Buffer } | null {
  const match = HASH.exec(kept);
  if (!match) return null;
  const [, ln, r, p, salt = '', hash = ''] = match;
  return {
    cost: ln === undefined ? UNNAMED_COST : { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}
