import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { outdate } from '../product/product-queries.ts';
import { useServices } from '../services/services-context.ts';

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
    ];
    return () => undo.forEach((stop) => stop());
  }, [events, queries]);
}
