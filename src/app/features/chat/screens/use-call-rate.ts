import type { CallKind } from '../../../../protocol/product/calls.ts';
import type { Companion } from '../../../../protocol/product/chat.ts';
import { useProductQuery } from '../../../services/use-product.ts';
import { useIsPaid } from '../../money/wallet/use-is-paid.ts';

/** Coins a minute that a call to the other one of a chat would cost, as the server quotes it; 0 where it costs or says nothing. */
export function useCallRate(companion: Companion, kind: CallKind): number {
  const isPaid = useIsPaid(companion);
  const { data } = useProductQuery('quoteCall', { body: { callee: companion.u_id, kind } }, { enabled: isPaid });
  return isPaid ? (data?.rate ?? 0) : 0;
}
