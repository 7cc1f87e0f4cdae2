import type { Database } from './database.ts';
import { StoreError } from './store-error.ts';

/**
 * Records in a new database whether it belongs to a demo, and refuses to mix the two: a demo signs its people in without a
 * password and shows every letter, and people of a demo have coins that no user paid for.
 *
 * @throws StoreError the database was made by the other kind of server.
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
      ? `The database ${name} was not made by a demo: a demo would open its accounts. Use another database, or leave the demo out.`
      : `The database ${name} was made by a demo: use another database, or start the demo with --demo.`,
  );
}
