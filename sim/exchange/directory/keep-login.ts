import type { Core } from '../core.ts';

/**
 * Records that a user has logged in, and saves the first time. Answers over HTTP and webhooks wait for it. No message on a
 * channel does.
 */
export function keepLogin(
  { users, store, writeQueue }: Pick<Core, 'users' | 'store' | 'writeQueue'>,
  userId: string,
): void {
  if (users.hasAuthenticated(userId)) return;
  users.markAuthenticated(userId);
  writeQueue.keep('a first login', () => store.saveCaller(userId), { devices: [] });
}
