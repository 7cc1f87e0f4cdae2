import type { InfiniteData } from '@tanstack/react-query';
import type { PresenceChanged } from '../../../protocol/product/events.ts';
import type { Person } from '../../../protocol/product/people.ts';

interface Page {
  readonly items: readonly Person[];
  readonly next: string | null;
}

/** Pages of people with a change of presence put in place. Nobody moves: no finger should land on another person. */
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

/** Somebody as a change leaves them; whom it is not about stays the same. */
export function patched<Somebody extends Person>(person: Somebody, change: PresenceChanged): Somebody {
  if (person.u_id !== change.u_id) return person;
  return { ...person, presence: change.presence, last_seen_at: change.last_seen_at };
}
