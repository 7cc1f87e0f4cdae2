import type { Clock, Timer } from '../../common/clock.ts';
import { type ReadableStore, createStore } from '../../common/store.ts';

/** A message on the screen. */
export interface Toast {
  readonly id: number;
  readonly text: string;
}

/** Short messages that disappear after a time and need no answer. */
export interface Toasts {
  /** The messages on the screen, oldest first. */
  readonly shown: ReadableStore<readonly Toast[]>;
  show(text: string): void;
  dismiss(id: number): void;
  /** Removes every message and stops its timer. */
  dispose(): void;
}

/** Milliseconds that a message is shown: long enough to read a line twice. */
const SHOWN_MS = 6_000;
/** The highest number of messages. More would cover the page. */
const MOST = 3;

/** Creates a list without messages. */
export function createToasts(clock: Clock): Toasts {
  const shown = createStore<readonly Toast[]>([]);
  const timers = new Map<number, Timer>();
  let lastId = 0;

  function keep(toasts: readonly Toast[]): void {
    for (const [id, timer] of timers) {
      if (toasts.some((toast) => toast.id === id)) continue;
      timer.cancel();
      timers.delete(id);
    }
    shown.set(toasts);
  }

  const dismiss = (id: number): void => keep(shown.get().filter((toast) => toast.id !== id));

  return {
    shown,
    dismiss,
    show(text) {
      lastId += 1;
      const id = lastId;
      keep([...shown.get().filter((toast) => toast.text !== text), { id, text }].slice(-MOST));
      timers.set(
        id,
        clock.after(SHOWN_MS, () => dismiss(id)),
      );
    },
    dispose: () => keep([]),
  };
}
