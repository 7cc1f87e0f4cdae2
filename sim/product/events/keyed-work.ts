/** Queues of work by key. The work of one key runs in its order, and the keys run in parallel. */
export class KeyedWork {
  readonly #last = new Map<string, Promise<void>>();
  readonly #failed: (error: unknown) => void;

  /** @param failed - receives the error of work that fails. The next work of the key runs all the same. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  add(key: string, work: () => Promise<void>): void {
    const done = (this.#last.get(key) ?? Promise.resolve())
      .then(work)
      .catch(this.#failed)
      .finally(() => {
        if (this.#last.get(key) === done) this.#last.delete(key);
      });
    this.#last.set(key, done);
  }

  /** Resolves when no work is in progress. */
  async settled(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
