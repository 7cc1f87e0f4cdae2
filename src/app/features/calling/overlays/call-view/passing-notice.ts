import type { Clock, Timer } from '../../../../../common/clock.ts';
import { type ReadableStore, createStore } from '../../../../../common/store.ts';

const SHOWN_MS = 4_000;

/** A message that disappears after a few seconds. A new message replaces it. */
export interface PassingNotice extends ReadableStore<string | null> {
  say(text: string): void;
}

export function createPassingNotice(clock: Clock): PassingNotice {
  const text = createStore<string | null>(null);
  let hiding: Timer | undefined;
  return {
    get: text.get,
    subscribe: text.subscribe,
    say(next) {
      hiding?.cancel();
      text.set(next);
      hiding = clock.after(SHOWN_MS, () => text.set(null));
    },
  };
}
