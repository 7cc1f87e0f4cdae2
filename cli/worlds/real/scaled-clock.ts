import type { Clock } from '../../../src/common/clock.ts';
import { hostClock } from '../../../src/common/host-clock.ts';

/** The clock of the host, with a wall time that can be set, and a count of its timers. */
export interface CountedClock extends Clock {
  /** The number of pending timers. */
  readonly pending: number;
  /** Sets the wall clock: the wall time jumps by `ms`. Timers are not affected. */
  skewWall(ms: number): void;
}

/**
 * @param scale - how many times faster timers run: a wait of a minute takes `60 / scale` seconds.
 * @param clock - the clock below. Default: that of the host.
 */
export function scaledClock(scale: number, clock: Clock = hostClock()): CountedClock {
  let skew = 0;
  const pending = new Set<object>();
  return {
    get pending() {
      return pending.size;
    },
    skewWall(ms) {
      skew += ms;
    },
    now: () => clock.now() * scale,
    wallTime: () => clock.wallTime() + skew,
    after(ms, run) {
      const timer = clock.after(ms / scale, () => {
        pending.delete(timer);
        run();
      });
      pending.add(timer);
      return { cancel: () => (pending.delete(timer), timer.cancel()) };
    },
    every(ms, run) {
      const timer = clock.every(ms / scale, run);
      pending.add(timer);
      return { cancel: () => (pending.delete(timer), timer.cancel()) };
    },
  };
}
