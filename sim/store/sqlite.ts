import { Kysely, sql, SqliteDialect, SqliteDriver, type DatabaseConnection } from 'kysely';
import type { Database as SqliteFile } from 'libsql';
import type { Database, DatabaseOptions } from './database.ts';
import { IN_MEMORY } from './in-memory.ts';
import { lockFile } from './lock-file.ts';
import { createPrivate } from './private-file.ts';
import { timed } from './timed.ts';
import { SharedCommit } from './shared-commit.ts';
import type { Tables } from './tables/tables.ts';
import { checkWhole } from './whole-file.ts';

/**
 * SQLite, where a transaction fails with its own reason. Where the disk is full or fails, SQLite undoes the transaction itself, and
 * the rollback fails of that.
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

/** Another process that has the file is waited for this long; nothing else happens meanwhile. */
const BUSY_MS = 500;

/** Opens a SQLite file, made if it is not there, or one in memory. @throws Error the file cannot be opened. */
export async function openSqlite(path: string, { onStatement }: DatabaseOptions = {}): Promise<Database> {
  // It holds push tokens.
  if (path !== IN_MEMORY) createPrivate(path);
  // Native code, and not needed by whoever uses PostgreSQL.
  const { default: Libsql } = await import('libsql');
  const file = new Libsql(path);
  // What is said to be kept is on the disk: the log beside the file, written through at each commit.
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
      // A transaction of Kysely's begins without the lock, and takes it too late to have read what still is so.
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
    // There is one writer at a time.
    lock: async () => undefined,
  };
}
