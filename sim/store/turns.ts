/** A semaphore that runs a limited number of jobs at once. The others wait in their order and hold nothing. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** The number of jobs that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether a job would start at once. */
  get isFree(): boolean {
    return this.#free > 0;
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The job that ends hands its turn to the first that waits.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
