import type { Clock } from '../../../src/common/clock.ts';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Transaction } from 'kysely';
import * as v from 'valibot';
import { letterAbout, type CodeSent, type Letter, type OwnerChange } from '../../../src/protocol/product/accounts.ts';
import type { Contact } from '../../../src/protocol/product/contact.ts';
import { SHARED_BUDGETS } from '../../budgets/product-budgets.ts';
import { limitsBy, type NamedLimit, type RateLimits } from '../../budgets/rate-limits.ts';
import type { Log } from '../../exchange/logging/log.ts';
import type { Ids } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { refuseTooManyOf, Refusal } from '../refusal.ts';
import type { Courier } from './courier.ts';
import type { NoticeKind } from './security-notices.ts';

const LIFE_MS = 10 * 60_000;
/** After a right code, the user has this long to complete the form. Milliseconds. */
const SHOWN_LIFE_MS = 30 * 60_000;
const RESEND_MS = 60_000;
/** The longest time that a code is stored after it was sent. Milliseconds. */
const LONGEST_LIFE_MS = LIFE_MS + SHOWN_LIFE_MS;
/** Wrong tries of one code by all addresses together. One address has fewer. */
const TRIES = 15;
const KINDS = 1_000_000;

/** Purposes of a user who is signed in. Only that user can use the code. */
type Own = 'contact' | 'confirm' | `owner_${OwnerChange}`;
/** The purpose of a code: `register`, or with the user id, `contact:u123`. */
export type Purpose = Exclude<Letter['about'], NoticeKind | Own | 'account_exists'> | `${Own}:${string}`;

interface Dependencies {
  readonly database: Database;
  readonly clock: Pick<Clock, 'wallTime'>;
  readonly rateLimits: RateLimits;
  readonly ids: Ids;
  readonly log: Pick<Log, 'warn'>;
  readonly courier: Courier | null;
  /** The key of the code hashes. It never leaves the server. */
  readonly secret: string;
}

/** Codes of six digits, with which a user proves that an e-mail or a phone is theirs. */
export class Codes {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Sends a letter with a new code. Earlier codes expire, except those younger than a minute. So a request of a
   * stranger cannot expire the code that the user is typing.
   *
   * @param by - the client's address, or the user for a purpose of a signed-in user. Rate limits count by it.
   * @param letter - `account_exists` informs the owner of an account that the contact has one. `nothing` sends no
   * letter. The answer is the same for all, so the client learns nothing.
   * @returns seconds until another code may be sent, and until this one expires.
   * @throws Refusal `too_many`, `undeliverable`.
   */
  async send(
    to: Contact,
    purpose: Purpose,
    by: string,
    letter: 'code' | 'account_exists' | 'nothing' = 'code',
  ): Promise<CodeSent> {
    const { clock, ids, courier, database } = this.#dependencies;
    if (!courier) throw new Refusal('undeliverable', 'This server cannot send codes: no courier is configured.');
    await this.#countLetter(to, purpose, by);
    const now = clock.wallTime();
    const code = sixDigits(ids.token());
    const isCode = letter === 'code';
    await database.transact(async (transaction) => {
      await database.lock(transaction, `codes:${to.value}`);
      await transaction
        .deleteFrom('ringback_codes')
        .where('expires_at', '<=', now)
        .where('sent_at', '<=', now - LONGEST_LIFE_MS)
        .execute();
      await transaction
        .updateTable('ringback_codes')
        .set({ tries: TRIES })
        .where('destination', '=', to.value)
        .where('purpose', '=', purpose)
        .where('sent_at', '<=', now - RESEND_MS)
        .execute();
      const id = ids.uuid();
      await transaction
        .insertInto('ringback_codes')
        .values({
          id,
          destination: to.value,
          purpose,
          code_hash: isCode ? this.#hash(id, code) : '',
          sent_at: now,
          expires_at: now + LIFE_MS,
          tries: 0,
        })
        .execute();
    });
    if (letter !== 'nothing') {
      const about = isCode ? aboutOf(purpose) : letter;
      await this.#deliver(courier, { to: to.value, at: now, about, code: isCode ? code : null });
    }
    return { resend_after: RESEND_MS / 1_000, expires_in: LIFE_MS / 1_000 };
  }

