import type { PaymentOutcome, PaymentProvider } from './payment-provider.ts';

const DECLINED: PaymentOutcome = { status: 'failed', failure: 'declined' };

/** The payments of a server without a payment provider. Each is declined, so that no coins are given for free. */
export const declinedPayments: PaymentProvider = {
  begin: () => Promise.resolve(DECLINED),
  status: () => Promise.resolve(DECLINED),
  onUpdate: () => () => undefined,
  play: null,
};
