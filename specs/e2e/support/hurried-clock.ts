/** A server clock that follows the real time, and that a test can advance. */
import { nodeClock } from '../../../sim/server/node-ports.ts';
import type { Clock, Timer } from '../../../src/common/clock.ts';

export interface HurriedClock extends Clock {
  /**
   * Advances the time by this number of milliseconds. Timers that are due by then run in their order. Timers that
   * they start count from the new time.
   */
  hurry(ms: number): void;
}

interface Pending {
  readonly due: number;
  readonly run: () => void;
  timer: Timer;
}

export function createHurriedClock(): HurriedClock {
  const pending = new Map<Timer, Pending>();
  let ahead = 0;
  const now = (): number => nodeClock.wallTime() + ahead;

  function cancel(handle: Timer): void {
    pending.get(handle)?.timer.cancel();
    pending.delete(handle);
  }

  function fire(handle: Timer, { run }: Pending): void {
    cancel(handle);
    run();
  }

  function after(ms: number, run: () => void): Timer {
    const handle: Timer = { cancel: () => cancel(handle) };
    const one: Pending = { due: now() + ms, run, timer: nodeClock.after(ms, () => fire(handle, one)) };
    pending.set(handle, one);
    return handle;
  }

  return {
    wallTime: now,
    now,
    after,
    every(ms, run) {
      const again = (): void => {
        timer = after(ms, again);
        run();
      };
      let timer = after(ms, again);
      return { cancel: () => timer.cancel() };
    },
    hurry(ms) {
      ahead += ms;
      for (const [handle, one] of [...pending].toSorted(([, a], [, b]) => a.due - b.due)) {
        if (!pending.has(handle)) continue;
        if (one.due <= now()) {
          fire(handle, one);
          continue;
        }
        one.timer.cancel();
        one.timer = nodeClock.after(one.due - now(), () => fire(handle, one));
      }
    },
  };
}
