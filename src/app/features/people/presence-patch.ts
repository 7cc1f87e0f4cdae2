import type { InfiniteData } from '@tanstack/react-query';
import type { PresenceChanged } from '../../../protocol/product/events.ts';
import type { Person } from '../../../protocol/product/people.ts';

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
export function patched<User extends Person>(person: User, change: PresenceChanged): User {
  if (person.u_id !== change.u_id) return person;
  return { ...person, presence: change.presence, last_seen_at: change.last_seen_at };
}
