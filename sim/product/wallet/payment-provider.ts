import type { DepositFailure, DepositMethod } from '../../../src/protocol/product/wallet.ts';

export interface PaymentOrder {
  /** The number of the order, which is also the idempotency key of its payment. */
  readonly orderNo: string;
  /** New Taiwan dollars. */
  readonly amount: number;
  readonly method: DepositMethod;
  /** The number of a card. Null for other ways to pay. */
  readonly cardNumber: string | null;
}

/** The result of a payment. */
export type PaymentOutcome =
  | { readonly status: 'paid' }
  | { readonly status: 'failed'; readonly failure: DepositFailure }
  /** Waits for a payment elsewhere: in a store with this code, or in another app. */
  | { readonly status: 'pending'; readonly payCode: string | null };

/** The state of an order. `processing` is not decided yet. `unknown` was never begun. */
export type OrderStatus = PaymentOutcome | { readonly status: 'processing' } | { readonly status: 'unknown' };

/** A port for payments. Any answer may be late, or never come. */
export interface PaymentProvider {
  /** Begins the payment of an order once. A repeated call returns the first answer. */
  begin(order: PaymentOrder): Promise<PaymentOutcome>;
  /** Returns the state of an order. */
  status(orderNo: string): Promise<OrderStatus>;
  /**
   * Calls the listener when the state of an order may have changed. It passes only the number. The server asks for the
   * state by {@link status}, so a forged notification has no effect. Returns the function that removes the listener.
   */
  onUpdate(listener: (orderNo: string) => void): () => void;
  /** Decides a pending order as a store or another app would. Null with real money. */
  readonly play: ((orderNo: string, outcome: 'paid' | 'canceled') => void | Promise<void>) | null;
}

const DECLINED: PaymentOutcome = { status: 'failed', failure: 'declined' };

/** The payments of a server without a payment provider. Each is declined, so that no coins are given for free. */
export const declinedPayments: PaymentProvider = {
  begin: () => Promise.resolve(DECLINED),
  status: () => Promise.resolve(DECLINED),
  onUpdate: () => () => undefined,
  play: null,
};
