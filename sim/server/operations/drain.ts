import type { Clock } from '../../../src/common/clock.ts';
import type { Exchange } from '../../exchange/exchange.ts';

/** Resolves when no call is live, at the latest after `ms` milliseconds. */
export function callsOver(
  exchange: Pick<Exchange, 'liveCalls' | 'subscribe'>,
  clock: Clock,
  ms: number,
): Promise<void> {
  return new Promise((resolve) => {
    const isOver = (): boolean => exchange.liveCalls.length === 0;
    if (ms <= 0 || isOver()) return resolve();
    const done = (): void => {
      stop();
      limit.cancel();
      resolve();
    };
    const limit = clock.after(ms, done);
    const stop = exchange.subscribe(({ kind }) => {
      // The exchange notifies listeners of an end before it removes the call from the list.
      if (kind === 'ended') queueMicrotask(() => void (isOver() && done()));
    });
  });
}
