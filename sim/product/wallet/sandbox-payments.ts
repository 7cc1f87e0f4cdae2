import type { PaymentOrder, PaymentProvider } from './payment-provider.ts';
import { MemoryOrders, type SandboxOrder, type SandboxOrders } from './sandbox-orders.ts';

/** The results by card number. No bank issues these numbers. Any other card is declined. */
const CARDS: Readonly<Record<string, SandboxOrder>> = {
  '4242424242424242': { status: 'paid' },
  '4000000000000002': { status: 'failed', failure: 'declined' },
  '4000000000009995': { status: 'failed', failure: 'insufficient_funds' },
  '4000000000000069': { status: 'failed', failure: 'expired_card' },
  '4000000000000119': 'silent',
};

/** Creates payments without money. The number of the card, or the user who plays the store, decides each. */
export function createSandboxPayments(orders: SandboxOrders = new MemoryOrders()): PaymentProvider {
  return {
    async begin(order) {
      const outcome = await orders.add(order.orderNo, outcomeOf(order));
      return outcome === 'silent' ? new Promise(() => undefined) : outcome;
    },
    async status(orderNo) {
      const outcome = await orders.get(orderNo);
      if (outcome === undefined) return { status: 'unknown' };
      return outcome === 'silent' ? { status: 'processing' } : outcome;
    },
    // The sandbox changes orders only on a request, so it has no notifications.
    onUpdate: () => () => undefined,
    async play(orderNo, outcome) {
      const known = await orders.get(orderNo);
      // A decided order stays decided. A restarted server no longer knows the order.
      if (known !== undefined && known !== 'silent' && known.status !== 'pending') return;
      const decided = outcome === 'paid' ? PAID : CANCELED;
      await orders.replace(orderNo, known, decided);
    },
  };
}

const PAID: SandboxOrder = { status: 'paid' };
const CANCELED: SandboxOrder = { status: 'failed', failure: 'canceled' };

function outcomeOf({ method, orderNo, cardNumber }: PaymentOrder): SandboxOrder {
  if (method === 'convenience_store') {
    return { status: 'pending', payCode: orderNo.replaceAll(/\D/g, '').slice(-14).padStart(14, '0') };
  }
  if (method === 'line_pay') return { status: 'pending', payCode: null };
  return CARDS[cardNumber ?? ''] ?? { status: 'failed', failure: 'declined' };
}
