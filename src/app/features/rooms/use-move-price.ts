import { useCalls } from '../../../react/index.ts';
import { useStore } from '../../../ui/store/use-store.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { billView } from '../calling/call-billing.ts';
import { useCalling } from '../calling/use-calling.ts';

/** Returns what the move of the call in front into a room changes for its price, as {@link movePrice} does. */
export function useMovePrice(): string | null {
  const { billing } = useCalling();
  const callId = useCalls().active?.callId ?? '';
  return movePrice(useStore(billing.bills).get(callId));
}

/** Returns the text about the price for this side of a paid call, which ends with the move. Null for a free call. */
export function movePrice(bill: Parameters<typeof billView>[0] | undefined): string | null {
  if (bill === undefined || bill.rate <= 0) return null;
  switch (billView(bill, 0)?.kind) {
    case 'pays':
      return m.move_pays();
    case 'earns':
      return m.move_earns();
    default:
      return null;
  }
}
