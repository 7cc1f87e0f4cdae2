/** The ports of the exchange, implemented with Node. */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Log } from '../exchange/logging/log.ts';
import type { Clock, HmacSha1, Ids, Sha256 } from '../exchange/ports.ts';

export const nodeClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout(run, ms) {
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer) };
  },
  clearTimeout: (handle) => handle.cancel(),
};

/** Returns the same clock, but logs an error that a timer throws, so that the process goes on. */
export function guardedClock(clock: Clock, log: Pick<Log, 'error'>): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimeout: (run, ms) =>
      clock.setTimeout(() => {
        try {
          run();
        } catch (error) {
          log.error('a timer failed', { error });
        }
      }, ms),
    clearTimeout: (handle) => clock.clearTimeout(handle),
  };
}

/** Returns 32 bytes of the system's secure source, in characters that a query and a websocket subprotocol permit. */
export const nodeIds: Ids = {
  uuid: () => randomUUID(),
  token: () => randomBytes(32).toString('base64url'),
};

export const nodeHmacSha1: HmacSha1 = (key, text) => createHmac('sha1', key).update(text).digest('base64');

export const nodeSha256: Sha256 = (text) => createHash('sha256').update(text).digest('hex');
