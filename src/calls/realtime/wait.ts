import type { Clock } from '../../common/clock.ts';

/** Waits `ms` milliseconds. Resolves to false, at once and without a timer, when the signal is aborted meanwhile. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (waited: boolean) => {
      timer.cancel();
      signal.removeEventListener('abort', aborted);
      resolve(waited);
    };
    const aborted = () => settle(false);
    const timer = clock.after(ms, () => settle(true));
    signal.addEventListener('abort', aborted);
  });
}
