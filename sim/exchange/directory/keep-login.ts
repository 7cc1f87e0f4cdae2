import type { Core } from '../core.ts';

/**
 * Records that a user has logged in, and saves the first time. The answer of a login waits for every write. No other
 * message waits for this one.
 */
export function keepLogin(
  { users, store, writeQueue }: Pick<Core, 'users' | 'store' | 'writeQueue'>,
  userId: string,
): void {
  if (users.hasAuthenticated(userId)) return;
  users.markAuthenticated(userId);
  writeQueue.keep('a first login', () => store.saveCaller(userId), { devices: [] });
}
