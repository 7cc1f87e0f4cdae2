import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useServices } from '../../services/services-context.ts';
import { livePresence } from './live-presence.ts';

/** While it is drawn, people that are shown are as the events tell of them. */
export function useLivePresence(): void {
  const { events } = useServices();
  const queries = useQueryClient();
  useEffect(() => livePresence(queries, events), [events, queries]);
}
