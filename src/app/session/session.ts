import type { LoginAnswer } from '../../protocol/product/accounts.ts';
import type { Connectivity } from '../ports/connectivity.ts';
import type { KeyValueStore } from '../ports/key-value-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { ProductClient } from '../product/product-client.ts';
import { type ReadableStore, createStore } from '../store/store.ts';
import { storageKeys } from './storage-keys.ts';
import type { UserContext } from './user-context.ts';

export interface Session {
  /** Derived from `u_id` in session storage (app-shell §4): what the presence socket goes by. */
  readonly loginFlag: ReadableStore<boolean>;
  /**
   * Starts the session, once a page load. Sends a visitor without a token to `/home`, unless the page is open to visitors
   * (SES-03, ADR 0017).
   */
  start(goTo: (path: string) => void, isOpenToVisitors: boolean): void;
  /**
   * Asks the server whether the session still stands, and clears it where it does not. Whoever asks meanwhile has the same answer.
   *
   * @returns whether somebody is signed in after that. Without a network it is known when there is one again.
   */
  check(): Promise<boolean>;
  signIn(answer: LoginAnswer): void;
  /** Ends the session on the server, where it can be reached, and forgets everything about the user here. */
  signOut(): void;
  /** Forgets everything about the user, as after a failed refresh. */
  clear(): void;
  token(): string | null;
  /** Stops waiting for the network. */
  dispose(): void;
}

interface Dependencies {
  product: Pick<ProductClient, 'refreshToken' | 'ask'>;
  connectivity: Connectivity;
  localStorage: KeyValueStore;
  sessionStorage: KeyValueStore;
  /** Tells when another tab has changed the local storage. Default: there are no other tabs. */
  onOtherTab?(listener: () => void): () => void;
  user: UserContext;
  logger: Logger;
  /** Told where the session was not taken any more, and nobody here has ended it. Default: nobody is told. */
  onRefused?(): void;
}

export function createSession(outside: Dependencies): Session {
  const { connectivity, localStorage, sessionStorage, user } = outside;
  const loginFlag = createStore(false);
  const waiting = new Set<() => void>();
  let checking: { readonly token: string; readonly answer: Promise<boolean> } | undefined;
  let stopListening: (() => void) | undefined;

  const token = (): string | null => localStorage.getItem(storageKeys.token) || null;

  function clear(): void {
    localStorage.removeItem(storageKeys.token);
    localStorage.clear();
    sessionStorage.clear();
    user.clear();
    loginFlag.set(false);
  }

  async function refresh(checked: string): Promise<void> {
    if (token() !== checked) return;
    try {
      await outside.product.refreshToken(checked);
    } catch (error) {
      // Somebody may have signed in while the old token was being checked: the new session is not to blame. And whoever
      // reloads before the answer is there has been refused nothing.
      if (token() !== checked || connectivity.isLeaving()) return;
      outside.logger.warn('the stored session was refused', error);
      clear();
      outside.onRefused?.();
    }
  }

  /** A browser without a network cannot tell a refused token from a missing server: it asks when it is back. */
  function refreshWhenOnline(checked: string): Promise<void> {
    if (connectivity.isOnline()) return refresh(checked);
    return new Promise((resolve) => {
      const stop = connectivity.subscribe(() => {
        if (!connectivity.isOnline()) return;
        stop();
        waiting.delete(stop);
        resolve(refresh(checked));
      });
      waiting.add(stop);
    });
  }

  async function answered(checked: string): Promise<boolean> {
    await refreshWhenOnline(checked);
    if (checking?.token === checked) checking = undefined;
    return token() !== null;
  }

  function check(): Promise<boolean> {
    const stored = token();
    if (stored === null) return Promise.resolve(false);
    if (checking?.token !== stored) checking = { token: stored, answer: answered(stored) };
    return checking.answer;
  }

  return {
    loginFlag,
    token,
    clear,
    check,
    signOut() {
      outside.product
        .ask('logout', {})
        .catch((error: unknown) => outside.logger.warn('the server was not told of the sign-out', error));
      clear();
    },
    start(goTo, isOpenToVisitors) {
      // Whoever signs out in one tab means all of them.
      stopListening = outside.onOtherTab?.(() => {
        if (token() === null && user.user.get().uId !== null) clear();
      });
      loginFlag.set(Boolean(sessionStorage.getItem(storageKeys.userId)));
      if (token() !== null) void check();
      else if (!isOpenToVisitors) goTo('/home');
    },
    signIn(answer) {
      localStorage.setItem(storageKeys.token, answer.token);
      localStorage.setItem(storageKeys.callingUserId, answer.calling_user_id);
      localStorage.setItem(storageKeys.callingAccessToken, answer.calling_access_token);
      sessionStorage.setItem(storageKeys.userId, answer.u_id);
      user.update({ uId: answer.u_id, genderType: answer.gender_type });
      loginFlag.set(true);
    },
    dispose() {
      for (const stop of waiting) stop();
      stopListening?.();
    },
  };
}
