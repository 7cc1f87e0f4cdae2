import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { Refusal } from '../refusal.ts';

/** Has transactions that need one account wait for each other, and for the one that closes it. */
export const lockAccount = (
  { lock }: Pick<Database, 'lock'>,
  transaction: Transaction<Tables>,
  uId: string,
): Promise<void> => lock(transaction, `account:${uId}`);

/**
 * Locks an account that stands. A request that counts rows, or that waited in a queue, locks the account before it writes: else two
 * requests at once would exceed a limit, and one would leave rows of a user whose account was closed meanwhile.
 *
 * @param gone - what the request is answered where the account is closed. Default: that the client is signed out.
 * @throws Refusal gone.
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
