import { Turns } from '../store/turns.ts';
import { Refusal } from './refusal.ts';

export interface WorkQueueOptions {
  /** The number of jobs that run in parallel. */
  readonly atOnce: number;
  /** The number of further jobs that may wait. */
  readonly waiting: number;
}

/** The delay for a client that found the queue full. Seconds. */
const RETRY_S = 5;

/** A bounded queue of jobs that take a thread and much memory. */
export class WorkQueue {
  readonly #turns: Turns;
  readonly #mostWaiting: number;

  constructor({ atOnce, waiting }: WorkQueueOptions) {
    this.#turns = new Turns(atOnce);
    this.#mostWaiting = waiting;
  }

  /** Runs a job in its turn. @throws Refusal `busy` when the queue is full, and the errors of the job. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#turns.isFree && this.#turns.waiting >= this.#mostWaiting)
      throw new Refusal('busy', 'The server is busy.', { retry_after: RETRY_S });
    return this.#turns.take(work);
  }
}
