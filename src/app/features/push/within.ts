import type { Clock } from '../../core/ports/clock.ts';

/** What comes of the work, or `late()` as an error where it takes longer than `ms`. */
export function within<T>(clock: Clock, ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(late()));
    work.then(resolve, reject).finally(cancel);
  });
}
