import { sql, type Kysely, type Migration } from 'kysely';
import type { Database } from './database.ts';
import { StoreError } from './store-error.ts';
import type { Tables } from './tables/tables.ts';
import { accountMigrations } from './migrations/accounts.ts';
import { callMigrations, callerMigrations } from './migrations/calls.ts';
import { chatMigrations } from './migrations/chat.ts';
import { moneyMigrations } from './migrations/money.ts';
import { mediaMigrations } from './migrations/media.ts';
import { pushMigrations } from './migrations/push.ts';
import { peopleMigrations } from './migrations/people.ts';
import { pointMigrations } from './migrations/points.ts';
import { roomMigrations } from './migrations/rooms.ts';

/**
 * The migrations by name, in the order in which they run. They are the same for SQLite and PostgreSQL. A released
 * migration never changes.
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  ...callMigrations,
  ...accountMigrations,
  ...chatMigrations,
  ...moneyMigrations,
  ...mediaMigrations,
  ...pushMigrations,
  ...peopleMigrations,
  ...pointMigrations,
  // After the tables of calls and accounts, which this reads.
  ...callerMigrations,
  ...roomMigrations,
};

/**
 * Applies all missing migrations in one transaction. Kysely's own migrator lists every table of a PostgreSQL database,
 * which fails while other clients drop theirs. In SQLite it has neither lock nor transaction.
 *
 * @throws StoreError when a newer version of ringback made the tables.
 */
export async function migrate(
  { name, alone }: Database,
  migrations: Readonly<Record<string, Migration>> = MIGRATIONS,
): Promise<void> {
  await alone(async (db) => {
    const done = await stepsTaken(db);
    const unknown = done.find((step) => !Object.hasOwn(migrations, step));
    if (unknown !== undefined) {
      throw new StoreError(
        `The database ${name} was made by a newer version of ringback, with the migration ${unknown}. ` +
          'Use that version, or another database.',
      );
    }
    for (const [step, { up }] of Object.entries(migrations)) {
      if (done.includes(step)) continue;
      await up(db);
      await sql`insert into ringback_migrations (name) values (${step})`.execute(db);
    }
  });
}

async function stepsTaken(db: Kysely<Tables>): Promise<string[]> {
  await db.schema
    .createTable('ringback_migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
  const { rows } = await sql<{ name: string }>`select name from ringback_migrations order by name`.execute(db);
  return rows.map((row) => row.name);
}
