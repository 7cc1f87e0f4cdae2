import type { Clock, Timer } from './clock.ts';

/** The longest wait. A longer one overflows a signed 32-bit number and would fire at once (HTML, timers). */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

interface Pending {
  due: number;
  /** The number of the timer, in the order of their starts. */
  readonly order: number;
  readonly run: () => void;
  /** The period, milliseconds. Null for a timer that fires once. */
  readonly period: number | null;
}

/**
 * The clock of a host: a browser or Node. All timers are in one queue behind one host timer. Hosts round times, and
 * only a queue keeps the start order of timers that are due at the same instant (D01).
 */
export function hostClock(): Clock {
  /** The timers by due time. Equal ones are in the order of their starts. */
  const queue: Pending[] = [];
  let started = 0;
  let armed: ReturnType<typeof setTimeout> | undefined;
  const now = () => performance.now();

  const arm = () => {
    clearTimeout(armed);
    const [next] = queue;
    armed = next && setTimeout(fire, Math.min(LONGEST_WAIT_MS, Math.max(0, next.due - now())));
  };

  const fire = () => {
    const instant = now();
    for (let next = queue[0]; next && next.due <= instant; next = queue[0]) {
      queue.shift();
      if (next.period !== null) {
        // After a freeze the missed periods are skipped.
        const following = next.due + next.period;
        next.due = following > instant ? following : instant + next.period;
        enqueue(next);
      }
      try {
        next.run();
      } catch (error) {
        // The host reports the failure of a timer. The next timer still runs.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    arm();
  };

  const enqueue = (pending: Pending) => {
    const at = queue.findIndex(({ due, order }) => due > pending.due || (due === pending.due && order > pending.order));
    queue.splice(at < 0 ? queue.length : at, 0, pending);
  };

  const start = (ms: number, run: () => void, period: number | null): Timer => {
    started += 1;
    const pending: Pending = { due: now() + Math.max(0, ms), order: started, run, period };
    enqueue(pending);
    if (queue[0] === pending) arm();
    return {
      cancel: () => {
        const at = queue.indexOf(pending);
        if (at < 0) return;
        queue.splice(at, 1);
        if (at === 0) arm();
      },
    };
  };

  return {
    now,
    wallTime: () => Date.now(),
    after: (ms, run) => start(ms, run, null),
    every: (ms, run) => start(ms, run, Math.max(1, ms)),
  };
}
