import type { KeyValueStore } from '../ports/key-value-store.ts';
import { storageKeys } from '../session/storage-keys.ts';
import { type ReadableStore, createStore } from '../store/store.ts';
import { excerpt } from './excerpt.ts';
import { type KeptSocketPorts, createReconnectingSocket } from './reconnecting-socket.ts';

/** Tells the server that this user is here (app-shell §4). Messages are only logged; a heartbeat shows that the socket is alive. */
export interface PresenceSocket {
  readonly status: ReadableStore<'connected' | 'disconnected'>;
  /** Does nothing unless the user is logged in and known. Opening twice is opening once. */
  open(): void;
  close(): void;
  /** For the teardown of the shell: closes, and no longer follows the login flag. */
  dispose(): void;
}

interface Dependencies extends KeptSocketPorts {
  wsUrl: string;
  loginFlag: ReadableStore<boolean>;
  /** The user that this page shows. */
  userId(): string | null;
  token(): string | null;
  /** Asks whether the session still stands; resolves to whether the user is still signed in. */
  checkSession(): Promise<boolean>;
  sessionStorage: KeyValueStore;
}

export function createPresenceSocket(outside: Dependencies): PresenceSocket {
  const status = createStore<'connected' | 'disconnected'>('disconnected');

  const socket = createReconnectingSocket(
    {
      address() {
        const userId = outside.userId();
        const token = outside.token();
        if (!outside.loginFlag.get() || !userId) return null;
        // The token travels as a subprotocol: an address ends up in logs, a header does not.
        return { url: `${outside.wsUrl}/ws/online/${encodeURIComponent(userId)}`, protocols: token ? [token] : [] };
      },
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
