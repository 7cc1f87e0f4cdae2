import { Refusal } from './refusal.ts';

export interface WorkQueueOptions {
  /** Works that are done at the same time. */
  readonly atOnce: number;
  /** Further ones that may wait. */
  readonly waiting: number;
}

/** How long a client waits that found the queue full. Seconds. */
const RETRY_S = 5;

/** A queue of a bounded length for work that takes a thread and much memory. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Does the work when its turn comes. @throws Refusal busy: too much waits already; what the work throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.atOnce) {
      this.#running += 1;
    } else {
      if (this.#waiting.length >= this.#options.waiting) {
        throw new Refusal('busy', 'The server has too much to do.', { retry_after: RETRY_S });
      }
      // The work that ends hands its place to the first that waits.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
