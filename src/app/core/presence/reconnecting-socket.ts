import { CLOSE_SESSION_OVER } from '../../../protocol/close-codes.ts';
import { HEARTBEAT, HEARTBEAT_MS, SILENCE_MS } from '../../../protocol/product/heartbeat.ts';
import type { Clock } from '../ports/clock.ts';
import type { Connectivity } from '../ports/connectivity.ts';
import type { Logger } from '../ports/logger.ts';
import type { OpenSocket, Socket } from '../ports/socket.ts';
import { retryWaitMs } from '../time/retry-wait.ts';

/** A websocket that is opened again after it was lost, until it is closed on purpose. */
export interface ReconnectingSocket {
  open(): void;
  close(): void;
}

export interface KeptSocketOptions {
  /** Where to connect, asked again at each attempt; `null` means: not now. */
  address(): { url: string; protocols: readonly string[] } | null;
  /** Asked when the socket was lost. */
  shouldRetry(): boolean;
  /** Asked when the server has closed it because the session is over; resolves to whether the user is still signed in. */
  checkSession(): Promise<boolean>;
  onOpen(): void;
  /** Takes every message but the heartbeats. */
  onMessage(data: unknown): void;
  onClose(): void;
}

/** The outside world of a socket that is kept. */
export interface KeptSocketPorts {
  openSocket: OpenSocket;
  clock: Clock;
  connectivity: Connectivity;
  random(): number;
  logger: Logger;
}

/** app-shell §9: the retry delay after a close, but for the codes below. */
const RETRY_AFTER_MS = 3_000;

/** RFC 6455 §7.4.1: the connection failed. A browser also says so where a socket could not be opened. */
const CLOSE_FAILED = 1006;
/** Closes that many sockets have in common: the server failed (1006), restarts (1012) or is too busy (1013). */
const COMMON_CLOSES: ReadonlySet<number> = new Set([CLOSE_FAILED, 1012, 1013]);

/** The longest wait before the session is doubted again, where the server refuses a session that it takes elsewhere. */
const RAREST_MS = 60_000;

/** A socket that was heard this recently is taken for alive when the page is shown again. */
const FRESH_MS = HEARTBEAT_MS + 2_000;

/**
 * Keeps a socket open. A socket is lost when it closes, or when it is silent for `SILENCE_MS`, since the server sends a
 * heartbeat more often. It is opened anew at once when the network comes back, and when the page is shown again after a
 * silence.
 */
export function createReconnectingSocket(options: KeptSocketOptions, outside: KeptSocketPorts): ReconnectingSocket {
  const { clock, connectivity } = outside;
  let socket: Socket | undefined;
  let cancelRetry: (() => void) | undefined;
  let cancelWatch: (() => void) | undefined;
  let unfollow: (() => void) | undefined;
  /** Wall time, which also passes while the machine sleeps. */
  let heardAt = 0;
  /** Losses in a row, without a message of the server between them. */
  let failures = 0;

  /** The question to the session that is under way. The answer to another one comes too late. */
  let asked: object | undefined;
  /** In a row, of sessions that turned out to be good. */
  let refusals = 0;

  function retryLater(waitMs: number): void {
    if (!options.shouldRetry()) return;
    cancelRetry = clock.after(waitMs, () => {
      cancelRetry = undefined;
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
    heardAt = clock.now();
    cancelWatch?.();
    cancelWatch = clock.after(SILENCE_MS, () => {
      outside.logger.warn('a socket is silent');
      drop();
      lost(CLOSE_FAILED);
    });
  }

  function connect(): void {
    const address = options.address();
    if (address === null) return;

    let opened: Socket | undefined;
    // A socket that was dropped may still speak.
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

  /** Lets the socket go, and opens no other. */
  function drop(): void {
    cancelWatch?.();
    cancelWatch = undefined;
    const dropped = socket;
    socket = undefined;
    if (dropped === undefined) return;
    dropped.close();
    options.onClose();
  }

  /** Connects now, in the place of the socket there is and of the retry that is due. */
  function connectNow(): void {
    if (socket === undefined && cancelRetry === undefined) return;
    cancelRetry?.();
    cancelRetry = undefined;
    drop();
    connect();
  }

  function follow(): () => void {
    const undo = [
      // The network may be another one, on which an open socket is dead.
      connectivity.subscribe(() => {
        if (connectivity.isOnline()) connectNow();
      }),
      connectivity.onReturn(() => {
        // The clock may have been set back meanwhile.
        const isFresh = Math.abs(clock.now() - heardAt) <= FRESH_MS;
        if (socket === undefined || !isFresh) connectNow();
      }),
    ];
    return () => undo.forEach((stop) => stop());
  }

  return {
    open() {
      asked = undefined;
      unfollow ??= follow();
      if (socket === undefined && cancelRetry === undefined) connect();
    },
    close() {
      asked = undefined;
      refusals = 0;
      failures = 0;
      unfollow?.();
      unfollow = undefined;
      cancelRetry?.();
      cancelRetry = undefined;
      drop();
    },
  };
}
