/** A value that can be watched. What React reads through `useStore`; everything else calls `get` and `subscribe`. */
export interface ReadableStore<T> {
  get(): T;
  /** Returns the undo. The listener is not called with the present value. */
  subscribe(listener: () => void): () => void;
}

export interface Store<T> extends ReadableStore<T> {
  set(next: T): void;
  update(change: (current: T) => T): void;
}

export function createStore<T>(initial: T): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();

  function set(next: T): void {
    if (Object.is(next, current)) return;
    current = next;
    // A copy: a listener may unsubscribe itself or others while being told.
    for (const listener of Array.from(listeners)) listener();
  }

  return {
    get: () => current,
    set,
    update: (change) => set(change(current)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
