import type { RedemptionFault } from '../../../src/protocol/product/points.ts';

/** What is looked at before points are paid out. */
export interface Payout {
  readonly uId: string;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly holder: string;
}

/** Who looks at redemptions and pays them out. */
export interface PayoutDesk {
  /** How long each step takes, milliseconds: until somebody looks at it, until it is decided, until the bank has paid. */
  readonly waitsMs: number;
  readonly reviewsMs: number;
  readonly paysMs: number;
  /** What is wrong; null where it may be paid. */
  decide(payout: Payout): RedemptionFault | null;
}

const MINUTE_MS = 60_000;

/** Takes a minute for each step and pays everybody, but for accounts whose number ends with 0001 or 0000: see below. */
export const simulatedPayoutDesk: PayoutDesk = {
  waitsMs: MINUTE_MS,
  reviewsMs: MINUTE_MS,
  paysMs: MINUTE_MS,
  decide({ accountNumber }) {
    if (accountNumber.endsWith('0001')) return 'name_differs';
    return accountNumber.endsWith('0000') ? 'account_refused' : null;
  },
};
