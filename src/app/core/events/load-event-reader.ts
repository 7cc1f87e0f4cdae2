import type { ReadEvent } from './event-client.ts';

/** What understands live events: a chunk of its own, since a visitor hears of none. */
export async function loadEventReader(): Promise<ReadEvent> {
  return (await import('./read-event.ts')).readEvent;
}
