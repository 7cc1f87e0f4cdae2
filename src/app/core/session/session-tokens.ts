import type { LoginAnswer } from '../../../protocol/product/accounts.ts';
import type { KeyValueStore } from '../ports/key-value-store.ts';
import { DEFAULT_CALLING_USER_ID, storageKeys } from './storage-keys.ts';

/** The credentials for the calling service (app-shell §3). */
export interface CallingCredentials {
  readonly userId: string;
  readonly accessToken: string;
}

/** The credentials of a signed-in page, for the product and for the calling service. */
export interface Tokens {
  readonly token: string;
  readonly calling: CallingCredentials | null;
}

/** Stores the session of a sign-in for every tab, and returns its credentials. */
export function storeTokens(answer: LoginAnswer, storage: KeyValueStore): Tokens {
  storage.setItem(storageKeys.callingUserId, answer.calling_user_id);
  storage.setItem(storageKeys.callingAccessToken, answer.calling_access_token);
  storage.setItem(storageKeys.userId, answer.u_id);
  storage.setItem(storageKeys.genderType, answer.gender_type);
  // The token is stored last. Another tab that sees it then also reads the right user.
  storage.setItem(storageKeys.token, answer.token);
  return { token: answer.token, calling: callingCredentials(answer.calling_user_id, answer.calling_access_token) };
}

/** Returns the stored token. Null without one. */
export const storedToken = (storage: KeyValueStore): string | null => storage.getItem(storageKeys.token) || null;

/** Returns the stored credentials. Null without a token. */
export function storedTokens(storage: KeyValueStore): Tokens | null {
  const token = storedToken(storage);
  if (token === null) return null;
  return {
    token,
    calling: callingCredentials(
      storage.getItem(storageKeys.callingUserId),
      storage.getItem(storageKeys.callingAccessToken),
    ),
  };
}

function callingCredentials(userId: string | null, accessToken: string | null): CallingCredentials | null {
  return accessToken ? { userId: userId || DEFAULT_CALLING_USER_ID, accessToken } : null;
}
