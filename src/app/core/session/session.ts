import type { LoginAnswer } from '../../../protocol/product/accounts.ts';
import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../ports/ports.ts';
import type { Connectivity } from '../../../common/connectivity.ts';
import type { KeyValueStore } from '../ports/key-value-store.ts';
import type { ProductClient } from '../product/product-client.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';
import { createSessionCheck } from './session-check.ts';
import { type CallingCredentials, storedToken, storedTokens, storeTokens } from './session-tokens.ts';
import { storageKeys } from './storage-keys.ts';
import { type User, type UserContext, storedUser } from './user-context.ts';

/**
 * The session of the user that this page shows. The page reads it from the storage once, at the start, and keeps it.
 * All tabs share the storage, and another tab may store the session of another user.
 */
export interface Session {
  /** Whether a user is signed in, from `u_id` in session storage (app-shell §4). The presence socket follows it. */
  readonly loginFlag: ReadableStore<boolean>;
  /**
   * The other user that signed in last in another tab. Null before that, and after the user of this page signs in there
   * again. While it is set, this page shows no screen of its user.
   */
  readonly replacedBy: ReadableStore<User | null>;
  /**
   * Starts the session, once for each page load. Sends a visitor without a token to `/home`, unless the page is open to
   * visitors (SES-03, ADR 0017).
   */
  start(goTo: (path: string) => void, isOpenToVisitors: boolean): void;
  /**
   * Asks the server whether the session is valid, and clears it when the server refuses it (401, 403). Retries until
   * the server answers. Concurrent checks share one answer.
   *
   * @returns whether a user is signed in after the check.
   */
  check(): Promise<boolean>;
  signIn(answer: LoginAnswer): void;
  /**
   * Ends the session on the server, if the server can be reached. Removes everything about the user from this page and
   * the storage.
   */
  signOut(): void;
  /** Removes everything about the user, as after a refused token. The stored session of another user stays. */
  clear(): void;
  /** Forgets the replaced user on this page only. Does nothing before another user has signed in. */
  leave(): void;
  token(): string | null;
  /** Returns the credentials for the calling service. Null without an access token (app-shell §5). */
  callingCredentials(): CallingCredentials | null;
  /** Cancels every wait, and stops following other tabs. */
  dispose(): void;
}

interface Dependencies {
  product: Pick<ProductClient, 'refreshToken' | 'ask'>;
  connectivity: Connectivity;
  clock: Clock;
  random(): number;
  localStorage: KeyValueStore;
  sessionStorage: KeyValueStore;
  /** Calls the listener when another tab has changed the local storage. Default: the page follows no other tabs. */
  onOtherTab?(listener: () => void): () => void;
  user: UserContext;
  logger: Logger;
  /** Handles a session that the server refused and this page did not end. Default: does nothing. */
  onRefused?(): void;
}

/** Creates the session from the storage. The caller starts it. */
export function createSession(outside: Dependencies): Session {
  const { localStorage, sessionStorage, user } = outside;
  const loginFlag = createStore(false);
  const replacedBy = createStore<User | null>(null);
  const waits = new Set<() => void>();
  let own = storedTokens(localStorage);
  /** The stored token that this page has seen last. */
  let heard = own?.token ?? null;
  let stopListening = (): void => {};

  const token = (): string | null => own?.token ?? null;
  const check = createSessionCheck({
    ...outside,
    waits,
    token,
    onRefused() {
      clear();
      outside.onRefused?.();
    },
  });

  function clear(): void {
    const stored = storedToken(localStorage);
    const isOthers = stored !== null && stored !== token();
    own = null;
    sessionStorage.clear();
    if (isOthers) user.forget();
    else removeStored(outside);
    loginFlag.set(false);
  }

  function leave(): void {
    const other = replacedBy.get();
    if (other === null || own === null) return;
    own = null;
    sessionStorage.clear();
    handOver(sessionStorage, other);
    user.forget();
    loginFlag.set(false);
  }

  /** Handles a change by another tab, which may have signed out, or signed in as this user or another. */
  function followOtherTabs(): void {
    const stored = storedToken(localStorage);
    const isReplaced = replacedBy.get() !== null;
    // The other tab stores the user before the token, so the stored user may already be the next one.
    if (stored === heard || (own === null && !isReplaced)) return;
    heard = stored;
    if (stored === null) {
      // A replaced page ends after its call, not when the other user signs out.
      if (!isReplaced) clear();
      return;
    }
    const other = storedUser(localStorage);
    if (own !== null && other.uId === user.user.get().uId) {
      own = storedTokens(localStorage);
      replacedBy.set(null);
      return;
    }
    if (own === null) handOver(sessionStorage, other);
    replacedBy.set(other);
  }

  return {
    loginFlag,
    replacedBy,
    token,
    callingCredentials: () => own?.calling ?? null,
    clear,
    leave,
    check,
    signOut() {
      outside.product
        .ask('logout', {})
        .catch((error: unknown) => outside.logger.warn('the sign-out did not reach the server', error));
      clear();
    },
    start(goTo, isOpenToVisitors) {
      const stops = [outside.onOtherTab?.(followOtherTabs), outside.connectivity.onReturn(followOtherTabs)];
      stopListening = () => stops.forEach((stop) => stop?.());
      loginFlag.set(Boolean(sessionStorage.getItem(storageKeys.userId)));
      if (token() !== null) void check();
      else if (!isOpenToVisitors) goTo('/home');
    },
    signIn(answer) {
      own = storeTokens(answer, localStorage);
      sessionStorage.setItem(storageKeys.userId, answer.u_id);
      heard = answer.token;
      replacedBy.set(null);
      user.update({ uId: answer.u_id, genderType: answer.gender_type });
      loginFlag.set(true);
    },
    dispose() {
      for (const stop of waits) stop();
      stopListening();
    },
  };
}

/** Gives a tab to another user from its next load on. */
function handOver(sessionStorage: KeyValueStore, other: User): void {
  if (other.uId !== null) sessionStorage.setItem(storageKeys.userId, other.uId);
}

/** Removes everything about the user from the storage of every tab. */
function removeStored({ localStorage, user }: Pick<Dependencies, 'localStorage' | 'user'>): void {
  localStorage.removeItem(storageKeys.token);
  localStorage.clear();
  user.clear();
}
