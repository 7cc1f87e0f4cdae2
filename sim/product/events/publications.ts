import type { ProductEvent } from '../../../src/protocol/product/events.ts';
import type { Publication } from '../event-hub.ts';

/** Returns the events of each user in their order. A user that one publication names twice receives it once. */
export function eventsByUser(all: readonly Publication[]): ReadonlyMap<string, ProductEvent[]> {
  const byUser = new Map<string, ProductEvent[]>();
  for (const { uIds, event } of all) {
    for (const uId of new Set(uIds)) {
      const events = byUser.get(uId) ?? [];
      byUser.set(uId, events);
      events.push(event);
    }
  }
  return byUser;
}
