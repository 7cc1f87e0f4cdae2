import type { CodeSent } from '../../../src/protocol/product/accounts.ts';
import type { Requirement } from '../../../src/protocol/product/points.ts';
import { confirming, type KeptContact, settledContact } from '../accounts/contacts.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { DAY_MS, TAIPEI_OFFSET_MS, REDEMPTION_RULES } from '../rules.ts';
import { taipeiDay } from '../calendar.ts';
import type { PayoutAccounts } from './payout-accounts.ts';

type Parts = Pick<ProductParts, 'database' | 'clock' | 'contacts' | 'codes'>;

/** The requirements for a redemption of points, and the daily limit. */
export class RedeemRequirements {
  readonly #parts: Parts;
  readonly #accounts: PayoutAccounts;

  constructor(parts: Parts, accounts: PayoutAccounts) {
    this.#parts = parts;
    this.#accounts = accounts;
  }

  /** Lists the requirements that a woman does not meet yet. */
  async missing(uId: string, db = this.#parts.database.db): Promise<Requirement[]> {
    const profile = await db
      .selectFrom('ringback_profiles')
      .where('u_id', '=', uId)
      .select('verified')
      .executeTakeFirst();
    const { contact, from } = confirming(await this.#parts.contacts.of(uId, db), this.#parts.clock.wallTime());
    const contactRequirement = from === null ? 'contact' : 'older_contact';
    const account = await this.#accounts.find(uId, db);
    const hasAccount = account !== undefined && account.name_match !== 'differs';
    return [
      ...(profile?.verified === 1 ? [] : (['identity'] as const)),
      ...(contact ? [] : ([contactRequirement] as const)),
      ...(hasAccount ? [] : (['payout_account'] as const)),
    ];
  }

  /**
   * Sends the code that confirms a redemption. @throws Refusal `incomplete`, `cooling_off`, `too_many`,
   * `undeliverable`.
   */
  async sendCode(uId: string): Promise<CodeSent> {
    return this.#parts.codes.send(await this.#contact(uId), `confirm:${uId}`, uId);
  }

  /** Returns how many whole points may still be requested today. */
  async leftToday(uId: string, db = this.#parts.database.db): Promise<number> {
    const today = taipeiDay(this.#parts.clock.wallTime()) * DAY_MS - TAIPEI_OFFSET_MS;
    const row = await db
      .selectFrom('ringback_redemptions')
      .where('u_id', '=', uId)
      .where('created_at', '>=', today)
      .where('state', 'not in', ['rejected', 'cancelled'])
      .select(({ fn }) => fn.sum<number | string | null>('amount').as('amount'))
      .executeTakeFirst();
    return Math.max(0, REDEMPTION_RULES.dailyMost - Number(row?.amount ?? 0));
  }

  /**
   * Checks that nothing is missing. Returns the contact that has the code. @throws Refusal `incomplete`, `cooling_off`.
   */
  async ready(uId: string, db = this.#parts.database.db): Promise<KeptContact> {
    const [missing] = await this.missing(uId, db);
    if (missing && missing !== 'older_contact') throw incomplete(missing);
    return this.#contact(uId, db);
  }

  /** Returns the contact that receives the code of a redemption. @throws Refusal `incomplete`, `cooling_off`. */
  async #contact(uId: string, db = this.#parts.database.db): Promise<KeptContact> {
    return settledContact(await this.#parts.contacts.of(uId, db), this.#parts.clock.wallTime());
  }
}

/** Creates the refusal that names the missing requirement. */
export const incomplete = (missing: Requirement): Refusal =>
  new Refusal('incomplete', `The ${missing} is missing.`, { field: missing });
