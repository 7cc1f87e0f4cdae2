import type { ReadEvent } from './event-client.ts';

/** Loads the parser of live events. It is a separate chunk, because a visitor receives no events. */
export async function loadEventReader(): Promise<ReadEvent> {
  return (await import('./read-event.ts')).readEvent;
}
