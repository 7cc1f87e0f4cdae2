import type { Transaction } from 'kysely';
import { type Contact, type ContactKind, readContact } from '../../../src/protocol/product/contact.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { Refusal } from '../refusal.ts';

export interface KeptContact extends Contact {
  readonly verifiedAt: number;
}

/** Which e-mails and phones are whose. */
export class Contacts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whose it is. */
  async ownerOf({ value }: Contact): Promise<string | undefined> {
    const row = await this.#database.db
      .selectFrom('ringback_contacts')
      .where('value', '=', value)
      .select('u_id')
      .executeTakeFirst();
    return row?.u_id;
  }

  /** Somebody's own, the e-mail first; `db` may be a transaction. */
  async of(uId: string, db = this.#database.db): Promise<readonly KeptContact[]> {
    const rows = await db
      .selectFrom('ringback_contacts')
      .where('u_id', '=', uId)
      .orderBy('kind')
      .select(['kind', 'value', 'verified_at'])
      .execute();
    return rows.map(({ kind, value, verified_at }) => ({ kind: kindOf(kind), value, verifiedAt: verified_at }));
  }

  /** Makes it theirs, in the place of the one of its kind. @throws Refusal taken. */
  async give(transaction: Transaction<Tables>, uId: string, { kind, value }: Contact, now: number): Promise<void> {
    await this.#database.lock(transaction, `contact:${value}`);
    const owner = await transaction
      .selectFrom('ringback_contacts')
      .where('value', '=', value)
      .select('u_id')
      .executeTakeFirst();
    if (owner && owner.u_id !== uId) throw taken();
    await transaction
      .insertInto('ringback_contacts')
      .values({ u_id: uId, kind, value, verified_at: now })
      .onConflict((conflict) => conflict.columns(['u_id', 'kind']).doUpdateSet({ value, verified_at: now }))
      .execute();
  }
}

export const taken = (): Refusal => new Refusal('taken', 'It is somebody else’s.', { field: 'contact' });

/** What somebody has typed. @throws Refusal invalid. */
export function contactIn(typed: string, field = 'contact'): Contact {
  const contact = readContact(typed);
  if (!contact) throw new Refusal('invalid', `${field} is neither an e-mail nor a phone.`, { field });
  return contact;
}

const kindOf = (kind: string): ContactKind => (kind === 'phone' ? 'phone' : 'email');
