import type { EventOf } from '../../../protocol/product/events.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';

type CallBill = EventOf<'call_billing'>;

/** The latest bills that the server has sent, by the exchange's id of the call. */
export interface CallBilling {
  readonly bills: ReadableStore<ReadonlyMap<string, CallBill>>;
  apply(bill: CallBill): void;
  clear(): void;
}

/** The number of stored bills. A bill is needed until the summary of its call is closed. */
const KEPT = 4;

export function createCallBilling(): CallBilling {
  const bills = createStore<ReadonlyMap<string, CallBill>>(new Map());
  return {
    bills,
    apply(bill) {
      const others = Array.from(bills.get()).filter(([callId]) => callId !== bill.call_id);
      bills.set(new Map([...others, [bill.call_id, bill] as const].slice(-KEPT)));
    },
    clear: () => bills.set(new Map()),
  };
}

/** The cost or the income of a call, as the user sees it during the call. */
export type BillView =
  | { readonly kind: 'earns'; readonly points: number }
  | {
      readonly kind: 'pays';
      readonly coinsLeft: number;
      /** The coins that the call has cost so far. */
      readonly spent: number;
      readonly warning: BillWarning | null;
    };

/**
 * A warning about the balance. `low`: it pays for this many more minutes. `last`: the call ends in this many seconds.
 */
export type BillWarning =
  | { readonly name: 'low'; readonly minutes: number }
  | { readonly name: 'last'; readonly seconds: number };

/** The warning appears with this many minutes left, so that the caller has time to top up. */
const LOW_MINUTES = 2;

/** The points of the server, in hundredths. The first page load has this file and not that of the formats. */
const POINT = 100;

/** Returns what the user sees of a bill. Returns null when the bill has no amount to show. */
export function billView(bill: CallBill, now: number): BillView | null {
  if (bill.points_earned !== null) return { kind: 'earns', points: Math.floor(bill.points_earned / POINT) };
  if (bill.coins_left === null) return null;
  return {
    kind: 'pays',
    coinsLeft: bill.coins_left,
    spent: bill.billed_minutes * bill.rate,
    warning: warningOf(bill, bill.coins_left, now),
  };
}

function warningOf({ rate, ends_at }: CallBill, coinsLeft: number, now: number): BillWarning | null {
  if (ends_at !== null) return { name: 'last', seconds: Math.max(0, Math.ceil((ends_at - now) / 1000)) };
  if (rate <= 0) return null;
  // The current minute is already paid. The remaining coins pay for the minutes after it.
  const minutes = Math.floor(coinsLeft / rate) + 1;
  return minutes <= LOW_MINUTES ? { name: 'low', minutes } : null;
}
