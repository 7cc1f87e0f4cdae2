import type { CallKind } from '../../../src/protocol/product/calls.ts';

/** A call that a man pays, at the price of the moment it was dialled. */
export interface BilledCall {
  readonly callId: string;
  /** Who pays, and who earns: user ids. */
  readonly man: string;
  readonly woman: string;
  readonly kind: CallKind;
  /** Coins a minute. */
  readonly rate: number;
}
