/**
 * Calls `tick` at a steady rate. A plain interval drifts and loses ticks when the process is busy. Here the due time of
 * each tick counts from the start, so late ticks are caught up and the rate stays exact.
 */
import type { Clock, Timer } from '../../../src/common/clock.ts';

/**
 * The maximum number of ticks caught up at once. After a longer stall the rhythm restarts: a burst of old audio is
 * useless.
 */
const MOST_LATE_TICKS = 20;

/** Starts a pump. The first tick runs at once. Returns the function that stops it. */
export function startPump(
  intervalMs: number,
  tick: (count: number) => void,
  clock: Pick<Clock, 'now' | 'after'>,
): () => void {
  let startedAt = clock.now();
  let sinceStart = 0;
  let count = 0;
  let timer: Timer | undefined;
  let stopped = false;

  const beat = () => {
    const due = Math.floor((clock.now() - startedAt) / intervalMs) + 1;
    if (due - sinceStart > MOST_LATE_TICKS) {
      startedAt = clock.now();
      sinceStart = 0;
    }
    const until = Math.floor((clock.now() - startedAt) / intervalMs) + 1;
    while (sinceStart < until && !stopped) {
      sinceStart += 1;
      tick(count);
      count += 1;
    }
    if (stopped) return;
    timer = clock.after(Math.max(0, startedAt + sinceStart * intervalMs - clock.now()), beat);
  };
  beat();

  return () => {
    stopped = true;
    timer?.cancel();
  };
}
