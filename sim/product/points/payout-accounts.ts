import type { Transaction } from 'kysely';
import * as v from 'valibot';
import { payoutAccount, type PayoutAccount } from '../../../src/protocol/product/points.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { ProductParts } from '../parts.ts';

type Row = Tables['ringback_payout_accounts'];

/** The number of digits of an account number that its holder sees. */
const TAIL_DIGITS = 4;
export const tailOf = (accountNumber: string): string => accountNumber.slice(-TAIL_DIGITS);

/** The bank accounts to which points are paid out. */
export class PayoutAccounts {
  readonly #parts: Pick<ProductParts, 'database' | 'clock'>;

  constructor(parts: Pick<ProductParts, 'database' | 'clock'>) {
    this.#parts = parts;
  }

  /** Finds the full account for a payment. `db` may be a transaction. */
  async find(uId: string, db = this.#parts.database.db): Promise<Row | undefined> {
    return db.selectFrom('ringback_payout_accounts').where('u_id', '=', uId).selectAll().executeTakeFirst();
  }

  /** Returns the part of the account that its holder sees. */
  async shown(uId: string): Promise<PayoutAccount | null> {
    const row = await this.find(uId);
    return row ? v.parse(payoutAccount, { ...row, tail: tailOf(row.account_number) }) : null;
  }

  /**
   * Stores the account. The review of a name holds only for the account that was reviewed.
   *
   * @returns whether the account has changed.
   */
  async set(
    transaction: Transaction<Tables>,
    uId: string,
    account: Pick<Row, 'bank_code' | 'account_number' | 'holder'>,
  ): Promise<boolean> {
    const before = await this.find(uId, transaction);
    const isSame =
      before?.bank_code === account.bank_code &&
      before.account_number === account.account_number &&
      before.holder === account.holder;
    if (isSame) return false;
    const row = { ...account, name_match: 'unknown', changed_at: this.#parts.clock.wallTime() };
    await transaction
      .insertInto('ringback_payout_accounts')
      .values({ u_id: uId, ...row })
      .onConflict((conflict) => conflict.column('u_id').doUpdateSet(row))
      .execute();
    return true;
  }
}
