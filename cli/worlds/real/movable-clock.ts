import type { Clock, Timer } from '../../../src/common/clock.ts';

/** The longest wait of one timer of Node. A longer one would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** A clock that follows the time of the machine, and that its owner can move ahead. */
export interface MovableClock extends Clock {
  /** The time until the next timer is due, milliseconds. Undefined without timers. */
  readonly dueIn: number | undefined;
  /**
   * Moves the time ahead by `ms`. The timers that are due by then run first, in the order of their times. Timers that
   * they start count from the new time.
   */
  advance(ms: number): void;
}

interface Pending {
  readonly due: number;
  readonly run: () => void;
}

/** @param machine - the clock that it follows. */
export function createMovableClock(machine: Clock): MovableClock {
  /** The timers, in the order of their times. Equal ones are in the order of their starts. */
  const queue: Pending[] = [];
  let ahead = 0;
  let armed: Timer | undefined;
  const now = () => machine.now() + ahead;

  const arm = () => {
    armed?.cancel();
    const [next] = queue;
    armed = next && machine.after(Math.min(LONGEST_WAIT_MS, Math.max(0, next.due - now())), fireDue);
  };

  const fireDue = () => {
    const instant = now();
    try {
      for (let next = queue[0]; next && next.due <= instant; next = queue[0]) {
        queue.shift();
        next.run();
      }
    } finally {
      arm();
    }
  };

  const after = (ms: number, run: () => void): Timer => {
    const pending = { due: now() + Math.max(0, ms), run };
    const at = queue.findIndex(({ due }) => due > pending.due);
    queue.splice(at < 0 ? queue.length : at, 0, pending);
    if (queue[0] === pending) arm();
    return {
      cancel() {
        const found = queue.indexOf(pending);
        if (found < 0) return;
        queue.splice(found, 1);
        if (found === 0) arm();
      },
    };
  };

  return {
    now,
    wallTime: () => machine.wallTime() + ahead,
    after,
    every(ms, run) {
      const again = () => {
        timer = after(Math.max(1, ms), again);
        run();
      };
      let timer = after(Math.max(1, ms), again);
      return { cancel: () => timer.cancel() };
    },
    get dueIn() {
      const [next] = queue;
      return next && Math.max(0, next.due - now());
    },
    advance(ms) {
      ahead += ms;
      fireDue();
    },
  };
}
