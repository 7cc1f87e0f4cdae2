/** Work that is being done, so that a stop can wait for it. */
export class UnderWay {
  readonly #all = new Set<Promise<unknown>>();

  /** Counts the work until it is done, and returns it. */
  track<Result>(work: Promise<Result>): Promise<Result> {
    const done: Promise<unknown> = work.then(
      () => this.#all.delete(done),
      () => this.#all.delete(done),
    );
    this.#all.add(done);
    return work;
  }

  /** Resolves when nothing is being done. */
  async settled(): Promise<void> {
    while (this.#all.size > 0) await Promise.all(this.#all);
  }
}

/** Waits for the work, but no longer than so many milliseconds. Returns whether it was done; rejects where it does. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
