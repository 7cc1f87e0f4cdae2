import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openMigrated } from '../../../sim/store/open-store.ts';
import type { Database } from '../../../sim/store/database.ts';
import { openTestDatabase } from './support/test-database.ts';

/** The statements that create the tables, and every row of each. */
async function contentsOf({ db }: Database) {
  const made = await sql<{ type: string; name: string; sql: string | null }>`
    select type, name, sql from sqlite_master order by type, name
  `.execute(db);
  const tables = made.rows.filter(({ type }) => type === 'table').map(({ name }) => name);
  const rows = await Promise.all(
    tables.map(async (name) => [name, (await sql`select * from ${sql.table(name)}`.execute(db)).rows]),
  );
  return { made: made.rows, rows };
}

it('the database in memory that tests get equals the one that the migrations make', async () => {
  const migrated = await openMigrated(':memory:', { warn: () => undefined });
  const made = await openTestDatabase(':memory:');
  const contents = await contentsOf(made);
  expect(contents).toEqual(await contentsOf(migrated));
  expect(contents.made.length).toBeGreaterThan(40);
  await Promise.all([migrated, made].map(({ db }) => db.destroy()));
});
