/** A part that runs until it is stopped. */
export interface Running {
  /** Resolves when no work of the part is in progress, also after its stop. Never rejects. */
  settled?(): Promise<void>;
  /** Stops the part: its timers and its listeners. Work in progress may go on, see `settled`. */
  dispose?(): void | Promise<void>;
}

/** A stack of the parts that run. It stops them in the reverse order of their start. */
export class Lifetime {
  readonly #parts: Running[] = [];
  readonly #failed: (error: unknown) => void;
  #end: Promise<void> | null = null;

  /** @param failed - receives the error of each part that fails to stop. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Adds a part that has started. Stops the part at once when the lifetime is over. Returns the part. */
  add<Part extends Running>(part: Part): Part {
    this.#parts.push(part);
    if (this.#end) this.#end = Promise.all([this.#end, this.#stop(part)]).then(() => undefined);
    return part;
  }

  /** Resolves when no work of any part is in progress. The parts settle in the order of their start. */
  async settled(): Promise<void> {
    for (const part of this.#parts) await part.settled?.();
  }

  /** Stops every part, once. Never rejects: a part that fails does not keep the others running. */
  async dispose(): Promise<void> {
    this.#end ??= this.#stopAll();
    await this.#end;
  }

  /** Stops parts without waiting, as long as no part has to be waited for. */
  async #stopAll(): Promise<void> {
    for (const part of this.#parts.toReversed()) {
      const stopped = this.#stop(part);
      if (stopped) await stopped;
    }
  }

  #stop(part: Running): Promise<void> | null {
    try {
      // A `dispose` without a promise may still return a value: TypeScript allows any function in place of `() => void`.
      const stopped: unknown = part.dispose?.();
      return stopped instanceof Promise ? stopped.catch((error: unknown) => this.#failed(error)) : null;
    } catch (error) {
      this.#failed(error);
      return null;
    }
  }
}
