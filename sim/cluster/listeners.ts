/** The listeners to one kind of event. */
export class Listeners<Args extends readonly unknown[]> {
  readonly #all = new Set<(...args: Args) => void>();
  readonly #failed: (error: unknown) => void;

  /** @param failed - receives the error of a listener. The other listeners are called all the same. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Adds a listener. Returns the function that removes it. */
  add(listener: (...args: Args) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  call(...args: Args): void {
    for (const listener of [...this.#all]) {
      try {
        listener(...args);
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}
