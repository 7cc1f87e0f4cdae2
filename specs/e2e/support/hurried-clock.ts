/** The clock of a server that need not be waited for: it runs as time does, and can be put forward. */
import type { Clock, TimerHandle } from '../../../sim/exchange/ports.ts';

export interface HurriedClock extends Clock {
  /** From now on it is so many milliseconds later: what is due by then is done, in its order; what that sets counts from then. */
  hurry(ms: number): void;
}

interface Pending {
  readonly due: number;
  readonly run: () => void;
  timer: NodeJS.Timeout;
}

export function createHurriedClock(): HurriedClock {
  const pending = new Map<TimerHandle, Pending>();
  let ahead = 0;
  const now = (): number => Date.now() + ahead;

  function cancel(handle: TimerHandle): void {
    clearTimeout(pending.get(handle)?.timer);
    pending.delete(handle);
  }

  function fire(handle: TimerHandle, { run }: Pending): void {
    cancel(handle);
    run();
  }

  return {
    now,
    monotonic: now,
    setTimeout(run, ms) {
      const handle: TimerHandle = { cancel: () => cancel(handle) };
      const one: Pending = { due: now() + ms, run, timer: setTimeout(() => fire(handle, one), ms) };
      pending.set(handle, one);
      return handle;
    },
    clearTimeout: cancel,
    hurry(ms) {
      ahead += ms;
      for (const [handle, one] of [...pending].toSorted(([, a], [, b]) => a.due - b.due)) {
        if (!pending.has(handle)) continue;
        if (one.due <= now()) {
          fire(handle, one);
          continue;
        }
        clearTimeout(one.timer);
        one.timer = setTimeout(() => fire(handle, one), one.due - now());
      }
    },
  };
}
