import type { Database } from '../../store/database.ts';

/** Returns the secret of this name. It is made once, and stays the same for every server of the database. */
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
