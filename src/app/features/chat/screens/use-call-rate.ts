import type { CallKind } from '../../../../protocol/product/calls.ts';
import type { Companion } from '../../../../protocol/product/chat.ts';
import { useProductQuery } from '../../../core/hooks/use-product.ts';
import { useIsPaid } from '../../money/wallet/use-is-paid.ts';

/**
 * Returns the quoted price of a call to the other user in coins a minute. Returns 0 for a free call and without a
 * quote.
 */
export function useCallRate(companion: Companion, kind: CallKind): number {
  const isPaid = useIsPaid(companion);
  const { data } = useProductQuery('quoteCall', { body: { callee: companion.u_id, kind } }, { enabled: isPaid });
  return isPaid ? (data?.rate ?? 0) : 0;
}
