import type { Transaction } from 'kysely';
import { type Contact, type ContactKind, readContact } from '../../../src/protocol/product/contact.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { Refusal } from '../refusal.ts';
import { CONTACT_RULES } from '../rules.ts';

export interface KeptContact extends Contact {
  readonly verifiedAt: number;
  /** When the contact can first confirm payments. Milliseconds since the epoch. */
  readonly confirmsFrom: number;
}

/** The e-mails and phones of users. */
export class Contacts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Finds the user who has the contact. */
  async ownerOf({ value }: Contact): Promise<string | undefined> {
    const row = await this.#database.db
      .selectFrom('ringback_contacts')
      .where('value', '=', value)
      .select('u_id')
      .executeTakeFirst();
    return row?.u_id;
  }

  /** Returns the contacts of a user, the e-mail first. `db` may be a transaction. */
  async of(uId: string, db = this.#database.db): Promise<readonly KeptContact[]> {
    const rows = await db
      .selectFrom('ringback_contacts as contact')
      .innerJoin('ringback_accounts as account', 'account.u_id', 'contact.u_id')
      .where('contact.u_id', '=', uId)
      .orderBy('contact.kind')
      .select(['contact.kind', 'contact.value', 'contact.verified_at', 'account.joined_at'])
      .execute();
    return rows.map(({ kind, value, verified_at, joined_at }) => ({
      kind: kindOf(kind),
      value,
      verifiedAt: verified_at,
      // The contact that the account was opened with is no later addition, so it needs no waiting time.
      confirmsFrom: verified_at <= joined_at ? verified_at : verified_at + CONTACT_RULES.coolOffMs,
    }));
  }

  /**
   * Gives a contact to a user, in place of the earlier contact of its kind.
   *
   * @returns whether the contact is new to the user. A contact that the user has had keeps its age.
   * @throws Refusal `taken` when another account has the contact.
   */
  async give(transaction: Transaction<Tables>, uId: string, { kind, value }: Contact, now: number): Promise<boolean> {
    await this.#database.lock(transaction, `contact:${value}`);
    const owner = await transaction
      .selectFrom('ringback_contacts')
      .where('value', '=', value)
      .select('u_id')
      .executeTakeFirst();
    if (owner && owner.u_id !== uId) throw taken();
    if (owner) return false;
    await transaction
      .insertInto('ringback_contacts')
      .values({ u_id: uId, kind, value, verified_at: now })
      .onConflict((conflict) => conflict.columns(['u_id', 'kind']).doUpdateSet({ value, verified_at: now }))
      .execute();
    return true;
  }
}

/**
 * Returns the contact that confirms payments, the phone before the e-mail. Without one, returns when the first one
 * will.
 */
export function confirming(
  own: readonly KeptContact[],
  now: number,
): { readonly contact: KeptContact | null; readonly from: number | null } {
  const settled = own.filter(({ confirmsFrom }) => confirmsFrom <= now);
  const contact = settled.find(({ kind }) => kind === 'phone') ?? settled[0] ?? null;
  const from = contact || own.length === 0 ? null : Math.min(...own.map(({ confirmsFrom }) => confirmsFrom));
  return { contact, from };
}

/**
 * Returns the contact that confirms payments now. @throws Refusal `incomplete` without a contact, `cooling_off` when
 * each is too new.
 */
export function settledContact(own: readonly KeptContact[], now: number): KeptContact {
  const { contact, from } = confirming(own, now);
  if (contact) return contact;
  if (from === null) throw new Refusal('incomplete', 'The contact is missing.', { field: 'contact' });
  const retry_after = Math.ceil((from - now) / 1_000);
  const message = `Each contact is too new. The first one can confirm this from ${new Date(from).toISOString()}.`;
  throw new Refusal('cooling_off', message, { field: 'contact', retry_after });
}

const taken = (): Refusal => new Refusal('taken', 'Another account has this contact.', { field: 'contact' });

/** Reads a contact that the user has typed. @throws Refusal `invalid`. */
export function contactIn(typed: string, field = 'contact'): Contact {
  const contact = readContact(typed);
  if (!contact) throw new Refusal('invalid', `${field} must be an e-mail address or a phone number.`, { field });
  return contact;
}

const kindOf = (kind: string): ContactKind => (kind === 'phone' ? 'phone' : 'email');
