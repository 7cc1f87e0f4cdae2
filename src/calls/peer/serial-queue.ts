/**
 * Runs operations one after another: a peer connection's negotiation must never overlap with itself. A failed operation
 * is reported and the next one runs; once closed, what waits is dropped.
 */
export class SerialQueue {
  readonly #failed: (what: string, error: unknown) => void;
  #tail: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(failed: (what: string, error: unknown) => void) {
    this.#failed = failed;
  }

  /** `what` names the operation in the log. */
  add(what: string, operation: () => Promise<void>): void {
    this.#tail = this.#tail.then(async () => {
      if (this.#closed) return;
      try {
        await operation();
      } catch (error) {
        // What fails because the connection was closed under it is no failure.
        if (!this.#closed) this.#failed(what, error);
      }
    });
  }

  close(): void {
    this.#closed = true;
  }
}
