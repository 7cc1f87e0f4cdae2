import type { Database } from './database.ts';
import { StoreError } from './store-error.ts';

/**
 * Records in a new database whether a demo made it, and refuses the other kind of server. A demo signs its people in
 * without a password and shows every letter. The people of a demo have coins that no user paid for.
 *
 * @throws StoreError when the other kind of server made the database.
 */
export async function claimWorld({ db, name }: Database, isDemo: boolean): Promise<void> {
  await db
    .insertInto('ringback_world')
    .values({ id: 1, is_demo: isDemo ? 1 : 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { is_demo } = await db.selectFrom('ringback_world').select('is_demo').executeTakeFirstOrThrow();
  if ((is_demo !== 0) === isDemo) return;
  throw new StoreError(
    isDemo
      ? `The database ${name} was not made in demo mode, and demo mode would open its accounts to everyone. Use another database, or start without --demo.`
      : `The database ${name} was made in demo mode. Use another database, or start with --demo.`,
  );
}
