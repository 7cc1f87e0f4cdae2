import type { Clock } from '../../../src/common/clock.ts';
import type { Exchange } from '../../exchange/exchange.ts';

/** The work under way, so that a stop can wait for it. */
export class UnderWay {
  readonly #all = new Set<Promise<unknown>>();

  /** Counts the work until it settles, and returns it. */
  track<Result>(work: Promise<Result>): Promise<Result> {
    const done: Promise<unknown> = work.then(
      () => this.#all.delete(done),
      () => this.#all.delete(done),
    );
    this.#all.add(done);
    return work;
  }

  /** Resolves when no work is under way. */
  async settled(): Promise<void> {
    while (this.#all.size > 0) await Promise.all(this.#all);
  }
}

/**
 * Waits for the work, but no longer than `ms` milliseconds. Returns whether it was done. Rejects when the work
 * rejects.
 */
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

/** Resolves when no call is live and no user is in a room, at the latest after `ms` milliseconds. */
export function callsOver(
  exchange: Pick<Exchange, 'liveCalls' | 'liveRooms' | 'subscribe'>,
  clock: Clock,
  ms: number,
): Promise<void> {
  return new Promise((resolve) => {
    const isOver = (): boolean => exchange.liveCalls.length === 0 && exchange.liveRooms.length === 0;
    if (ms <= 0 || isOver()) return resolve();
    const done = (): void => {
      stop();
      limit.cancel();
      resolve();
    };
    const limit = clock.after(ms, done);
    const stop = exchange.subscribe(({ kind }) => {
      // The exchange notifies listeners of an end before it removes the call from the list.
      if (kind === 'ended' || kind === 'presence') queueMicrotask(() => void (isOver() && done()));
    });
  });
}
