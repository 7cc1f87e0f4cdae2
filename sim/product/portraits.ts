import type { GenderType } from '../../src/protocol/product/values.ts';
import { SERVED_BUDGETS } from '../budgets/product-budgets.ts';
import { limitsBy, type RateLimits } from '../budgets/rate-limits.ts';
import type { Account, Accounts } from './accounts/accounts.ts';
import { refuseTooMany, Refusal } from './refusal.ts';

const MISSES = limitsBy('portrait', SERVED_BUDGETS.portrait, 'address', 'failures');

interface Dependencies {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly rateLimits: RateLimits;
  /** Draws a portrait as SVG. */
  readonly portrait: (uId: string, genderType: GenderType) => string;
}

/**
 * Draws the portrait of an account as SVG. Names without an account count by address, so that a client cannot find out
 * which accounts exist. A name counts until its account is found, so that parallel requests cannot exceed the limit.
 *
 * @throws Refusal `not_found`; `too_many` when the address has tried too many names.
 */
export async function drawPortrait(dependencies: Dependencies, uId: string, address: string): Promise<string> {
  const { accounts, rateLimits, portrait } = dependencies;
  await refuseTooMany(rateLimits, MISSES, address);
  const giveBack = async (): Promise<void> => {
    for (const limit of MISSES) await rateLimits.giveBack(limit, address);
  };
  let account: Account | undefined;
  try {
    account = await accounts.find(uId);
  } catch (error) {
    await giveBack();
    throw error;
  }
  if (!account) throw new Refusal('not_found', 'No account has this user id.');
  await giveBack();
  return portrait(uId, account.genderType);
}
