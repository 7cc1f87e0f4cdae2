import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Transaction } from 'kysely';
import * as v from 'valibot';
import { letterAbout, type CodeSent, type Letter, type OwnerChange } from '../../../src/protocol/product/accounts.ts';
import type { Contact } from '../../../src/protocol/product/contact.ts';
import { SHARED_BUDGETS } from '../../budgets/product-budgets.ts';
import { limitsBy, type NamedLimit, type RateLimits } from '../../budgets/rate-limits.ts';
import type { Log } from '../../exchange/logging/log.ts';
import type { Clock, Ids } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { refuseTooManyOf } from '../refuse-too-many.ts';
import { Refusal } from '../refusal.ts';
import type { Courier } from './courier.ts';
import type { News } from './security-notices.ts';

const LIFE_MS = 10 * 60_000;
/** Whoever has shown that they have it may take their time with the rest of a form. */
const SHOWN_LIFE_MS = 30 * 60_000;
const RESEND_MS = 60_000;
/** A code is kept for so long after it was sent, whatever was done with it. */
const LONGEST_LIFE_MS = LIFE_MS + SHOWN_LIFE_MS;
/** Tries of one code by all addresses together; one address has fewer. */
const TRIES = 15;
const KINDS = 1_000_000;

/** What is asked for by somebody who is signed in: the code is theirs alone. */
type Own = 'contact' | 'confirm' | `owner_${OwnerChange}`;
/** What a code is for: `register`, or with whose it is alone, `contact:u123`. */
export type Purpose = Exclude<Letter['about'], News | Own | 'account_exists'> | `${Own}:${string}`;

interface Outside {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly rateLimits: RateLimits;
  readonly ids: Ids;
  readonly log: Pick<Log, 'warn'>;
  readonly courier: Courier | null;
  /** Known to the server alone. */
  readonly secret: string;
}

/** Codes of six digits, by which somebody shows that an e-mail or a phone is theirs. */
export class Codes {
  readonly #outside: Outside;

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /**
   * Sends a letter with a new code. One that was sent before is no longer taken, unless it is younger than a minute: so no request of
   * a stranger spends the code that its owner is typing.
   *
   * @param by - the client's address, or the user where the purpose is that of a signed-in user alone: limits count by it.
   * @param letter - `account_exists` tells the owner of an account that the contact has one; `nothing` sends none. The answer is the
   *   same for all, so that the client does not notice.
   * @returns seconds until another may be sent, and until this one is no longer taken.
   * @throws Refusal too_many, undeliverable.
   */
  async send(
    to: Contact,
    purpose: Purpose,
    by: string,
    letter: 'code' | 'account_exists' | 'nothing' = 'code',
  ): Promise<CodeSent> {
    const { clock, ids, courier, database } = this.#outside;
    if (!courier) throw new Refusal('undeliverable', 'This server has no courier for codes.');
    await this.#countLetter(to, purpose, by);
    const now = clock.now();
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
   * Checks whether it is a code that was sent last; a wrong try counts. One that is right is good for half an hour more, and for no
   * longer than forty minutes after it was sent.
   *
   * @param by - as in {@link send}.
   * @throws Refusal code_wrong, code_expired, code_spent.
   */
  async check(to: Contact, purpose: Purpose, code: string, by: string): Promise<void> {
    const { database, clock, rateLimits } = this.#outside;
    const now = clock.now();
    const rows = await database.db
      .selectFrom('ringback_codes')
      .where('destination', '=', to.value)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', now)
      .orderBy('sent_at', 'desc')
      .select(['id', 'code_hash', 'sent_at'])
      .execute();
    const [latest] = rows;
    if (!latest) throw new Refusal('code_expired', 'There is no code that holds.', FIELD);
    const key = `${by} ${latest.id}`;
    for (const limit of TRIES_OF_ONE) if ((await rateLimits.consume(limit, key)) !== null) throw spent();
    // Each that might be meant counts the try before it is compared: tries at the same time cannot slip by.
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
    if (!right) throw new Refusal('code_wrong', 'It is another code.', FIELD);
    for (const limit of TRIES_OF_ONE) await rateLimits.giveBack(limit, key);
    // One that was used meanwhile stays so.
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

  /** Uses up the code that was checked. @throws Refusal code_expired: somebody was quicker. */
  async consume(transaction: Transaction<Tables>, to: Contact, purpose: Purpose): Promise<void> {
    const { numUpdatedRows } = await transaction
      .updateTable('ringback_codes')
      .set({ tries: TRIES, expires_at: 0 })
      .where('destination', '=', to.value)
      .where('purpose', '=', purpose)
      .where('tries', '<', TRIES)
      .where('expires_at', '>', this.#outside.clock.now())
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Refusal('code_expired', 'The code has been used.', FIELD);
  }

  /** Counts a letter, wanted or not, also where the courier then does not take it. @throws Refusal too_many. */
  async #countLetter(to: Contact, purpose: Purpose, by: string): Promise<void> {
    const { rateLimits } = this.#outside;
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
      this.#outside.log.warn('a letter was not delivered', { about: letter.about, error });
      throw new Refusal('undeliverable', 'The courier did not take it.');
    }
  }

  #hash(id: string, code: string): string {
    return createHmac('sha256', this.#outside.secret).update(`${id}:${code}`).digest('hex');
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

/** Six digits of a secret, evenly spread: 48 bits are many times a million. */
function sixDigits(secret: string): string {
  const number = createHash('sha256').update(secret).digest().readUIntBE(0, 6) % KINDS;
  return String(number).padStart(6, '0');
}

function isSame(kept: string, given: string): boolean {
  const [a, b] = [Buffer.from(kept), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
