import { realpathSync } from 'node:fs';
import { Kysely, sql, SqliteDialect, SqliteDriver, type DatabaseConnection } from 'kysely';
import type { Database as SqliteFile, Statement } from 'libsql';
import { type Database, type DatabaseOptions, IN_MEMORY, timed } from './database.ts';
import { LogCopier, LONG_PAGES, LONGEST_PAGES } from './log-copier.ts';
import { LogCopyThread } from './log-copy-thread.ts';
import { checkWhole, copyLog, createPrivate, lockFile } from './sqlite-file.ts';
import { SharedCommit } from './shared-commit.ts';
import { type Ready, runsAtOnce } from './statement.ts';
import type { Tables } from './tables/tables.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

/**
 * A SQLite driver that keeps the reason of a failed transaction. When the disk is full or fails, SQLite undoes the
 * transaction itself, and then the rollback fails. It waits for the disk after a statement outside of a transaction.
 */
class Driver extends SqliteDriver {
  readonly #log: WriteAheadLog | null;
  readonly #copier: LogCopier | null;
  readonly #written: { isSynced: boolean };
  #isInUse = false;

  constructor(
    file: SqliteFile,
    prepared: PreparedStatements,
    { log, copier }: { log: WriteAheadLog | null; copier: LogCopier | null },
  ) {
    const written = { isSynced: true };
    super({
      database: {
        prepare(text) {
          const statement = prepared.of(text);
          // The statement runs at once. `SharedCommit` waits for those of a transaction.
          if (statement.changes && !isOpenIn(file)) {
            log?.requireWhole();
            written.isSynced = false;
          }
          return statement;
        },
        close: () => prepared.close(),
      },
    });
    this.#log = log;
    this.#copier = copier;
    this.#written = written;
  }

  /** Whether a statement or transaction has the connection. */
  get isInUse(): boolean {
    return this.#isInUse;
  }

  override async destroy(): Promise<void> {
    await this.#copier?.close();
    await super.destroy();
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    this.#isInUse = true;
    // No commit may come while the log is copied.
    await this.#copier?.copying;
    return connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // The copy before may have failed.
    this.#log?.requireWhole();
    await super.beginTransaction(connection);
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#copier?.committed();
  }

