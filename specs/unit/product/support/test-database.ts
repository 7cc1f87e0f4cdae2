import { sql } from 'kysely';
import { type Database, IN_MEMORY } from '../../../../sim/store/database.ts';
import { openDatabase, openMigrated } from '../../../../sim/store/open-store.ts';

const log = { warn: () => undefined };
/** Rows that are written at once: SQLite accepts 32,766 values a statement. */
const ROWS = 500;

/** Everything in a SQLite database: the statements that create it, and the rows of each table. */
export interface DatabaseImage {
  readonly tables: readonly string[];
  readonly rows: readonly { readonly table: string; readonly rows: readonly Record<string, unknown>[] }[];
  /** Indexes and triggers. */
  readonly others: readonly string[];
}

/** Takes the image of a database. */
export async function imageOf({ db }: Database): Promise<DatabaseImage> {
  const { rows: made } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_master where sql is not null order by rowid
  `.execute(db);
  const tables = made.filter(({ type }) => type === 'table');
  const rows = [];
  for (const { name: table } of tables) {
    rows.push({
      table,
      rows: (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)).rows,
    });
  }
  return {
    tables: tables.map((one) => one.sql),
    rows,
    others: made.filter(({ type }) => type !== 'table').map((one) => one.sql),
  };
}

/** Opens a database in memory with the contents of the image. */
export async function openImage({ tables, rows: contents, others }: DatabaseImage): Promise<Database> {
  const database = await openDatabase(IN_MEMORY, log);
  const { db } = database;
  for (const statement of tables) await sql.raw(statement).execute(db);
  for (const { table, rows } of contents) {
    for (let at = 0; at < rows.length; at += ROWS) {
      const some = rows.slice(at, at + ROWS);
      const columns = Object.keys(some[0] ?? {});
      const values = some.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
      await sql`insert into ${sql.table(table)} (${sql.join(columns.map(sql.ref))}) values ${sql.join(values)}`.execute(
        db,
      );
    }
  }
  for (const statement of others) await sql.raw(statement).execute(db);
  return database;
}

/** The result of the migrations. */
let migrated: Promise<DatabaseImage> | undefined;

/**
 * Opens a database with its tables up to date: one in memory in a fraction of the time of the migrations, others by
 * them.
 */
export async function openTestDatabase(place: string): Promise<Database> {
  if (place !== IN_MEMORY) return openMigrated(place, log);
  migrated ??= openMigrated(IN_MEMORY, log).then(async (database) => {
    const image = await imageOf(database);
    await database.db.destroy();
    return image;
  });
  return openImage(await migrated);
}
