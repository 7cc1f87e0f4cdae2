import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pagesKept } from '../../../core/product/product-queries.ts';
import { useEvents } from '../../../core/hooks/areas.ts';
import { type ChannelPages, channelsAfter } from './channel-list.ts';

/** Updates the loaded lists of channels by the events of the server. */
export function useLiveChannels(): void {
  const { events } = useEvents();
  const queries = useQueryClient();
  useEffect(() => {
    const askAgain = (): void => void queries.invalidateQueries({ queryKey: ['channels'] });
    const apply = (event: Parameters<typeof channelsAfter>[1]): void => {
      let isMissing = false;
      queries.setQueriesData<ChannelPages>(pagesKept('channels'), (kept) => {
        if (kept === undefined) return kept;
        const next = channelsAfter(kept, event);
        isMissing ||= next === null;
        return next ?? kept;
      });
      if (isMissing) askAgain();
    };
    const undo = [
      events.on('message', apply),
      events.on('delivered', apply),
      events.on('read', apply),
      events.on('presence_changed', apply),
      events.on('channel_changed', askAgain),
    ];
    return () => {
      for (const one of undo) one();
    };
  }, [events, queries]);
}
