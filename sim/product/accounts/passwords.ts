import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { WorkQueue } from '../work-queue.ts';

/** What a guess costs: the parameters of scrypt (RFC 7914), N as its logarithm. */
export interface PasswordCost {
  /** N is 2 to the power of this. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** The first choice of the OWASP Password Storage Cheat Sheet: 128 MiB and tenths of a second a guess. */
const PASSWORD_COST: PasswordCost = { ln: 17, r: 8, p: 1 };
/** The cost of hashes that name none. */
const UNNAMED_COST: PasswordCost = { ln: 15, r: 8, p: 1 };
/** Two of the four threads that files, names and pictures are read by; the last that waits has its turn in some seconds. */
const QUEUE = { atOnce: 2, waiting: 32 };
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const BYTES = 32;

/** How passwords are kept and compared. */
export interface Passwords {
  /** Makes what is kept of a password. @throws Refusal busy. */
  hash(password: string): Promise<string>;
  /**
   * Says whether it is the password of which this is kept. Takes as long where nothing is kept, so that no answer comes sooner.
   *
   * @throws Refusal busy.
   */
  matches(password: string, kept: string | null): Promise<boolean>;
  /** Whether this was made at another cost than that of today, and should be made anew once the password is known. */
  isOutdated(kept: string): boolean;
}

/**
 * Makes passwords that are kept as `scrypt$ln=17,r=8,p=1$salt$hash`, the last two in base64url. Those that were kept without their
 * parameters, as `scrypt$salt$hash`, are still compared.
 *
 * @param cost - of each new hash.
 */
export function createPasswords(cost: PasswordCost = PASSWORD_COST, queue = new WorkQueue(QUEUE)): Passwords {
  const derive = (password: string, salt: Buffer, { ln, r, p }: PasswordCost): Promise<Buffer> =>
    queue.run(
      () =>
        new Promise((resolve, reject) => {
          const options = { N: 2 ** ln, r, p, maxmem: MAX_MEMORY_BYTES };
          // One password may be written in several sequences of code points.
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

/** Reads what is kept. Null: it is no such hash, and no password matches it. */
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
