import { sql } from 'kysely';
import type { Database } from '../../../../sim/store/database.ts';
import { openDatabase, openMigrated } from '../../../../sim/store/open-store.ts';
import { IN_MEMORY } from '../../../../sim/store/sqlite.ts';

const log = { warn: () => undefined };

/** The statements that make tables as the migrations leave them. */
let statements: Promise<readonly string[]> | undefined;

/** Opens a database with its tables up to date: one in memory in a fraction of the time of the migrations, others by them. */
export async function openTestDatabase(place: string): Promise<Database> {
  if (place !== IN_MEMORY) return openMigrated(place, log);
  statements ??= afterMigrations();
  const database = await openDatabase(IN_MEMORY, log);
  for (const statement of await statements) await sql.raw(statement).execute(database.db);
  return database;
}

async function afterMigrations(): Promise<readonly string[]> {
  const { db } = await openMigrated(IN_MEMORY, log);
  const made = await sql<{ sql: string }>`select sql from sqlite_master where sql is not null order by rowid`.execute(
    db,
  );
  const steps = await sql<{ name: string }>`select name from ringback_migrations order by rowid`.execute(db);
  await db.destroy();
  return [
    ...made.rows.map((row) => row.sql),
    ...steps.rows.map(({ name }) => `insert into ringback_migrations (name) values ('${name}')`),
  ];
}
