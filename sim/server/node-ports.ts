/** The ports of the exchange, by Node. */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
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

/** 32 bytes from the system's secure source, in characters that may stand in a query and a websocket subprotocol. */
export const nodeIds: Ids = {
  uuid: () => randomUUID(),
  token: () => randomBytes(32).toString('base64url'),
};

export const nodeHmacSha1: HmacSha1 = (key, text) => createHmac('sha1', key).update(text).digest('base64');

export const nodeSha256: Sha256 = (text) => createHash('sha256').update(text).digest('hex');
