import { Kysely, sql, SqliteDialect, SqliteDriver, type DatabaseConnection } from 'kysely';
import type { Database as SqliteFile } from 'libsql';
import { type Database, type DatabaseOptions, IN_MEMORY, timed } from './database.ts';
import { lockFile, createPrivate, checkWhole } from './sqlite-file.ts';
import { SharedCommit } from './shared-commit.ts';
import type { Tables } from './tables/tables.ts';

/**
 * A SQLite driver that keeps the reason of a failed transaction. When the disk is full or fails, SQLite undoes the
 * transaction itself, and then the rollback fails.
 */
class Driver extends SqliteDriver {
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

class Dialect extends SqliteDialect {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    super({ database: file });
    this.#file = file;
  }

  override createDriver(): SqliteDriver {
    return new Driver({ database: this.#file });
  }
}

/** How long a statement waits for another process that has the file. It blocks the event loop. Milliseconds. */
const BUSY_MS = 500;

/**
 * Opens a SQLite file, creating it if needed, or a database in memory. @throws Error when the file cannot be opened.
 */
export async function openSqlite(path: string, { onStatement }: DatabaseOptions = {}): Promise<Database> {
  // The file contains push tokens.
  if (path !== IN_MEMORY) createPrivate(path);
  // Native code, which a server with PostgreSQL does not need.
  const { default: Libsql } = await import('libsql');
  const file = new Libsql(path);
  // A commit must be on the disk: the log beside the file is synced at each commit.
  file.exec(
    `pragma busy_timeout = ${BUSY_MS}; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on`,
  );
  const db = new Kysely<Tables>({ dialect: new Dialect(file), ...timed(onStatement) });
  const commits = new SharedCommit(db);
  return {
    db,
    outlives: path !== IN_MEMORY,
    isShared: false,
    async claim() {
      if (path === IN_MEMORY) return { isAlone: true, release: async () => undefined };
      const unlock = await lockFile(path);
      try {
        checkWhole(file, path);
      } catch (error) {
        unlock();
        throw error;
      }
      return { isAlone: true, release: async () => unlock() };
    },
    name: path === IN_MEMORY ? 'in memory' : path,
    async alone(run) {
      // A transaction of Kysely begins without the lock. It takes the lock later, when its reads may be outdated.
      await sql`begin immediate`.execute(db);
      try {
        await run(db);
        await sql`commit`.execute(db);
      } catch (error) {
        await sql`rollback`.execute(db).catch(() => undefined);
        throw error;
      }
    },
    transact: (work) => commits.run(work),
    // SQLite has one writer at a time.
    lock: async () => undefined,
  };
}
