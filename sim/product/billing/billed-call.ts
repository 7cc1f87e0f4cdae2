import type { CallKind } from '../../../src/protocol/product/calls.ts';

/** A call that a man pays, at the price of the moment of the dial. */
export interface BilledCall {
  readonly callId: string;
  /** The user id of the payer. */
  readonly man: string;
  /** The user id of the earner. */
  readonly woman: string;
  readonly kind: CallKind;
  /** Coins a minute. */
  readonly rate: number;
}
