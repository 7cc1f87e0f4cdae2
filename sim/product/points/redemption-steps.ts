import type { Transaction } from 'kysely';
import * as v from 'valibot';
import { redemption } from '../../../src/protocol/product/points.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PayoutDesk } from './payout-desk.ts';
import { changeRedemption, type RedemptionRow } from './redemption-rows.ts';

/** The hundredths of a point that the ledger counts for one point. */
export const HUNDREDTHS = 100;

/**
 * The steps of a redemption: the review, the payment, and their transfers in the ledger. Each runs within a
 * transaction.
 */
export class RedemptionSteps {
  readonly #ledger: Ledger;
  readonly #desk: PayoutDesk;

  constructor(ledger: Ledger, desk: PayoutDesk) {
    this.#ledger = ledger;
    this.#desk = desk;
  }

  /** Makes the due step. @param at - when the step was due. The later steps are scheduled from this time. */
  async make(transaction: Transaction<Tables>, row: RedemptionRow, at: number, now: number): Promise<RedemptionRow> {
    const state = v.parse(redemption.entries.state, row.state);
    switch (state) {
      case 'pending':
        return changeRedemption(transaction, row, {
          state: 'reviewing',
          reviewing_at: at,
          due_at: at + this.#desk.reviewsMs,
        });
      case 'reviewing': {
        const { u_id: uId, bank_code: bankCode, account_number: accountNumber, holder } = row;
        const fault = this.#desk.decide({ uId, bankCode, accountNumber, holder });
        await tellName(transaction, row, fault === 'name_differs' ? 'differs' : 'matches');
        if (fault === null) {
          return changeRedemption(transaction, row, {
            state: 'approved',
            decided_at: at,
            due_at: at + this.#desk.paysMs,
          });
        }
        await this.giveBack(transaction, row, now);
        return changeRedemption(transaction, row, {
          state: 'rejected',
          fault,
          decided_at: at,
          ended_at: at,
          due_at: null,
        });
      }
      case 'approved':
        await this.pay(transaction, row, now);
        return changeRedemption(transaction, row, { state: 'paid', ended_at: at, due_at: null });
      case 'paid':
      case 'rejected':
      case 'cancelled':
        throw new Error(`The redemption ${row.redemption_id} is ${state} and has a step that is due.`);
      default:
        return state satisfies never;
    }
  }

  /** Pays out the points that were set aside. */
  async pay(transaction: Transaction<Tables>, row: RedemptionRow, at: number): Promise<void> {
    await this.#ledger.post(transaction, {
      key: `redeem:${row.redemption_id}:paid`,
      kind: 'redeem',
      at,
      ref: { redemption: row.redemption_id },
      lines: [
        { account: `reviewing:${row.u_id}`, delta: -row.amount * HUNDREDTHS },
        { account: 'house:redeemed', delta: (row.amount - row.fee) * HUNDREDTHS },
        { account: 'house:fees', delta: row.fee * HUNDREDTHS },
      ],
    });
  }

  /** Returns the points that were set aside. */
  async giveBack(transaction: Transaction<Tables>, row: RedemptionRow, at: number): Promise<void> {
    await this.#ledger.post(transaction, {
      key: `redeem:${row.redemption_id}:back`,
      kind: 'hold',
      at,
      ref: { redemption: row.redemption_id },
      lines: [
        { account: `reviewing:${row.u_id}`, delta: -row.amount * HUNDREDTHS },
        { account: `points:${row.u_id}`, delta: row.amount * HUNDREDTHS },
      ],
    });
  }
}

/** Stores the result of a name review, if the reviewed account is still hers. */
async function tellName(transaction: Transaction<Tables>, row: RedemptionRow, name_match: string): Promise<void> {
  await transaction
    .updateTable('ringback_payout_accounts')
    .set({ name_match })
    .where('u_id', '=', row.u_id)
    .where('bank_code', '=', row.bank_code)
    .where('account_number', '=', row.account_number)
    .where('holder', '=', row.holder)
    .execute();
}
