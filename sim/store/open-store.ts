import type { Log } from '../exchange/log.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgres, placeOf } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { SqlStore } from './sql-store.ts';
import { StoreError } from './store-error.ts';

const POSTGRES = /^postgres(?:ql)?:/i;

/** Whether a database is a PostgreSQL url; else it is the path of a SQLite file, or `:memory:`. */
const isPostgresUrl = (database: string): boolean => POSTGRES.test(database) && URL.canParse(database);

/**
 * Opens a database with its tables up to date.
 *
 * @param database - a path, `:memory:`, or a url of PostgreSQL.
 * @throws StoreError it cannot be opened, or a newer version of ringback made it.
 */
export async function openStore(database: string, log: Pick<Log, 'warn'>): Promise<SqlStore> {
  return new SqlStore(await openMigrated(database, log));
}

/** As openStore, the database itself. */
export async function openMigrated(database: string, log: Pick<Log, 'warn'>): Promise<Database> {
  const opened = await openDatabase(database, log);
  try {
    await migrate(opened);
  } catch (error) {
    await opened.db.destroy();
    throw error instanceof StoreError ? error : unusable(opened.name, error);
  }
  return opened;
}

/** Opens a database as it is. @throws StoreError it cannot be opened. */
export async function openDatabase(database: string, log: Pick<Log, 'warn'>): Promise<Database> {
  try {
    if (!isPostgresUrl(database)) return await openSqlite(database);
    return await openPostgres(database, (error) => log.warn('a connection to the database is lost', { error }));
  } catch (error) {
    throw unusable(isPostgresUrl(database) ? placeOf(database) : database, error);
  }
}

function unusable(name: string, cause: unknown): StoreError {
  return new StoreError(`The database ${name} cannot be used: ${reasonOf(cause).split('\n')[0]}`, { cause });
}

/** Several failed connections at once have no message of their own, only a code. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return cause.message;
  return 'code' in cause ? String(cause.code) : cause.name;
}
