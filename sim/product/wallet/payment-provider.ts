import type { DepositFailure, DepositMethod } from '../../../src/protocol/product/wallet.ts';

export interface PaymentOrder {
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

/** Takes payments: a port. */
export interface PaymentProvider {
  /** Whether no real money is paid. */
  readonly isSandbox: boolean;
  /** Begins the payment of an order. It may never answer. */
  begin(order: PaymentOrder): Promise<PaymentOutcome>;
}
