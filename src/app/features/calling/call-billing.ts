import type { EventOf } from '../../../protocol/product/events.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';

type CallBill = EventOf<'call_billing'>;

/** What calls cost or earn, as the server told last, by the exchange's id of the call. */
export interface CallBilling {
  readonly bills: ReadableStore<ReadonlyMap<string, CallBill>>;
  apply(bill: CallBill): void;
  clear(): void;
}

/** The bills of calls that are over are read once more, in their summaries; more than these nobody looks at. */
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

/** What somebody is shown of the money while they talk. */
export type BillView =
  | { readonly kind: 'earns'; readonly points: number }
  | {
      readonly kind: 'pays';
      readonly coinsLeft: number;
      /** What the call cost so far. */
      readonly spent: number;
      readonly warning: BillWarning | null;
    };

/** `low`: it lasts for so many minutes more; `last`: this minute is the last one, and ends in so many seconds. */
export type BillWarning =
  | { readonly name: 'low'; readonly minutes: number }
  | { readonly name: 'last'; readonly seconds: number };

/** Who has so little left is told, while there is time to top up. */
const LOW_MINUTES = 2;
/** Points are counted in hundredths, and shown whole, rounded down. */
const POINT = 100;

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
  // The minute that runs is paid already: what is left pays for those after it.
  const minutes = Math.floor(coinsLeft / rate) + 1;
  return minutes <= LOW_MINUTES ? { name: 'low', minutes } : null;
}
