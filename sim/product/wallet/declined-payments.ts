import type { PaymentOutcome, PaymentProvider } from './payment-provider.ts';

const DECLINED: PaymentOutcome = { status: 'failed', failure: 'declined' };

/** Payments of a deployment without a payment provider: each is declined, so that no coins are sold for nothing. */
export const declinedPayments: PaymentProvider = {
  begin: () => Promise.resolve(DECLINED),
  status: () => Promise.resolve(DECLINED),
  onNews: () => () => undefined,
  play: null,
};
