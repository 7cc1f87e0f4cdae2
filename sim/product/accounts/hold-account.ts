import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { Refusal } from '../refusal.ts';

type Locks = Pick<Database, 'lock'>;
type Kind = Parameters<Database['lock']>[2];

/** Serializes the transactions that need one account, and the one that closes it. */
export const lockAccount = ({ lock }: Locks, transaction: Transaction<Tables>, uId: string, kind?: Kind) =>
  lock(transaction, `account:${uId}`, kind);

/**
 * Locks an account that exists. A request that counts rows, or that waited in a queue, locks the account before it
 * writes. Otherwise two parallel requests could exceed a limit, or leave rows of an account that was closed meanwhile.
 *
 * @param gone - the refusal when the account is closed. Default: `signed_out`.
 * @param kind - default `exclusive`.
 * @throws Refusal `gone` when the account is closed.
 */
export async function holdAccount(
  database: Locks,
  transaction: Transaction<Tables>,
  uId: string,
  gone = new Refusal('signed_out', 'The account is closed.'),
  kind: Kind = 'exclusive',
): Promise<void> {
  await lockAccount(database, transaction, uId, kind);
  const account = await transaction
    .selectFrom('ringback_accounts')
    .where('u_id', '=', uId)
    .select('u_id')
    .executeTakeFirst();
  if (!account) throw gone;
}

/**
 * Keeps an account from being closed until the transaction ends. Other requests may keep it at the same time.
 *
 * @param gone - as in {@link holdAccount}.
 * @throws Refusal `gone` when the account is closed.
 */
export const keepAccount = (database: Locks, transaction: Transaction<Tables>, uId: string, gone?: Refusal) =>
  holdAccount(database, transaction, uId, gone, 'shared');

/**
 * Keeps the accounts of two users. Requests to one user do not wait for each other.
 *
 * @param gone - the refusal when the account of the other user is closed.
 * @param kind - the lock of the user's own account. Default `shared`.
 * @throws Refusal `signed_out` when the user's own account is closed; `gone`.
 */
export async function keepBoth(
  database: Locks,
  transaction: Transaction<Tables>,
  { uId, other, gone, kind = 'shared' }: { uId: string; other: string; gone: Refusal; kind?: Kind },
): Promise<void> {
  // The locks are taken in one order, so that two users who write to each other do not deadlock.
  for (const one of [uId, other].toSorted()) {
    if (one === uId) await holdAccount(database, transaction, uId, undefined, kind);
    else await keepAccount(database, transaction, other, gone);
  }
}
