import type { KeyValueStore } from '../ports/key-value-store.ts';
import { storageKeys } from '../session/storage-keys.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';
import { type ReconnectingSocketPorts, createReconnectingSocket } from './reconnecting-socket.ts';

/**
 * The presence of this user on the server, over a socket (app-shell §4). Messages are only logged. A heartbeat shows
 * that the socket is alive.
 */
export interface PresenceSocket {
  readonly status: ReadableStore<'connected' | 'disconnected'>;
  /** Opens the socket. Does nothing unless the user is signed in and known, or when the socket is open already. */
  open(): void;
  close(): void;
  /** Closes the socket and stops following the login flag. The shell calls it at its end. */
  dispose(): void;
}

interface Dependencies extends ReconnectingSocketPorts {
  wsUrl: string;
  loginFlag: ReadableStore<boolean>;
  /** Returns the id of the user that this page shows. Null without a user. */
  userId(): string | null;
  token(): string | null;
  /** Asks the server whether the session is still valid. Resolves to whether the user is still signed in. */
  checkSession(): Promise<boolean>;
  sessionStorage: KeyValueStore;
}

/** Creates the presence socket, and opens it when a user is signed in. */
export function createPresenceSocket(outside: Dependencies): PresenceSocket {
  const status = createStore<'connected' | 'disconnected'>('disconnected');

  const socket = createReconnectingSocket(
    {
      address() {
        const userId = outside.userId();
        const token = outside.token();
        if (!outside.loginFlag.get() || !userId) return null;
        // The token is sent as a subprotocol, because servers log addresses and do not log headers.
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

const LETTERS = 200;

/** Returns the first letters of a socket message, as many as a log needs. */
function excerpt(data: unknown): string {
  const text = typeof data === 'string' ? data : Object.prototype.toString.call(data);
  return text.length <= LETTERS ? text : `${text.slice(0, LETTERS)}…`;
}
