import type { DepositFailure, DepositMethod } from '../../../src/protocol/product/wallet.ts';

export interface PaymentOrder {
  /** The order, and the idempotency key of its payment alone. */
  readonly orderNo: string;
  /** New Taiwan dollars. */
  readonly amount: number;
  readonly method: DepositMethod;
  /** Of a card; null for other ways to pay. */
  readonly cardNumber: string | null;
}

/** How a payment stands. */
export type PaymentOutcome =
  | { readonly status: 'paid' }
  | { readonly status: 'failed'; readonly failure: DepositFailure }
  /** It is paid elsewhere: in a store with this code, or in another app. */
  | { readonly status: 'pending'; readonly payCode: string | null };

/** How an order stands: `processing` is not decided yet, `unknown` was never begun. */
export type OrderStatus = PaymentOutcome | { readonly status: 'processing' } | { readonly status: 'unknown' };

/** Takes payments: a port. Any answer may be late, or never come. */
export interface PaymentProvider {
  /** Begins the payment of an order, once: begun again, it gets the answer of the first time. */
  begin(order: PaymentOrder): Promise<PaymentOutcome>;
  /** Tells how an order stands. */
  status(orderNo: string): Promise<OrderStatus>;
  /**
   * Calls the listener when an order may stand otherwise than before, with its number alone: how it stands is asked by
   * {@link status}, so that a forged notification moves nothing. Returns the undo.
   */
  onNews(listener: (orderNo: string) => void): () => void;
  /** Decides a pending order, as a store or another app would; null where real money is paid. */
  readonly play: ((orderNo: string, outcome: 'paid' | 'canceled') => void) | null;
}
