import type { PaymentOrder, PaymentOutcome, PaymentProvider } from './payment-provider.ts';

/** The results by card number. No bank issues these numbers. Any other card is declined. */
const CARDS: Readonly<Record<string, PaymentOutcome | 'silent'>> = {
  '4242424242424242': { status: 'paid' },
  '4000000000000002': { status: 'failed', failure: 'declined' },
  '4000000000009995': { status: 'failed', failure: 'insufficient_funds' },
  '4000000000000069': { status: 'failed', failure: 'expired_card' },
  '4000000000000119': 'silent',
};

/** The number of remembered orders. The oldest are dropped first. */
const ORDERS = 10_000;

/**
 * Creates payments without money. The number of the card, or the user who plays the store, decides each. Orders are in
 * memory.
 */
export function createSandboxPayments(): PaymentProvider {
  const orders = new Map<string, PaymentOutcome | 'silent'>();
  const remember = (orderNo: string, outcome: PaymentOutcome | 'silent') => {
    orders.set(orderNo, outcome);
    for (const oldest of orders.keys()) {
      if (orders.size <= ORDERS) break;
      orders.delete(oldest);
    }
  };
  return {
    begin(order) {
      const outcome = orders.get(order.orderNo) ?? outcomeOf(order);
      remember(order.orderNo, outcome);
      return outcome === 'silent' ? new Promise(() => undefined) : Promise.resolve(outcome);
    },
    async status(orderNo) {
      const outcome = orders.get(orderNo);
      if (outcome === undefined) return { status: 'unknown' };
      return outcome === 'silent' ? { status: 'processing' } : outcome;
    },
    // The sandbox changes orders only on a request, so it has no notifications.
    onUpdate: () => () => undefined,
    play(orderNo, outcome) {
      const known = orders.get(orderNo);
      // A decided order stays decided. A restarted server no longer knows the order.
      if (known !== undefined && known !== 'silent' && known.status !== 'pending') return;
      remember(orderNo, outcome === 'paid' ? { status: 'paid' } : { status: 'failed', failure: 'canceled' });
    },
  };
}

function outcomeOf({ method, orderNo, cardNumber }: PaymentOrder): PaymentOutcome | 'silent' {
  if (method === 'convenience_store') {
    return { status: 'pending', payCode: orderNo.replaceAll(/\D/g, '').slice(-14).padStart(14, '0') };
  }
  if (method === 'line_pay') return { status: 'pending', payCode: null };
  return CARDS[cardNumber ?? ''] ?? { status: 'failed', failure: 'declined' };
}
