/**
 * Runs operations one after another, since negotiations of a peer connection must not overlap. A failed operation is
 * reported and the next one runs. After the close, waiting operations are dropped.
 */
export class SerialQueue {
  readonly #failed: (what: string, error: unknown) => void;
  #tail: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(failed: (what: string, error: unknown) => void) {
    this.#failed = failed;
  }

  /** Adds an operation. `what` is its name in the log. */
  add(what: string, operation: () => Promise<void>): void {
    this.#tail = this.#tail.then(async () => {
      if (this.#closed) return;
      try {
        await operation();
      } catch (error) {
        // A failure because of the close is not an error.
        if (!this.#closed) this.#failed(what, error);
      }
    });
  }

  close(): void {
    this.#closed = true;
  }
}
