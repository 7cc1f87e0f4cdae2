import type { Log } from '../exchange/logging/log.ts';
import type { Claim, Database, DatabaseOptions } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgres, placeOf } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { StoreError, unusable } from './store-error.ts';

const POSTGRES = /^postgres(?:ql)?:/i;

/** Returns whether a database is a PostgreSQL URL. Otherwise it is the path of a SQLite file, or `:memory:`. */
export const isPostgresUrl = (database: string): boolean => POSTGRES.test(database) && URL.canParse(database);

/**
 * Opens a database and applies missing migrations.
 *
 * @param database - a path, `:memory:`, or a PostgreSQL URL.
 * @throws StoreError when it cannot be opened, or a newer version of ringback made it.
 */
export async function openMigrated(
  database: string,
  log: Pick<Log, 'warn'>,
  options: DatabaseOptions = {},
): Promise<Database> {
  const opened = await openDatabase(database, log, options);
  await orDestroyed(opened, () => migrate(opened));
  return opened;
}

/**
 * Does the same as openMigrated for the exchange of the database, which claims it before any change.
 *
 * @param isOfCluster - whether other nodes of a cluster are expected to use the database.
 */
export async function openClaimed(
  database: string,
  log: Pick<Log, 'warn'>,
  options: DatabaseOptions = {},
  isOfCluster = false,
): Promise<{ readonly database: Database; readonly claim: Claim }> {
  const opened = await openDatabase(database, log, options);
  const claimed = (isAlone: boolean) => {
    if (isAlone || isOfCluster) return;
    log.warn(
      'another exchange uses this database: users of one exchange cannot call users of the other, nor get their live events',
      { database: opened.name },
    );
  };
  const claim = await orDestroyed(opened, () => opened.claim(claimed));
  claimed(claim.isAlone);
  await orDestroyed(opened, () => migrate(opened), claim);
  return { database: opened, claim };
}

/** Runs the work. Closes the database if the work fails. @throws StoreError. */
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

/** Opens a database without changes. @throws StoreError when it cannot be opened. */
export async function openDatabase(
  database: string,
  log: Pick<Log, 'warn'>,
  options: DatabaseOptions = {},
): Promise<Database> {
  try {
    const onCopyFailed = (error: unknown) =>
      log.warn('no thread can copy the log of the database: until a restart, commits copy it and delay calls', {
        error,
      });
    if (!isPostgresUrl(database)) return await openSqlite(database, { onCopyFailed, ...options });
    const onLost = (error: Error) => log.warn('a connection to the database was lost', { error });
    return await openPostgres(database, onLost, options);
  } catch (error) {
    throw unusable(isPostgresUrl(database) ? placeOf(database) : database, error);
  }
}