  override async releaseConnection(): Promise<void> {
    const { isSynced } = this.#written;
    this.#written.isSynced = true;
    if (!isSynced) this.#copier?.committed();
    this.#isInUse = false;
    this.#copier?.copyLong();
    await super.releaseConnection();
    // Other statements run meanwhile.
    if (!isSynced) await this.#log?.synced();
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

/** A prepared statement that knows whether it returns rows: the question to the native code takes a call of it. */
class PreparedStatement {
  readonly reader: boolean;
  /** Whether it may change data or tables. */
  readonly changes: boolean;
  readonly #native: Statement;
  readonly #prepareAgain: () => Statement;
  /** The statement as one that returns its first row as an array, and the names of the columns. Null before its use. */
  #first: { readonly native: Statement; readonly columns: readonly string[] } | null = null;

  /** @param prepare - prepares the native statement. It is called again for one of another mode. */
  constructor(prepare: () => Statement, text: string) {
    const native = prepare();
    this.#native = native;
    this.#prepareAgain = prepare;
    this.reader = native.reader;
    this.changes = CHANGES.test(text);
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.#native.all(parameters);
  }

  /** Runs a statement of at most one row. This takes one native call, and `all` takes two. */
  first(parameters: readonly unknown[]): unknown[] {
    this.#first ??= {
      native: this.#prepareAgain().raw(true),
      columns: this.#native.columns().map(({ name }) => name),
    };
    const { native, columns } = this.#first;
    const values = native.get(parameters) as readonly unknown[] | undefined;
    if (values === undefined) return [];
    const row: Record<string, unknown> = {};
    for (let at = 0; at < columns.length; at += 1) row[columns[at] ?? ''] = values[at];
    return [row];
  }

  run(parameters: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint } {
    return this.#native.run(parameters);
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
    const statement = new PreparedStatement(() => this.#file.prepare(text), text);
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
}

/**
 * The pages of the file that stay in memory, KiB. The default of 2 MB holds a fraction of the indexes of a busy server, and
 * each other page is read again from the log.
 */
const CACHE_KIB = 16 * 1024;
/**
 * The name by which SQLite opens a database in memory that no other connection shares. A database that is opened as
 * `:memory:` has all its pages in the page cache. Random keys split pages of an index, and SQLite then searches the
 * whole page cache at the commit. So commits became slower with the number of calls before them. This one has a page
 * cache of {@link CACHE_KIB}. It holds 1 GiB, the default of SQLITE_CONFIG_MEMDB_MAXSIZE.
 */
const MEMORY_FILE = 'file:ringback?vfs=memdb';
/** How long a statement waits for another process that has the file. It blocks the event loop. Milliseconds. */
const BUSY_MS = 500;

/**
 * Opens a SQLite file, creating it if needed, or a database in memory. @throws Error when the file cannot be opened.
 */
export async function openSqlite(
  path: string,
  { onStatement, onCopyFailed, now = () => 0 }: DatabaseOptions = {},
): Promise<Database> {
  // The file contains push tokens.
  if (path !== IN_MEMORY) createPrivate(path);
  // Native code, which a server with PostgreSQL does not need.
  const { default: Libsql } = await import('libsql');
  const file = new Libsql(path === IN_MEMORY ? MEMORY_FILE : path);
  // SQLite syncs its log before it copies the log into the file. Every commit before waits for `WriteAheadLog`.
  file.exec(
    `pragma busy_timeout = ${BUSY_MS}; pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma cache_size = ${-CACHE_KIB}`,
  );
  // SQLite puts the log beside the real file.
  const real = path === IN_MEMORY ? null : realpathSync(path);
  const log = real === null ? null : new WriteAheadLog(real, () => copyLog(file));
  const copier = real === null ? null : new LogCopier({ start: () => new LogCopyThread(real), onFailure: copyFailed });
  function copyFailed(error: unknown): void {
    if (isOfDisk(error)) log?.distrust();
    // SQLite copies the log within commits again.
    file.exec(`pragma wal_autocheckpoint = ${LONG_PAGES}`);
    onCopyFailed?.(error);
  }
  if (copier) file.exec(`pragma wal_autocheckpoint = ${LONGEST_PAGES}`);
  const prepared = new PreparedStatements(file, log);
  const driver = new Driver(file, prepared, { log, copier });
  const dialect = new Dialect(file, () => driver);
  const db = new Kysely<Tables>({ dialect, ...timed(onStatement) });
  const rowsOf = (statement: PreparedStatement, { parameters, isOfOne }: Ready): unknown[] => {
    if (statement.reader) return isOfOne ? statement.first(parameters) : statement.all(parameters);
    statement.run(parameters);
    return [];
  };
  const runNow = (statement: PreparedStatement, ready: Ready): unknown[] => {
    const began = now();
    const rows = rowsOf(statement, ready);
    onStatement?.(now() - began);
    return rows;
  };
  const isOpen = () => isOpenIn(file);
  // Outside of a transaction, a statement must not join the one that is open.
  runsAtOnce(db, (ready) => {
    if (isOpen()) return undefined;
    const statement = prepared.of(ready.sql);
    if (!statement.changes) return runNow(statement, ready);
    // Kysely waits for the copy.
    if (copier?.copying) return undefined;
    log?.requireWhole();
    const rows = runNow(statement, ready);
    copier?.committed();
    if (!driver.isInUse) copier?.copyLong();
    return log ? log.synced().then(() => rows) : rows;
  });
  const commits = new SharedCommit({
    db,
    isOpen,
    // SQLite may have undone the transaction.
    began: (transaction) =>
      runsAtOnce(transaction, (ready) => (isOpen() ? runNow(prepared.of(ready.sql), ready) : undefined)),
    synced: async () => await log?.synced(),
  });
  return {
    db,
    file: real,
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

/** Returns whether a transaction is open. A closed file has none, and libsql ends the process when it is asked. */
const isOpenIn = (file: SqliteFile): boolean => file.open && file.inTransaction;

/** Returns whether SQLite could not read, write or sync a file (https://sqlite.org/rescode.html#ioerr). */
const isOfDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_IOERR');
