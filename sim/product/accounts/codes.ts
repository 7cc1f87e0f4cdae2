import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Transaction } from 'kysely';
import * as v from 'valibot';
import { letterAbout, type Letter, type OwnerChange } from '../../../src/protocol/product/accounts.ts';
import type { Contact } from '../../../src/protocol/product/contact.ts';
import type { Log } from '../../exchange/log.ts';
import type { Clock, Ids } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { Refusal } from '../refusal.ts';
import type { Courier } from './courier.ts';
import type { News } from './letters.ts';

const LIFE_MS = 10 * 60_000;
/** Whoever has shown that they have it may take their time with the rest of a form. */
const SHOWN_LIFE_MS = 30 * 60_000;
const RESEND_MS = 60_000;
const WINDOW_MS = 10 * 60_000;
const SENT_IN_WINDOW = 3;
const TRIES = 5;
const KINDS = 1_000_000;

/** What is asked for by somebody who is signed in: the code is theirs alone. */
type Own = 'contact' | 'confirm' | `owner_${OwnerChange}`;
/** What a code is for: `register`, or with whose it is alone, `contact:u123`. */
export type Purpose = Exclude<Letter['about'], News | Own> | `${Own}:${string}`;

interface Outside {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
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
   * Sends a new code; one that was sent before is no longer taken.
   *
   * @param isWanted - false where nobody is to get it, and whoever asked is not to notice.
   * @returns seconds until another may be sent, and until this one is no longer taken.
   * @throws Refusal too_many, undeliverable.
   */
  async send(to: Contact, purpose: Purpose, isWanted = true): Promise<{ resend_after: number; expires_in: number }> {
    const { clock, ids, courier, database } = this.#outside;
    if (!courier) throw new Refusal('undeliverable', 'This server has no courier for codes.');
    const now = clock.now();
    const code = sixDigits(ids.token());
    await database.db.transaction().execute(async (transaction) => {
      await database.lock(transaction, `codes:${to.value}`);
      await this.#refuseTooMany(transaction, to, purpose, now);
      await transaction
        .deleteFrom('ringback_codes')
        .where('expires_at', '<=', now)
        .where('sent_at', '<=', now - WINDOW_MS)
        .execute();
      await transaction
        .updateTable('ringback_codes')
        .set({ tries: TRIES })
        .where('destination', '=', to.value)
        .where('purpose', '=', purpose)
        .execute();
      const id = ids.uuid();
      await transaction
        .insertInto('ringback_codes')
        .values({
          id,
          destination: to.value,
          purpose,
          code_hash: isWanted ? this.#hash(id, code) : '',
          sent_at: now,
          expires_at: now + LIFE_MS,
          tries: 0,
        })
        .execute();
    });
    if (isWanted) await this.#deliver(courier, { to: to.value, at: now, about: aboutOf(purpose), code });
    return { resend_after: RESEND_MS / 1_000, expires_in: LIFE_MS / 1_000 };
  }

  /**
   * Whether it is the code that was sent last; the try counts. One that is right is good for half an hour more.
   *
   * @throws Refusal code_wrong, code_expired, code_spent.
   */
  async check(to: Contact, purpose: Purpose, code: string): Promise<void> {
    const { db } = this.#outside.database;
    const now = this.#outside.clock.now();
    const row = await db
      .selectFrom('ringback_codes')
      .where('destination', '=', to.value)
      .where('purpose', '=', purpose)
      .orderBy('sent_at', 'desc')
      .select(['id', 'code_hash', 'expires_at'])
      .executeTakeFirst();
    if (!row || row.expires_at <= now) throw new Refusal('code_expired', 'There is no code that holds.', FIELD);
    const { numUpdatedRows } = await db
      .updateTable('ringback_codes')
      .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
      .where('id', '=', row.id)
      .where('tries', '<', TRIES)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Refusal('code_spent', 'The code was tried too often.', FIELD);
    if (!isSame(row.code_hash, this.#hash(row.id, code))) throw new Refusal('code_wrong', 'It is another code.', FIELD);
    // One that was used meanwhile stays so.
    const { numUpdatedRows: kept } = await db
      .updateTable('ringback_codes')
      .set(({ eb }) => ({ tries: eb('tries', '-', 1), expires_at: now + SHOWN_LIFE_MS }))
      .where('id', '=', row.id)
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

  /** The next one for the same may be sent a minute later, and only so many in all, whatever they are for. */
  async #refuseTooMany(transaction: Transaction<Tables>, to: Contact, purpose: Purpose, now: number): Promise<void> {
    const sent = await transaction
      .selectFrom('ringback_codes')
      .where('destination', '=', to.value)
      .where('sent_at', '>', now - WINDOW_MS)
      .orderBy('sent_at', 'desc')
      .select(['sent_at', 'purpose'])
      .execute();
    const last = sent.find((one) => one.purpose === purpose)?.sent_at;
    const oldest = sent[SENT_IN_WINDOW - 1]?.sent_at;
    const next = Math.max(last === undefined ? 0 : last + RESEND_MS, oldest === undefined ? 0 : oldest + WINDOW_MS);
    if (next > now) {
      throw new Refusal('too_many', `Another code may be sent in ${Math.ceil((next - now) / 1_000)} s.`, {
        retry_after: Math.ceil((next - now) / 1_000),
      });
    }
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

const FIELD = { field: 'code' };

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
