import { useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useEvents } from '../../core/hooks/areas.ts';
import type { PresenceChanged } from '../../../protocol/product/events.ts';
import type { Person, PersonDetail } from '../../../protocol/product/people.ts';
import type { EventClient } from '../../core/events/event-client.ts';
import { outdate, pagesKept } from '../../core/product/product-queries.ts';

type Pages = InfiniteData<{ items: Person[]; next: string | null }>;

/** The requests whose answers contain users. */
const SHOWING = ['discover', 'person'] as const;

/** Updates the presence of the shown users by the events of the server. Returns the function that stops this. */
export function livePresence(queries: QueryClient, events: Pick<EventClient, 'on'>): () => void {
  /** The changes during a request, whose answer may be older than they are. */
  const meanwhile = new Map<string, PresenceChanged>();
  const isShowing = (key: unknown): boolean => SHOWING.some((name) => name === key);
  const isAsking = (): boolean => queries.isFetching({ predicate: ({ queryKey }) => isShowing(queryKey[0]) }) > 0;

  function patch(change: PresenceChanged): void {
    queries.setQueriesData<Pages>(pagesKept('discover'), (data) => patchPages(data, change) as Pages | undefined);
    queries.setQueriesData<PersonDetail>({ queryKey: ['person'] }, (data) => data && patched(data, change));
  }

  const undo = [
    events.on('presence_changed', (change) => {
      if (isAsking()) meanwhile.set(change.u_id, change);
      patch(change);
    }),
    events.on('resync', () => outdate(queries, SHOWING)),
    queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || !isShowing(event.query.queryKey[0])) return;
      // A `manual` update comes from `patch` itself.
      if (event.action.type === 'success' && !event.action.manual)
        for (const change of meanwhile.values()) patch(change);
      if (!isAsking()) meanwhile.clear();
    }),
  ];
  return () => undo.forEach((stop) => stop());
}

/** Updates the presence of the shown users while the component is mounted. */
export function useLivePresence(): void {
  const { events } = useEvents();
  const queries = useQueryClient();
  useEffect(() => livePresence(queries, events), [events, queries]);
}

interface Page {
  readonly items: readonly Person[];
  readonly next: string | null;
}

/**
 * Returns the pages with a changed presence. The order stays, so that the user does not press another card by accident.
 */
export function patchPages(
  data: InfiniteData<Page> | undefined,
  change: PresenceChanged,
): InfiniteData<Page> | undefined {
  if (!data?.pages.some(({ items }) => items.some(({ u_id }) => u_id === change.u_id))) return data;
  return {
    ...data,
    pages: data.pages.map((page) => ({ ...page, items: page.items.map((person) => patched(person, change)) })),
  };
}

/** Returns the user after a change. Another user's change has no effect. */
function patched<User extends Person>(person: User, change: PresenceChanged): User {
  if (person.u_id !== change.u_id) return person;
  return { ...person, presence: change.presence, last_seen_at: change.last_seen_at };
}
