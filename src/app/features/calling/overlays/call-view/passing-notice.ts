import type { Clock } from '../../../../core/ports/clock.ts';
import { type ReadableStore, createStore } from '../../../../core/store/store.ts';

const SHOWN_MS = 4_000;

/** One line that is said for a few seconds; a new one takes its place. */
export interface PassingNotice extends ReadableStore<string | null> {
  say(text: string): void;
}

export function createPassingNotice(clock: Clock): PassingNotice {
  const text = createStore<string | null>(null);
  let cancel: (() => void) | undefined;
  return {
    get: text.get,
    subscribe: text.subscribe,
    say(next) {
      cancel?.();
      text.set(next);
      cancel = clock.after(SHOWN_MS, () => text.set(null));
    },
  };
}
