import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { Refusal } from '../refusal.ts';

/** Serializes the transactions that need one account, and the one that closes it. */
export const lockAccount = (
  { lock }: Pick<Database, 'lock'>,
  transaction: Transaction<Tables>,
  uId: string,
): Promise<void> => lock(transaction, `account:${uId}`);

/**
 * Locks an account that exists. A request that counts rows, or that waited in a queue, locks the account before it
 * writes. Otherwise two parallel requests could exceed a limit, or leave rows of an account that was closed meanwhile.
 *
 * @param gone - the refusal when the account is closed. Default: `signed_out`.
 * @throws Refusal `gone` when the account is closed.
 */
export async function holdAccount(
  database: Pick<Database, 'lock'>,
  transaction: Transaction<Tables>,
  uId: string,
  gone = new Refusal('signed_out', 'The account is closed.'),
): Promise<void> {
  await lockAccount(database, transaction, uId);
  const account = await transaction
    .selectFrom('ringback_accounts')
    .where('u_id', '=', uId)
    .select('u_id')
    .executeTakeFirst();
  if (!account) throw gone;
}
