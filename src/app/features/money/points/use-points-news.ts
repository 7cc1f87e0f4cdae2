import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { outdate } from '../../../core/product/product-queries.ts';
import { useEvents } from '../../../core/hooks/areas.ts';

/**
 * The options of queries for points. No screen followed the events while it was closed, so a screen reloads on opening.
 */
export const POINTS_NEWS = { staleTime: 0 } as const;

/** Reloads points, income and redemptions after an event about them. */
export function usePointsNews(): void {
  const { events } = useEvents();
  const queries = useQueryClient();
  useEffect(() => {
    const renew = (): void => outdate(queries, ['points', 'income', 'redemptions']);
    const undo = [
      events.on('points_changed', renew),
      events.on('redemption_changed', renew),
      events.on('wallet_changed', renew),
      // A paid minute of a call.
      events.on('call_billing', renew),
    ];
    return () => undo.forEach((stop) => stop());
  }, [events, queries]);
}
