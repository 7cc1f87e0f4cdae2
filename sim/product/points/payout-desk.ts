import type { RedemptionFault } from '../../../src/protocol/product/points.ts';

/** The data of a redemption that is reviewed before the payment. */
export interface Payout {
  readonly uId: string;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly holder: string;
}

/** A port for the review and payment of redemptions. */
export interface PayoutDesk {
  /**
   * The duration of each step: until the review starts, until its decision, and until the bank has paid. Milliseconds.
   */
  readonly waitsMs: number;
  readonly reviewsMs: number;
  readonly paysMs: number;
  /** Reviews a payout. Returns the fault, or null to approve. */
  decide(payout: Payout): RedemptionFault | null;
}

const MINUTE_MS = 60_000;

/** A simulated desk. Each step takes a minute. It pays all accounts except those ending in 0001 or 0000, see below. */
export const simulatedPayoutDesk: PayoutDesk = {
  waitsMs: MINUTE_MS,
  reviewsMs: MINUTE_MS,
  paysMs: MINUTE_MS,
  decide({ accountNumber }) {
    if (accountNumber.endsWith('0001')) return 'name_differs';
    return accountNumber.endsWith('0000') ? 'account_refused' : null;
  },
};
