import { CLOSE_SESSION_OVER } from '../../../protocol/close-codes.ts';
import { HEARTBEAT, HEARTBEAT_MS, SILENCE_MS } from '../../../protocol/product/heartbeat.ts';
import type { Clock, Timer } from '../../../common/clock.ts';
import type { Connectivity } from '../ports/connectivity.ts';
import type { Logger } from '../ports/logger.ts';
import type { OpenSocket, Socket } from '../ports/socket.ts';
import { retryWaitMs } from '../time/retry-wait.ts';

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

/** The retry delay in milliseconds after a close, except for the codes below (app-shell §9). */
const RETRY_AFTER_MS = 3_000;

/**
 * The close code of a failed connection (RFC 6455 §7.4.1). Browsers also report it when a socket could not be opened.
 */
const CLOSE_FAILED = 1006;
/**
 * The codes with which the server closes many sockets at once: it failed (1006), restarts (1012) or is too busy (1013).
 */
const COMMON_CLOSES: ReadonlySet<number> = new Set([CLOSE_FAILED, 1012, 1013]);

/**
 * The longest wait in milliseconds before the session is checked again. The server may refuse a session here that
 * another endpoint accepts.
 */
const RAREST_MS = 60_000;

/** Milliseconds since the last message within which a socket counts as alive when the page is shown again. */
const FRESH_MS = HEARTBEAT_MS + 2_000;

/**
 * Creates a socket that reconnects. The socket is lost when it closes, or when it is silent for `SILENCE_MS`. The
 * server sends a heartbeat more often than that. The socket reconnects at once when the network returns. It does so too
 * when the page is shown again after a silence.
 */
export function createReconnectingSocket(
  options: ReconnectingSocketOptions,
  outside: ReconnectingSocketPorts,
): ReconnectingSocket {
  const { clock, connectivity } = outside;
  let socket: Socket | undefined;
  let retry: Timer | undefined;
  let watch: Timer | undefined;
  let unfollow: (() => void) | undefined;
  /** The wall time of the last message, in milliseconds. Wall time also passes while the machine sleeps. */
  let heardAt = 0;
  /** The losses in a row without a message from the server between them. */
  let failures = 0;

  /** The session check that is under way. The result of an earlier check is ignored. */
  let asked: object | undefined;
  /** The refusals in a row after which the session check found a valid session. */
  let refusals = 0;

  function retryLater(waitMs: number): void {
    if (!options.shouldRetry()) return;
    retry = clock.after(waitMs, () => {
      retry = undefined;
      connect();
    });
  }

  async function retryIfSignedIn(): Promise<void> {
    const question = {};
    asked = question;
    const isSignedIn = await options.checkSession();
    if (asked !== question) return;
    asked = undefined;
    if (isSignedIn) retryLater(Math.min(RAREST_MS, RETRY_AFTER_MS * 2 ** refusals++));
  }

  function lost(code: number): void {
    if (code === CLOSE_SESSION_OVER) {
      void retryIfSignedIn();
      return;
    }
    refusals = 0;
    retryLater(COMMON_CLOSES.has(code) ? retryWaitMs(failures++, outside.random) : RETRY_AFTER_MS);
  }

  function heard(): void {
    heardAt = clock.wallTime();
    watch?.cancel();
    watch = clock.after(SILENCE_MS, () => {
      outside.logger.warn('a socket is silent');
      drop();
      lost(CLOSE_FAILED);
    });
  }

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
          heard();
          options.onOpen();
        },
        onMessage: (data) => {
          if (!isCurrent()) return;
          failures = 0;
          heard();
          if (data !== HEARTBEAT) options.onMessage(data);
        },
        onError: () => opened?.close(),
        onClose: (code) => {
          if (!isCurrent()) return;
          drop();
          lost(code);
        },
      });
      socket = opened;
      heard();
    } catch (error) {
      outside.logger.error('a socket could not be opened', error);
    }
  }

  /** Closes the socket without a reconnect. */
  function drop(): void {
    watch?.cancel();
    watch = undefined;
    const dropped = socket;
    socket = undefined;
    if (dropped === undefined) return;
    dropped.close();
    options.onClose();
  }

  /** Connects now. Replaces the present socket and cancels the retry that is due. */
  function connectNow(): void {
    if (socket === undefined && retry === undefined) return;
    retry?.cancel();
    retry = undefined;
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
        // The clock may have been set back in the meantime.
        const isFresh = Math.abs(clock.wallTime() - heardAt) <= FRESH_MS;
        if (socket === undefined || !isFresh) connectNow();
      }),
    ];
    return () => undo.forEach((stop) => stop());
  }

  return {
    open() {
      asked = undefined;
      unfollow ??= follow();
      if (socket === undefined && retry === undefined) connect();
    },
    close() {
      asked = undefined;
      refusals = 0;
      failures = 0;
      unfollow?.();
      unfollow = undefined;
      retry?.cancel();
      retry = undefined;
      drop();
    },
  };
}
