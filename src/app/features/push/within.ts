import type { Clock } from '../../../common/clock.ts';

/** Settles with the work. Rejects with `late()` when the work takes longer than `ms` milliseconds. */
export function within<T>(clock: Clock, ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const limit = clock.after(ms, () => reject(late()));
    work.then(resolve, reject).finally(() => limit.cancel());
  });
}
