/** The end of a turn of the event loop: when it has read every socket, and before it waits for the next event. */

/** The pace of the turns, see turn-pace.ts. */
interface Pace {
  /** Called when the work at the end of a turn has begun. */
  end(): void;
}

/**
 * The work that waits for the end of a turn. A write to a socket or to a store then has what all frames of the turn
 * bring to it. The pace comes last, since it may stop the thread: writes must have begun by then.
 */
export class EndOfTurn {
  #works: (() => void)[] = [];
  readonly #paces = new Set<Pace>();

  /** Runs a function at the end of this turn, in the order of the calls. An error is thrown as an uncaught one. */
  run(work: () => void): void {
    if (this.#works.length === 0) setImmediate(() => this.#end());
    this.#works.push(work);
  }

  /** Resolves at the end of this turn. */
  reached(): Promise<void> {
    return new Promise((resolve) => this.run(resolve));
  }

  /** Ends each turn that has work at a pace. Returns the function that stops this. */
  paceBy(pace: Pace): () => void {
    this.#paces.add(pace);
    return () => void this.#paces.delete(pace);
  }

  #end(): void {
    const works = this.#works;
    this.#works = [];
    for (const work of works) {
      try {
        work();
      } catch (error) {
        // The other work must not be lost.
        setImmediate(() => {
          throw error;
        });
      }
    }
    // What awaits the end of the turn runs in microtasks. A tick that one of them asks for comes after the last of them.
    if (this.#paces.size > 0) queueMicrotask(() => process.nextTick(() => this.#pace()));
  }

  #pace(): void {
    for (const pace of this.#paces) pace.end();
  }
}

/** The end of a turn of this process. It has one event loop. */
export const endOfTurn = new EndOfTurn();
