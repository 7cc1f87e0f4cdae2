/** The rows of redemptions, and their form for the user. */
import type { Selectable, Transaction } from 'kysely';
import * as v from 'valibot';
import { redemption, type Redemption } from '../../../src/protocol/product/points.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { REDEMPTION_RULES } from '../rules.ts';
import { tailOf } from './payout-accounts.ts';
import type { PayoutDesk } from './payout-desk.ts';

export type RedemptionRow = Selectable<Tables['ringback_redemptions']>;

/** Finds a redemption, currently or within a transaction. */
export const findRedemption = (db: Database['db'], id: string): Promise<RedemptionRow | undefined> =>
  db.selectFrom('ringback_redemptions').where('redemption_id', '=', id).selectAll().executeTakeFirst();

/** Changes a redemption. Returns the changed row. */
export async function changeRedemption(
  transaction: Transaction<Tables>,
  row: RedemptionRow,
  changed: Partial<RedemptionRow>,
): Promise<RedemptionRow> {
  await transaction
    .updateTable('ringback_redemptions')
    .set(changed)
    .where('redemption_id', '=', row.redemption_id)
    .execute();
  return { ...row, ...changed };
}

/** Returns the form of a redemption that the user sees. */
export const shownRedemption = (row: RedemptionRow): Redemption =>
  v.parse(redemption, { ...row, net: row.amount - row.fee, tail: tailOf(row.account_number) });

/** Inserts the row of a redemption that waits for its review. Returns the row. */
export async function insertRedemption(
  transaction: Transaction<Tables>,
  given: Pick<RedemptionRow, 'redemption_id' | 'u_id' | 'amount' | 'bank_code' | 'account_number' | 'holder'>,
  now: number,
  { waitsMs, reviewsMs, paysMs }: PayoutDesk,
): Promise<RedemptionRow> {
  const row: RedemptionRow = {
    ...given,
    fee: REDEMPTION_RULES.fee,
    state: 'pending',
    fault: null,
    created_at: now,
    reviewing_at: null,
    decided_at: null,
    ended_at: null,
    expected_at: now + waitsMs + reviewsMs + paysMs,
    due_at: now + waitsMs,
  };
  await transaction.insertInto('ringback_redemptions').values(row).execute();
  return row;
}
