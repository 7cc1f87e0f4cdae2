/** Budgets of connections, of upgrades and of the product's sockets. */
import type { InputBudget } from './input-budget.ts';

const MINUTE = 60;

export const SOCKET_BUDGETS = {
  /** Any HTTP request, before its body is read. The limits of each single request hold as well. */
  request: {
    sender: 'anybody',
    maxBytes: 16 * 1024,
    limits: [{ by: 'address', points: 6_000, seconds: MINUTE }],
    keeps: [],
  },
  /** An upgrade to a websocket, of the calling service or of the product. */
  upgrade: {
    sender: 'anybody',
    maxBytes: 16 * 1024,
    limits: [{ by: 'address', points: 600, seconds: MINUTE }],
    keeps: [],
  },
  /** A TCP connection. `most` holds for one address. */
  connection: {
    sender: 'anybody',
    maxBytes: 0,
    limits: [],
    keeps: [{ what: 'open connections of one address', most: 1_000, for: 'until the session ends' }],
  },
  /**
   * A message on `/ws/events` or `/ws/online/{u_id}`. The server ignores a few messages, and closes the socket after
   * many.
   */
  productMessage: {
    sender: 'user',
    maxBytes: 64 * 1024,
    limits: [{ by: 'device', points: 30, seconds: MINUTE }],
    keeps: [{ what: 'open sockets', most: 64, for: 'until the session ends' }],
  },
} as const satisfies Record<string, InputBudget>;
