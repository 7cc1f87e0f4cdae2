import type { Clock } from '../ports/clock.ts';
import type { KeyValueStore } from '../ports/key-value-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { OpenSocket } from '../ports/socket.ts';
import { storageKeys } from '../session/storage-keys.ts';
import { type ReadableStore, createStore } from '../store/store.ts';
import { excerpt } from './excerpt.ts';
import { createKeptSocket } from './kept-socket.ts';

/** app-shell §9: presence socket retry delay. */
const RETRY_AFTER_MS = 3_000;

/** Tells the server that this user is here (app-shell §4). Nothing that arrives on it is acted on. */
export interface PresenceSocket {
  readonly status: ReadableStore<'connected' | 'disconnected'>;
  /** Does nothing unless the user is logged in and known. Opening twice is opening once. */
  open(): void;
  close(): void;
  /** For the teardown of the shell: closes, and no longer follows the login flag. */
  dispose(): void;
}

interface Dependencies {
  wsUrl: string;
  loginFlag: ReadableStore<boolean>;
  /** Asks whether the session still stands; resolves to whether somebody is signed in. */
  checkSession(): Promise<boolean>;
  localStorage: KeyValueStore;
  sessionStorage: KeyValueStore;
  openSocket: OpenSocket;
  clock: Clock;
  logger: Logger;
}

export function createPresenceSocket(outside: Dependencies): PresenceSocket {
  const status = createStore<'connected' | 'disconnected'>('disconnected');

  const socket = createKeptSocket(
    {
      address() {
        const userId = outside.localStorage.getItem(storageKeys.userId);
        const token = outside.localStorage.getItem(storageKeys.token);
        if (!outside.loginFlag.get() || !userId) return null;
        // The token travels as a subprotocol: an address ends up in logs, a header does not.
        return { url: `${outside.wsUrl}/ws/online/${encodeURIComponent(userId)}`, protocols: token ? [token] : [] };
      },
      retryAfterMs: RETRY_AFTER_MS,
      shouldRetry: () => Boolean(outside.sessionStorage.getItem(storageKeys.userId)),
      checkSession: outside.checkSession,
      onOpen() {
        outside.logger.info('presence connected');
        status.set('connected');
      },
      onMessage: (data) => outside.logger.info('presence message', excerpt(data)),
      onClose() {
        outside.logger.info('presence disconnected');
        status.set('disconnected');
      },
    },
    outside,
  );

  const unfollow = outside.loginFlag.subscribe(() => {
    if (outside.loginFlag.get()) socket.open();
    else socket.close();
  });
  socket.open();

  return {
    status,
    open: socket.open,
    close: socket.close,
    dispose() {
      unfollow();
      socket.close();
    },
  };
}
