/** The ports of the exchange, implemented with Node. */
import type { Clock, Timer } from '../../src/common/clock.ts';
import { joined } from '../../src/common/joined.ts';
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Log } from '../exchange/logging/log.ts';
import type { HmacSha1, Ids, Sha256 } from '../exchange/ports.ts';

/** The longest wait of one timer of Node. A longer one would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** A timer of Node. A live call has several, so it makes no closures of its own. */
class NodeTimer implements Timer {
  readonly #run: () => void;
  /** What is left after the wait of the current timeout. Milliseconds, 0 when the wait is the last one. */
  #left: number;
  #timeout: NodeJS.Timeout;

  constructor(ms: number, run: () => void) {
    this.#run = run;
    this.#left = Math.max(0, ms - LONGEST_WAIT_MS);
    this.#timeout = setTimeout(NodeTimer.#due, Math.min(ms, LONGEST_WAIT_MS), this);
  }

  cancel(): void {
    clearTimeout(this.#timeout);
  }

  static #due(timer: NodeTimer): void {
    if (timer.#left === 0) return timer.#run();
    timer.#timeout = setTimeout(NodeTimer.#due, Math.min(timer.#left, LONGEST_WAIT_MS), timer);
    timer.#left = Math.max(0, timer.#left - LONGEST_WAIT_MS);
  }
}

export const nodeClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  after: (ms, run) => new NodeTimer(ms, run),
  every(ms, run) {
    const timer = setInterval(run, ms);
    return { cancel: () => clearInterval(timer) };
  },
};

/** Returns the same clock, but logs an error that a timer throws, so that the process goes on. */
export function guardedClock(clock: Clock, log: Pick<Log, 'error'>): Clock {
  const guarded = (run: () => void) => () => {
    try {
      run();
    } catch (error) {
      log.error('a timer failed', { error });
    }
  };
  return {
    now: () => clock.now(),
    wallTime: () => clock.wallTime(),
    after: (ms, run) => clock.after(ms, guarded(run)),
    every: (ms, run) => clock.every(ms, guarded(run)),
  };
}

/** Returns 32 bytes of the system's secure source, in characters that a query and a websocket subprotocol permit. */
export const nodeIds: Ids = {
  // Node makes the text of twenty parts.
  uuid: () => joined(randomUUID()),
  token: () => randomBytes(32).toString('base64url'),
};

export const nodeRandom = (): number => Math.random();

export const nodeHmacSha1: HmacSha1 = (key, text) => createHmac('sha1', key).update(text).digest('base64');

export const nodeSha256: Sha256 = (text) => createHash('sha256').update(text).digest('hex');
