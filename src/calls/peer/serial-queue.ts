/** A queue of operations that run one after another, since negotiations of a peer connection must not overlap. */
export interface SerialQueue {
  /** Adds an operation. `what` is its name in the log. */
  add(what: string, operation: () => Promise<void>): void;
  /** Drops the operations that wait. */
  close(): void;
}

/** Returns a queue that reports a failed operation and runs the next one. */
export function serialQueue(failed: (what: string, error: unknown) => void): SerialQueue {
  let tail: Promise<void> = Promise.resolve();
  let closed = false;
  return {
    add: (what, operation) => {
      tail = tail.then(async () => {
        if (closed) return;
        try {
          await operation();
        } catch (error) {
          // A failure because of the close is not an error.
          if (!closed) failed(what, error);
        }
      });
    },
    close: () => void (closed = true),
  };
}
