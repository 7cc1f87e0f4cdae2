import { HEARTBEAT } from '../../../protocol/product/heartbeat.ts';
import type { Clock } from '../../../common/clock.ts';
import type { Logger, OpenSocket, Socket } from '../ports/ports.ts';
import type { Connectivity } from '../../../common/connectivity.ts';
import { createSilenceWatch } from './silence-watch.ts';
import { CLOSE_FAILED, createSocketRetries } from './socket-retries.ts';

/** A websocket that reconnects after a loss, until it is closed on purpose. */
export interface ReconnectingSocket {
  open(): void;
  close(): void;
}

/** The address and the handlers of a reconnecting socket. */
export interface ReconnectingSocketOptions {
  /** Returns where to connect. It is called at each attempt. Null means that the socket does not connect now. */
  address(): { url: string; protocols: readonly string[] } | null;
  /** Returns whether to reconnect. It is called when the socket was lost. */
  shouldRetry(): boolean;
  /**
   * Asks the server whether the session is valid. It is called when the server closed the socket because the session is
   * over. Resolves to whether the user is still signed in.
   */
  checkSession(): Promise<boolean>;
  onOpen(): void;
  /** Handles every message except heartbeats. */
  onMessage(data: unknown): void;
  onClose(): void;
}

/** The browser functions that a reconnecting socket uses. */
export interface ReconnectingSocketPorts {
  openSocket: OpenSocket;
  clock: Clock;
  connectivity: Connectivity;
  random(): number;
  logger: Logger;
}

/**
 * Creates a socket that reconnects. The socket is lost when it closes, or when it is silent for `SILENCE_MS`. The
 * server sends a heartbeat more often than that. The socket reconnects at once when the network returns. It does so too
 * when the page is shown again after a silence.
 */
export function createReconnectingSocket(
  options: ReconnectingSocketOptions,
  outside: ReconnectingSocketPorts,
): ReconnectingSocket {
  const { connectivity } = outside;
  let socket: Socket | undefined;
  let unfollow: (() => void) | undefined;
  const retries = createSocketRetries({ ...outside, ...options, connect });
  const watch = createSilenceWatch(outside.clock, () => {
    outside.logger.warn('a socket is silent');
    drop();
    retries.lost(CLOSE_FAILED);
  });

  function connect(): void {
    const address = options.address();
    if (address === null) return;

    let opened: Socket | undefined;
    // A dropped socket may still emit events.
    const isCurrent = (): boolean => opened !== undefined && opened === socket;
    try {
      opened = outside.openSocket(address.url, address.protocols, {
        onOpen: () => {
          if (!isCurrent()) return;
          watch.heard();
          options.onOpen();
        },
        onMessage: (data) => {
          if (!isCurrent()) return;
          retries.heard();
          watch.heard();
          if (data !== HEARTBEAT) options.onMessage(data);
        },
        onError: () => opened?.close(),
        onClose: (code) => {
          if (!isCurrent()) return;
          drop();
          retries.lost(code);
        },
      });
      socket = opened;
      watch.heard();
    } catch (error) {
      outside.logger.error('a socket could not be opened', error);
    }
  }

  /** Closes the socket without a reconnect. */
  function drop(): void {
    watch.stop();
    const dropped = socket;
    socket = undefined;
    if (dropped === undefined) return;
    dropped.close();
    options.onClose();
  }

  /** Connects now. Replaces the present socket and cancels the retry that is due. */
  function connectNow(): void {
    if (socket === undefined && !retries.isWaiting()) return;
    retries.cancel();
    drop();
    connect();
  }

  function follow(): () => void {
    const undo = [
      // The device may be on another network, on which the open socket is dead.
      connectivity.subscribe(() => {
        if (connectivity.isOnline()) connectNow();
      }),
      connectivity.onReturn(() => {
        if (socket === undefined || !watch.isFresh()) connectNow();
      }),
    ];
    return () => undo.forEach((stop) => stop());
  }

  return {
    open() {
      retries.ignoreCheck();
      unfollow ??= follow();
      if (socket === undefined && !retries.isWaiting()) connect();
    },
    close() {
      unfollow?.();
      unfollow = undefined;
      retries.reset();
      drop();
    },
  };
}
