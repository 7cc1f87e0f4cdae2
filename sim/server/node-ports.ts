/** The ports of the exchange, implemented with Node. */
import type { Clock } from '../../src/common/clock.ts';
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Log } from '../exchange/logging/log.ts';
import type { HmacSha1, Ids, Sha256 } from '../exchange/ports.ts';

/** The longest wait of one timer of Node. A longer one would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export const nodeClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  after(ms, run) {
    const wait = (left: number): NodeJS.Timeout =>
      setTimeout(
        () => {
          if (left > LONGEST_WAIT_MS) timer = wait(left - LONGEST_WAIT_MS);
          else run();
        },
        Math.min(left, LONGEST_WAIT_MS),
      );
    let timer = wait(ms);
    return { cancel: () => clearTimeout(timer) };
  },
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
  uuid: () => randomUUID(),
  token: () => randomBytes(32).toString('base64url'),
};

export const nodeRandom = (): number => Math.random();

export const nodeHmacSha1: HmacSha1 = (key, text) => createHmac('sha1', key).update(text).digest('base64');

export const nodeSha256: Sha256 = (text) => createHash('sha256').update(text).digest('hex');
