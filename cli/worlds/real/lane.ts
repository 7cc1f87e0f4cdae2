/** One direction of one connection. Its messages keep their order: each one waits for delayed ones before it. */
export class Lane {
  readonly #after: (ms: number, run: () => void) => void;
  readonly #queue: { isDue: boolean; readonly deliver: () => void }[] = [];

  /** @param after - runs a function after a number of milliseconds. */
  constructor(after: (ms: number, run: () => void) => void = (ms, run) => void setTimeout(run, ms)) {
    this.#after = after;
  }

  /** Delivers after `delayMs`, and after all earlier messages. At once when there is nothing to wait for. */
  pass(delayMs: number, deliver: () => void): void {
    if (delayMs === 0 && this.#queue.length === 0) return deliver();
    const message = { isDue: delayMs === 0, deliver };
    this.#queue.push(message);
    if (message.isDue) return undefined;
    return this.#after(delayMs, () => {
      message.isDue = true;
      while (this.#queue[0]?.isDue) this.#queue.shift()?.deliver();
    });
  }
}
