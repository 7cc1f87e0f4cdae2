/** A value that listeners can follow. React reads it through `useStore`; other code calls `get` and `subscribe`. */
export interface ReadableStore<T> {
  /** Returns the present value. */
  get(): T;
  /** Calls the listener at each change, not for the present value. Returns the function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
}

/** A readable store that its owner changes. */
export interface Store<T> extends ReadableStore<T> {
  /** Sets the value. The same value changes nothing. */
  set(next: T): void;
  /** Sets the value that is made from the present one. */
  update(change: (current: T) => T): void;
}

/** Creates a store with an initial value. */
export function createStore<T>(initial: T): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();

  function set(next: T): void {
    if (Object.is(next, current)) return;
    current = next;
    // A copy, because a listener may unsubscribe itself or others during the loop.
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
