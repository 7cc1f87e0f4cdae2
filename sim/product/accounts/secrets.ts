import type { Database } from '../../store/database.ts';

/** The secret of this name: made once, and then the same for all who share the database, for good. */
export async function secretOf({ db }: Database, name: string, make: () => string): Promise<string> {
  await db
    .insertInto('ringback_secrets')
    .values({ name, value: make() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db
    .selectFrom('ringback_secrets')
    .where('name', '=', name)
    .select('value')
    .executeTakeFirstOrThrow();
  return value;
}
