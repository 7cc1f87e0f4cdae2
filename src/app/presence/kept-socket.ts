import { CLOSE_SESSION_OVER } from '../../protocol/close-codes.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { OpenSocket, Socket } from '../ports/socket.ts';

/** A websocket that is opened again after it was lost, until it is closed on purpose. */
export interface KeptSocket {
  open(): void;
  close(): void;
}

export interface KeptSocketOptions {
  /** Where to connect, asked again at each attempt; `null` means: not now. */
  address(): { url: string; protocols: readonly string[] } | null;
  retryAfterMs: number;
  /** Asked when the socket was lost. */
  shouldRetry(): boolean;
  /** Asked when the server has closed it because the session is over: whether somebody is signed in all the same. */
  checkSession(): Promise<boolean>;
  onOpen(): void;
  onMessage(data: unknown): void;
  onClose(): void;
}

interface Dependencies {
  openSocket: OpenSocket;
  clock: Clock;
  logger: Logger;
}

/** A server that says again and again that a session is over, which it takes elsewhere, is asked ever more rarely. */
const RAREST_MS = 60_000;

export function createKeptSocket(options: KeptSocketOptions, outside: Dependencies): KeptSocket {
  let socket: Socket | undefined;
  let cancelRetry: (() => void) | undefined;

  /** The question that is under way; what comes of another one is too late. */
  let asked: object | undefined;
  /** In a row, of sessions that turned out to be good. */
  let refusals = 0;

  function retryLater(waitMs: number): void {
    if (!options.shouldRetry()) return;
    cancelRetry = outside.clock.after(waitMs, () => {
      cancelRetry = undefined;
      open();
    });
  }

  async function retryIfSignedIn(): Promise<void> {
    const question = {};
    asked = question;
    const isSignedIn = await options.checkSession();
    if (asked !== question) return;
    asked = undefined;
    if (isSignedIn) retryLater(Math.min(RAREST_MS, options.retryAfterMs * 2 ** refusals++));
  }

  function lost(code: number): void {
    if (code === CLOSE_SESSION_OVER) {
      void retryIfSignedIn();
      return;
    }
    refusals = 0;
    retryLater(options.retryAfterMs);
  }

  function open(): void {
    asked = undefined;
    if (socket !== undefined || cancelRetry !== undefined) return;
    const address = options.address();
    if (address === null) return;

    let opened: Socket | undefined;
    // The socket may have been dropped on purpose: what it says afterwards is nobody's business.
    const isCurrent = (): boolean => opened !== undefined && opened === socket;
    try {
      opened = outside.openSocket(address.url, address.protocols, {
        onOpen: () => {
          if (isCurrent()) options.onOpen();
        },
        onMessage: (data) => {
          if (isCurrent()) options.onMessage(data);
        },
        onError: () => opened?.close(),
        onClose: (code) => {
          if (!isCurrent()) return;
          socket = undefined;
          options.onClose();
          lost(code);
        },
      });
      socket = opened;
    } catch (error) {
      outside.logger.error('a socket could not be opened', error);
    }
  }

  function close(): void {
    asked = undefined;
    refusals = 0;
    cancelRetry?.();
    cancelRetry = undefined;
    const dropped = socket;
    socket = undefined;
    if (dropped === undefined) return;
    dropped.close();
    options.onClose();
  }

  return { open, close };
}
