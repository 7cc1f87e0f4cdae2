import { Kysely, sql, SqliteDialect, SqliteDriver, type DatabaseConnection } from 'kysely';
import type { Database as SqliteFile, Statement } from 'libsql';
import { type Database, type DatabaseOptions, IN_MEMORY, timed } from './database.ts';
import { lockFile, createPrivate, checkWhole } from './sqlite-file.ts';
import { SharedCommit } from './shared-commit.ts';
import { runsAtOnce } from './statement.ts';
import type { Tables } from './tables/tables.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

/**
 * A SQLite driver that keeps the reason of a failed transaction. When the disk is full or fails, SQLite undoes the
 * transaction itself, and then the rollback fails.
 */
class Driver extends SqliteDriver {
  constructor(prepared: PreparedStatements) {
    super({ database: { prepare: (text) => prepared.of(text), close: () => prepared.close() } });
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

class Dialect extends SqliteDialect {
  readonly #createDriver: () => SqliteDriver;

  constructor(file: SqliteFile, createDriver: () => SqliteDriver) {
    super({ database: file });
    this.#createDriver = createDriver;
  }

  override createDriver(): SqliteDriver {
    return this.#createDriver();
  }
}

/** The most statements that stay prepared. */
const PREPARED = 500;
/**
 * The longest text of a statement that stays prepared. A statement keeps the values of its last run, and a longer one
 * inserts many rows: 500 of those kept 300 MB.
 */
const PREPARED_CHARS = 1_000;

/** Statements that may change data or tables. */
const CHANGES = /^\s*(?:insert|update|delete|replace|with|create|alter|drop)\b/i;
const ignored = (): void => undefined;

/** A prepared statement that knows whether it returns rows: the question to the native code takes a call of it. */
class PreparedStatement {
  readonly reader: boolean;
  readonly #native: Statement;
  readonly #changed: () => void;

  /** @param changed - called after each run. */
  constructor(native: Statement, changed: () => void) {
    this.#native = native;
    this.#changed = changed;
    this.reader = native.reader;
  }

  all(parameters: readonly unknown[]): unknown[] {
    const rows = this.#native.all(parameters);
    this.#changed();
    return rows;
  }

  run(parameters: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint } {
    const result = this.#native.run(parameters);
    this.#changed();
    return result;
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.#native.iterate(parameters);
  }
}

/**
 * The prepared statements of a database, by their text. One connection runs one statement at a time, and reads all of
 * its rows at once, so that a statement is never in use twice.
 */
class PreparedStatements {
  readonly #file: SqliteFile;
  readonly #log: WriteAheadLog | null;
  readonly #byText = new Map<string, PreparedStatement>();

  /** @param log - the log of the file. Null for a database in memory. */
  constructor(file: SqliteFile, log: WriteAheadLog | null) {
    this.#file = file;
    this.#log = log;
  }

  /** Returns the statement of a text. A short one stays prepared. Above the bound, the oldest is dropped. */
  of(text: string): PreparedStatement {
    const known = this.#byText.get(text);
    if (known) return known;
    const statement = new PreparedStatement(this.#file.prepare(text), CHANGES.test(text) ? this.#changed : ignored);
    if (text.length > PREPARED_CHARS) return statement;
    this.#byText.set(text, statement);
    if (this.#byText.size > PREPARED) this.#byText.delete(this.#byText.keys().next().value ?? '');
    return statement;
  }

  /** Closes the database. A prepared statement would keep its file open. */
  close(): void {
    this.#byText.clear();
    this.#log?.close();
    this.#file.close();
  }

  /** Waits for the disk after a statement outside of any transaction: nothing follows that would do so. */
  readonly #changed = (): void => {
    if (!this.#file.inTransaction) this.#log?.sync();
  };
}

/**
 * The pages of the log at which SQLite copies them into the file. A page that changes often is copied once, and a log
 * of this size takes 16 MB.
 */
const CHECKPOINT_PAGES = 4_000;

/** How long a statement waits for another process that has the file. It blocks the event loop. Milliseconds. */
const BUSY_MS = 500;

/**
 * Opens a SQLite file, creating it if needed, or a database in memory. @throws Error when the file cannot be opened.
 */
export async function openSqlite(
  path: string,
  { onStatement, now = () => 0 }: DatabaseOptions = {},
): Promise<Database> {
  // The file contains push tokens.
  if (path !== IN_MEMORY) createPrivate(path);
  // Native code, which a server with PostgreSQL does not need.
  const { default: Libsql } = await import('libsql');
  const file = new Libsql(path);
  // SQLite syncs its log before it copies the log into the file. Every commit before waits for `WriteAheadLog`.
  file.exec(
    `pragma busy_timeout = ${BUSY_MS}; pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  );
  const log = path === IN_MEMORY ? null : new WriteAheadLog(path);
  const prepared = new PreparedStatements(file, log);
  const dialect = new Dialect(file, () => new Driver(prepared));
  const db = new Kysely<Tables>({ dialect, ...timed(onStatement) });
  const runNow = (text: string, parameters: readonly unknown[]): unknown[] => {
    const began = now();
    const statement = prepared.of(text);
    const rows = statement.reader ? statement.all(parameters) : [];
    if (!statement.reader) statement.run(parameters);
    onStatement?.(now() - began);
    return rows;
  };
  const isOpen = () => file.inTransaction;
  // Outside of a transaction, a statement must not join the one that is open.
  runsAtOnce(db, (text, parameters) => (isOpen() ? undefined : runNow(text, parameters)));
  const commits = new SharedCommit({
    db,
    isOpen,
    // SQLite may have undone the transaction.
    began: (transaction) =>
      runsAtOnce(transaction, (text, parameters) => (isOpen() ? runNow(text, parameters) : undefined)),
    synced: async () => await log?.synced(),
  });
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
        await log?.synced();
      } catch (error) {
        await sql`rollback`.execute(db).catch(() => undefined);
        throw error;
      }
    },
    transact: (work, survives) => commits.run(work, survives),
    // SQLite has one writer at a time.
    lock: async () => undefined,
  };
}
