import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Person, PersonDetail } from '../../protocol/product/people.ts';
import { outdate, pagesKept } from '../product/product-queries.ts';
import { useServices } from '../services/services-context.ts';
import { patchPages, patched } from './presence-patch.ts';

type Pages = InfiniteData<{ items: Person[]; next: string | null }>;

/** Keeps the presence of people that are shown up to date, as the events tell it. */
export function useLivePresence(): void {
  const { events } = useServices();
  const queries = useQueryClient();
  useEffect(() => {
    const undo = [
      events.on('presence_changed', (change) => {
        queries.setQueriesData<Pages>(pagesKept('discover'), (data) => patchPages(data, change) as Pages | undefined);
        queries.setQueriesData<PersonDetail>({ queryKey: ['person'] }, (data) => data && patched(data, change));
      }),
      events.on('resync', () => outdate(queries, ['discover', 'person'])),
    ];
    return () => undo.forEach((stop) => stop());
  }, [events, queries]);
}
