import * as v from 'valibot';
import { type PresenceChanged, presenceChanged } from '../../protocol/product.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { OpenSocket } from '../ports/socket.ts';
import { createKeptSocket } from './kept-socket.ts';

const RETRY_AFTER_MS = 3_000;

/** The live events of the product: for now, other people coming and going. */
export interface PresenceEvents {
  start(): void;
  stop(): void;
}

interface Dependencies {
  wsUrl: string;
  token(): string | null;
  /** The socket is (again) open: what happened before is unknown and has to be asked for. */
  onOpen(): void;
  onChange(change: PresenceChanged): void;
  openSocket: OpenSocket;
  clock: Clock;
  logger: Logger;
}

export function createPresenceEvents(outside: Dependencies): PresenceEvents {
  const socket = createKeptSocket(
    {
      address() {
        const token = outside.token();
        return token === null ? null : { url: `${outside.wsUrl}/ws/events`, protocols: [token] };
      },
      retryAfterMs: RETRY_AFTER_MS,
      shouldRetry: () => outside.token() !== null,
      onOpen: outside.onOpen,
      onMessage(data) {
        const change = decode(data);
        if (change === null) outside.logger.warn('an event was not understood', data);
        else outside.onChange(change);
      },
      onClose: () => {},
    },
    outside,
  );

  return { start: socket.open, stop: socket.close };
}

function decode(data: unknown): PresenceChanged | null {
  if (typeof data !== 'string') return null;
  let body: unknown;
  try {
    body = JSON.parse(data);
  } catch {
    return null;
  }
  const result = v.safeParse(presenceChanged, body);
  return result.success ? result.output : null;
}
