import type { Clock, Timer } from '../../../../../common/clock.ts';
import { type ReadableStore, createStore } from '../../../../../common/store.ts';

const HIDE_AFTER_MS = 3_000;

/** A store that is true while controls are visible. They hide after three seconds without input. */
export interface IdleVisibility extends ReadableStore<boolean> {
  /** Shows the controls after a movement, a touch or a key. */
  touch(): void;
}

export function createIdleVisibility(clock: Clock): IdleVisibility {
  const visible = createStore(true);
  let hiding: Timer | undefined;
  let watchers = 0;

  function touch(): void {
    hiding?.cancel();
    visible.set(true);
    if (watchers > 0) hiding = clock.after(HIDE_AFTER_MS, () => visible.set(false));
  }

  return {
    get: visible.get,
    touch,
    subscribe(listener) {
      const unsubscribe = visible.subscribe(listener);
      watchers += 1;
      touch();
      return () => {
        unsubscribe();
        watchers -= 1;
        if (watchers === 0) hiding?.cancel();
      };
    },
  };
}
