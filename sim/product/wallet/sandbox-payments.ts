import type { PaymentOutcome, PaymentProvider } from './payment-provider.ts';

/** Cards by their numbers, which no bank gives out; any other one is declined. */
const CARDS: Readonly<Record<string, PaymentOutcome | 'silent'>> = {
  '4242424242424242': { status: 'paid' },
  '4000000000000002': { status: 'failed', failure: 'declined' },
  '4000000000009995': { status: 'failed', failure: 'insufficient_funds' },
  '4000000000000069': { status: 'failed', failure: 'expired_card' },
  '4000000000000119': 'silent',
};

/** Payments without money: what becomes of one is said by the number of the card, or by whoever plays the store. */
export const sandboxPayments: PaymentProvider = {
  isSandbox: true,
  begin({ method, orderNo, cardNumber }) {
    if (method === 'convenience_store') {
      return Promise.resolve({
        status: 'pending',
        payCode: orderNo.replaceAll(/\D/g, '').slice(-14).padStart(14, '0'),
      });
    }
    if (method === 'line_pay') return Promise.resolve({ status: 'pending', payCode: null });
    const outcome = CARDS[cardNumber ?? ''] ?? { status: 'failed', failure: 'declined' };
    // Nobody ever answers.
    return outcome === 'silent' ? new Promise(() => undefined) : Promise.resolve(outcome);
  },
};
