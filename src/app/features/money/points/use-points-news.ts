import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { outdate } from '../../../core/product/product-queries.ts';
import { useServices } from '../../../services/services-context.ts';

/** For queries of them: what happened while nobody looked is not known, so that they are read again when somebody does. */
export const POINTS_NEWS = { staleTime: 0 } as const;

/** Reads points, income and redemptions again when something happens to them. */
export function usePointsNews(): void {
  const { events } = useServices();
  const queries = useQueryClient();
  useEffect(() => {
    const renew = (): void => outdate(queries, ['points', 'income', 'redemptions']);
    const undo = [
      events.on('points_changed', renew),
      events.on('redemption_changed', renew),
      events.on('wallet_changed', renew),
      // A minute of a call that earned.
      events.on('call_billing', renew),
    ];
    return () => undo.forEach((stop) => stop());
  }, [events, queries]);
}
