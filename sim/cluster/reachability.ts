/** Whether a shared state is reachable, with the listeners of its changes. */
export class Reachability {
  readonly #listeners = new Set<(isReachable: boolean) => void>();
  #isReachable: boolean;

  constructor(isReachable: boolean) {
    this.#isReachable = isReachable;
  }

  get isReachable(): boolean {
    return this.#isReachable;
  }

  /** Sets whether the state is reachable. Calls the listeners after a change. */
  set(isReachable: boolean): void {
    if (this.#isReachable === isReachable) return;
    this.#isReachable = isReachable;
    for (const listener of [...this.#listeners]) listener(isReachable);
  }

  /** Calls the listener after each change. Returns the function that removes it. */
  onChange(listener: (isReachable: boolean) => void): () => void {
    // Two registrations of one function are two listeners.
    const own = (isReachable: boolean) => listener(isReachable);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Removes all listeners. */
  clear(): void {
    this.#listeners.clear();
  }
}
