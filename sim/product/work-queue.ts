import { Turns } from '../store/turns.ts';
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
  readonly #turns: Turns;
  readonly #mostWaiting: number;

  constructor({ atOnce, waiting }: WorkQueueOptions) {
    this.#turns = new Turns(atOnce);
    this.#mostWaiting = waiting;
  }

  /** Does the work when its turn comes. @throws Refusal busy: too much waits already; what the work throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#turns.isFree && this.#turns.waiting >= this.#mostWaiting)
      throw new Refusal('busy', 'The server has too much to do.', { retry_after: RETRY_S });
    return this.#turns.take(work);
  }
}
