/**
 * Calls `tick` at a steady rate. A plain interval drifts and loses ticks when the process is busy. Here the due time of
 * each tick counts from the start, so late ticks are caught up and the rate stays exact.
 */

/**
 * The maximum number of ticks caught up at once. After a longer stall the rhythm restarts: a burst of old audio is
 * useless.
 */
const MOST_LATE_TICKS = 20;

export interface PumpClock {
  now(): number;
  setTimeout(run: () => void, ms: number): { unref?: () => void };
  clearTimeout(timer: unknown): void;
}

const realClock: PumpClock = {
  now: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** Starts a pump. The first tick runs at once. Returns the function that stops it. */
export function startPump(intervalMs: number, tick: (count: number) => void, clock: PumpClock = realClock): () => void {
  let startedAt = clock.now();
  let sinceStart = 0;
  let count = 0;
  let timer: unknown;
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
    timer = clock.setTimeout(beat, Math.max(0, startedAt + sinceStart * intervalMs - clock.now()));
  };
  beat();

  return () => {
    stopped = true;
    clock.clearTimeout(timer);
  };
}