  /**
   * Checks a code against the codes that were sent. A wrong try counts. A right code stays valid for another 30
   * minutes, and for at most 40 minutes after it was sent.
   *
   * @param by - as in {@link send}.
   * @throws Refusal `code_wrong`, `code_expired`, `code_spent`.
   */
  async check(to: Contact, purpose: Purpose, code: string, by: string): Promise<void> {
    const { database, clock, rateLimits } = this.#dependencies;
    const now = clock.wallTime();
    const rows = await database.db
      .selectFrom('ringback_codes')
      .where('destination', '=', to.value)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', now)
      .orderBy('sent_at', 'desc')
      .select(['id', 'code_hash', 'sent_at'])
      .execute();
    const [latest] = rows;
    if (!latest) throw new Refusal('code_expired', 'The code has expired, or none was sent to this contact.', FIELD);
    const key = `${by} ${latest.id}`;
    for (const limit of TRIES_OF_ONE) if ((await rateLimits.consume(limit, key)) !== null) throw spent();
    // Each possible code counts the try before the comparison, so that parallel tries cannot exceed the limit.
    const open = await database.db
      .updateTable('ringback_codes')
      .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .where('tries', '<', TRIES)
      .returning('id')
      .execute();
    if (open.length === 0) throw spent();
    const openIds = open.map(({ id }) => id);
    const right = rows.find(({ id, code_hash }) => openIds.includes(id) && isSame(code_hash, this.#hash(id, code)));
    if (!right) throw new Refusal('code_wrong', 'The code is wrong.', FIELD);
    for (const limit of TRIES_OF_ONE) await rateLimits.giveBack(limit, key);
    // A code that another request has used meanwhile stays used.
    const { numUpdatedRows: kept } = await database.db
      .updateTable('ringback_codes')
      .set(({ eb }) => ({
        tries: eb('tries', '-', 1),
        expires_at: Math.min(now + SHOWN_LIFE_MS, right.sent_at + LONGEST_LIFE_MS),
      }))
      .where('id', '=', right.id)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    if (kept === 0n) throw new Refusal('code_expired', 'The code has been used.', FIELD);
  }

  /** Uses up a code that was checked. @throws Refusal `code_expired` when another request used it first. */
  async consume(transaction: Transaction<Tables>, to: Contact, purpose: Purpose): Promise<void> {
    const { numUpdatedRows } = await transaction
      .updateTable('ringback_codes')
      .set({ tries: TRIES, expires_at: 0 })
      .where('destination', '=', to.value)
      .where('purpose', '=', purpose)
      .where('tries', '<', TRIES)
      .where('expires_at', '>', this.#dependencies.clock.wallTime())
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Refusal('code_expired', 'The code has been used.', FIELD);
  }

  /** Counts a letter, also when the courier then refuses it. @throws Refusal `too_many`. */
  async #countLetter(to: Contact, purpose: Purpose, by: string): Promise<void> {
    const { rateLimits } = this.#dependencies;
    const keys = { 'target and address': `${by} ${to.value}`, target: to.value, server: '' } as const;
    const kinds = ['target and address', 'target', 'server'] as const;
    await refuseTooManyOf(rateLimits, [
      ...SAME_LETTER.map((limit) => ({ limit, key: `${by} ${purpose} ${to.value}` })),
      ...kinds.flatMap((kind) =>
        limitsBy('letter', SHARED_BUDGETS.letter, kind).map((limit) => ({ limit, key: keys[kind] })),
      ),
    ]);
  }

  async #deliver(courier: Courier, letter: Letter): Promise<void> {
    try {
      await courier.deliver(letter);
    } catch (error) {
      this.#dependencies.log.warn('a letter was not delivered', { about: letter.about, error });
      throw new Refusal('undeliverable', 'The code could not be delivered to this contact.');
    }
  }

  #hash(id: string, code: string): string {
    return createHmac('sha256', this.#dependencies.secret).update(`${id}:${code}`).digest('hex');
  }
}

const SAME_LETTER = limitsBy('sameLetter', SHARED_BUDGETS.sameLetter, 'target and address');
const TRIES_OF_ONE: readonly NamedLimit[] = limitsBy(
  'codeTry',
  SHARED_BUDGETS.codeTry,
  'target and address',
  'failures',
);
const FIELD = { field: 'code' };
const spent = (): Refusal => new Refusal('code_spent', 'The code was tried too often.', FIELD);

const aboutOf = (purpose: Purpose): Letter['about'] => v.parse(letterAbout, purpose.split(':', 1)[0]);

/** Derives six digits from a secret. 48 bits are many times a million, so the digits are evenly distributed. */
function sixDigits(secret: string): string {
  const number = createHash('sha256').update(secret).digest().readUIntBE(0, 6) % KINDS;
  return String(number).padStart(6, '0');
}

function isSame(kept: string, given: string): boolean {
  const [a, b] = [Buffer.from(kept), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
