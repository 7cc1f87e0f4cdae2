import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useEvents } from '../../core/hooks/areas.ts';
import { livePresence } from './live-presence.ts';

/** Updates the presence of the shown users while the component is mounted. */
export function useLivePresence(): void {
  const { events } = useEvents();
  const queries = useQueryClient();
  useEffect(() => livePresence(queries, events), [events, queries]);
}
