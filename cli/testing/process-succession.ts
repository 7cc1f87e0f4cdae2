/** A process of worlds, as its successor sees it. */
interface Replaceable {
  /** Whether it has loaded. */
  readonly isReady: boolean;
  /** Whether it has ended. */
  readonly isLost: boolean;
  /** The number of worlds so far. */
  readonly worlds: number;
  /** Ends the process with its last world. */
  retire(): void;
}

/** The process for new worlds. It is replaced when it has ended, or has held enough worlds. */
export class ProcessSuccession<P extends Replaceable> {
  readonly #fork: () => P;
  readonly #mostWorlds: number;
  #current: P | undefined;
  /** The process that loads, so that no test waits for it. */
  #next: P | undefined;

  /** @param mostWorlds - the number of worlds after which a process is replaced. */
  constructor(fork: () => P, mostWorlds: number) {
    this.#fork = fork;
    this.#mostWorlds = mostWorlds;
  }

  /** Returns the process for a new world. */
  take(): P {
    if (this.#next?.isLost === true) this.#next = undefined;
    if (this.#current && this.#current.worlds >= this.#mostWorlds) this.#next ??= this.#fork();
    if (this.#current?.isLost === true || this.#next?.isReady === true) {
      this.#current?.retire();
      this.#current = this.#next;
      this.#next = undefined;
    }
    this.#current ??= this.#fork();
    return this.#current;
  }
}
