import type { Core } from '../core.ts';

/** Fetches the users who registered or logged in at another node of the cluster, so that they may call and be called. */
export async function findUsers(
  core: Pick<Core, 'policy' | 'store' | 'users'>,
  userIds: readonly string[],
): Promise<void> {
  await Promise.all(userIds.map((userId) => findUser(core, userId)));
}

async function findUser(
  { policy, store, users }: Pick<Core, 'policy' | 'store' | 'users'>,
  userId: string,
): Promise<void> {
  if (!users.has(userId)) {
    const found = await policy.findUser?.(userId);
    if (found) users.add(found);
  }
  if (users.has(userId) && !users.hasAuthenticated(userId) && (await store.isCaller(userId))) {
    users.markAuthenticated(userId);
  }
}
