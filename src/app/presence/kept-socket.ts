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
  /** Asked when the socket was lost, with the code it was closed with. */
  shouldRetry(code: number): boolean;
  onOpen(): void;
  onMessage(data: unknown): void;
  onClose(): void;
}

interface Dependencies {
  openSocket: OpenSocket;
  clock: Clock;
  logger: Logger;
}

export function createKeptSocket(options: KeptSocketOptions, outside: Dependencies): KeptSocket {
  let socket: Socket | undefined;
  let cancelRetry: (() => void) | undefined;

  function retryLater(code: number): void {
    if (!options.shouldRetry(code)) return;
    cancelRetry = outside.clock.after(options.retryAfterMs, () => {
      cancelRetry = undefined;
      open();
    });
  }

  function open(): void {
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
          retryLater(code);
        },
      });
      socket = opened;
    } catch (error) {
      outside.logger.error('a socket could not be opened', error);
    }
  }

  function close(): void {
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
