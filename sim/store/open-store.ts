import type { Log } from '../exchange/logging/log.ts';
import type { Claim, Database, DatabaseOptions } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgres, placeOf } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { SqlStore } from './sql-store.ts';
import { StoreError, unusable } from './store-error.ts';

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
export async function openMigrated(
  database: string,
  log: Pick<Log, 'warn'>,
  options: DatabaseOptions = {},
): Promise<Database> {
  const opened = await openDatabase(database, log, options);
  await orDestroyed(opened, () => migrate(opened));
  return opened;
}

/** As openMigrated, for the one exchange of the database: it claims the database before it changes anything. */
export async function openClaimed(
  database: string,
  log: Pick<Log, 'warn'>,
  options: DatabaseOptions = {},
): Promise<{ readonly database: Database; readonly claim: Claim }> {
  const opened = await openDatabase(database, log, options);
  const claim = await orDestroyed(opened, () => opened.claim());
  if (!claim.isAlone) {
    log.warn(
      'another exchange uses this database: users of the two cannot call each other, and live events reach those of one alone',
      { database: opened.name },
    );
  }
  await orDestroyed(opened, () => migrate(opened), claim);
  return { database: opened, claim };
}

/** Does the work, or closes the database. @throws StoreError. */
async function orDestroyed<Result>(
  { db, name }: Database,
  work: () => Promise<Result>,
  claim?: Claim,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await db.destroy();
    await claim?.release();
    throw error instanceof StoreError ? error : unusable(name, error);
  }
}

/** Opens a database as it is. @throws StoreError it cannot be opened. */
export async function openDatabase(
  database: string,
  log: Pick<Log, 'warn'>,
  options: DatabaseOptions = {},
): Promise<Database> {
  try {
    if (!isPostgresUrl(database)) return await openSqlite(database, options);
    const onLost = (error: Error) => log.warn('a connection to the database is lost', { error });
    return await openPostgres(database, onLost, options);
  } catch (error) {
    throw unusable(isPostgresUrl(database) ? placeOf(database) : database, error);
  }
}
