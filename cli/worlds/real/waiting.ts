/** Not everything that can be asked about has an event; it is looked at this often, milliseconds. */
const LOOK_MS = 25;

/** Waits for conditions in real time: asked whenever something happened, and from time to time. */
export class Waiting {
  readonly #asking = new Set<() => void>();
  /** When the first of the things happened that were not asked about yet; undefined where none did. */
  #wokenAt: number | undefined;
  #moment = performance.now();
  #late = 0;

  /** When what ended the last wait happened, on the clock of `performance.now()`. */
  get moment(): number {
    return this.#moment;
  }

  /** The longest that this machine has kept a timer, or word of an event, waiting so far, milliseconds. */
  get late(): number {
    return this.#late;
  }

  /** Notes that something was `ms` late. */
  wasLate(ms: number): void {
    this.#late = Math.max(this.#late, ms);
  }

  /** Something happened, `at` that moment. What it leads to at once is done when the conditions are asked. */
  wake(at = performance.now()): void {
    if (this.#wokenAt !== undefined) return;
    this.#wokenAt = at;
    setImmediate(() => {
      for (const ask of this.#asking) ask();
      this.#wokenAt = undefined;
    });
  }

  /** Resolves when the condition holds, or `ms` have passed: with whether it held. Rejects with what it threw. */
  until(condition: () => boolean, ms: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(limit);
        clearInterval(looking);
        this.#asking.delete(ask);
        this.#moment = this.#wokenAt ?? performance.now();
        settle();
      };
      const ask = () => {
        try {
          if (condition()) end(() => resolve(true));
        } catch (error) {
          end(() => reject(error));
        }
      };
      const limit = setTimeout(() => {
        ask();
        end(() => resolve(false));
      }, ms);
      let looked = performance.now();
      const looking = setInterval(() => {
        const now = performance.now();
        this.wasLate(now - looked - LOOK_MS);
        looked = now;
        ask();
      }, LOOK_MS);
      this.#asking.add(ask);
      // What was done just now leads to something before it is asked for the first time.
      setImmediate(ask);
    });
  }
}
