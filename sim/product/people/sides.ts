import type { Account } from '../accounts/accounts.ts';
import type { ProductParts } from '../parts.ts';

/** The accounts of two users who may call each other. */
interface Sides {
  readonly caller: Account;
  readonly callee: Account;
}

/** Finds both sides of a call. Null when one has no account, is suspended, or has blocked the other. */
export async function sidesOf(
  { accounts, blocks }: Pick<ProductParts, 'accounts' | 'blocks'>,
  callerId: string,
  calleeId: string,
): Promise<Sides | null> {
  const [caller, callee] = await accounts.both(callerId, calleeId);
  if (!caller || !callee || caller.isSuspended || callee.isSuspended) return null;
  return (await blocks.isBlocked(callerId, calleeId)) ? null : { caller, callee };
}
