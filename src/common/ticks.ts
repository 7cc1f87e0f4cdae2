import type { Clock, Timer } from './clock.ts';
import { type ReadableStore, createStore } from './store.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;

/**
 * Creates a store of the time in milliseconds. It changes at each full interval. Its timer runs only while it has
 * listeners.
 */
export function createTicks(clock: Clock, intervalMs: number): ReadableStore<number> {
  const now = createStore(clock.wallTime());
  let watchers = 0;
  let next: Timer | undefined;

  function tick(): void {
    now.set(clock.wallTime());
    next = clock.after(intervalMs - (clock.wallTime() % intervalMs), tick);
  }

  return {
    // Without listeners the last tick may be old.
    get: () => (watchers > 0 ? now.get() : clock.wallTime() - (clock.wallTime() % intervalMs)),
    subscribe(listener) {
      const unsubscribe = now.subscribe(listener);
      watchers += 1;
      if (watchers === 1) tick();
      return () => {
        unsubscribe();
        watchers -= 1;
        if (watchers === 0) next?.cancel();
      };
    },
  };
}
