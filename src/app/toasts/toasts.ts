import type { Clock } from '../ports/clock.ts';
import { type ReadableStore, createStore } from '../store/store.ts';

export interface Toast {
  readonly id: number;
  readonly text: string;
}

/** Words that pass by themselves: nothing is to be done about them. */
export interface Toasts {
  /** What is shown now, the oldest first. */
  readonly shown: ReadableStore<readonly Toast[]>;
  show(text: string): void;
  dismiss(id: number): void;
  /** Takes back what is shown, and its timers. */
  dispose(): void;
}

/** Long enough to read a line twice. */
const SHOWN_MS = 6_000;
/** More than these cover the page. */
const MOST = 3;

export function createToasts(clock: Clock): Toasts {
  const shown = createStore<readonly Toast[]>([]);
  const cancels = new Map<number, () => void>();
  let lastId = 0;

  function keep(toasts: readonly Toast[]): void {
    for (const [id, cancel] of cancels) {
      if (toasts.some((toast) => toast.id === id)) continue;
      cancel();
      cancels.delete(id);
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
      cancels.set(
        id,
        clock.after(SHOWN_MS, () => dismiss(id)),
      );
    },
    dispose: () => keep([]),
  };
}
