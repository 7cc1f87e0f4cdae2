import { Kysely, sql, SqliteDialect, SqliteDriver, type DatabaseConnection } from 'kysely';
import type { Database as SqliteFile, Statement } from 'libsql';
import { type Database, type DatabaseOptions, type Durability, IN_MEMORY, timed } from './database.ts';
import { lockFile, createPrivate, checkWhole } from './sqlite-file.ts';
import { SharedCommit } from './shared-commit.ts';
import { runsAtOnce } from './statement.ts';
import type { Tables } from './tables/tables.ts';

/** What the next transaction must survive. Every other statement survives a loss of power. */
interface NextTransaction {
  survives: Durability;
}

/**
 * A SQLite driver that keeps the reason of a failed transaction. When the disk is full or fails, SQLite undoes the
 * transaction itself, and then the rollback fails. SQLite changes how it syncs between transactions alone.
 */
class Driver extends SqliteDriver {
  readonly #file: SqliteFile;
  readonly #next: NextTransaction;

  constructor(file: SqliteFile, prepared: PreparedStatements, next: NextTransaction) {
    super({ database: { prepare: (text) => prepared.of(text), close: () => prepared.close() } });
    this.#file = file;
    this.#next = next;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#next.survives === 'crash') this.#file.exec('pragma synchronous = normal');
    try {
      await super.beginTransaction(connection);
    } catch (error) {
      this.#syncAgain();
      throw error;
    }
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    // The commit runs at once. A statement that runs before its promise settles must wait for the disk again.
    const committed = super.commitTransaction(connection);
    if (!this.#file.inTransaction) this.#syncAgain();
    await committed;
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const undone = super.rollbackTransaction(connection).catch(() => undefined);
    if (!this.#file.inTransaction) this.#syncAgain();
    await undone;
  }

  #syncAgain(): void {
    if (this.#next.survives === 'crash') this.#file.exec('pragma synchronous = full');
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

/** A prepared statement that knows whether it returns rows: the question to the native code takes a call of it. */
class PreparedStatement {
  readonly reader: boolean;
  readonly #native: Statement;

  constructor(native: Statement) {
    this.#native = native;
    this.reader = native.reader;
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.#native.all(parameters);
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
  readonly #byText = new Map<string, PreparedStatement>();

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Returns the statement of a text. A short one stays prepared. Above the bound, the oldest is dropped. */
  of(text: string): PreparedStatement {
    const known = this.#byText.get(text);
    if (known) return known;
    const statement = new PreparedStatement(this.#file.prepare(text));
    if (text.length > PREPARED_CHARS) return statement;
    this.#byText.set(text, statement);
    if (this.#byText.size > PREPARED) this.#byText.delete(this.#byText.keys().next().value ?? '');
    return statement;
  }

  /** Closes the database. A prepared statement would keep its file open. */
  close(): void {
    this.#byText.clear();
    this.#file.close();
  }
}

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
  // The log beside the file is synced at each commit, unless a transaction must only survive a crash.
  file.exec(
    `pragma busy_timeout = ${BUSY_MS}; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on`,
  );
  const next: NextTransaction = { survives: 'power loss' };
  const prepared = new PreparedStatements(file);
  const dialect = new Dialect(file, () => new Driver(file, prepared, next));
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
  const commits = new SharedCommit(db, next, isOpen, (transaction) =>
    // SQLite may have undone the transaction.
    runsAtOnce(transaction, (text, parameters) => (isOpen() ? runNow(text, parameters) : undefined)),
  );
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
    transact: (work, survives) => commits.run(work, survives),
    // SQLite has one writer at a time.
    lock: async () => undefined,
  };
}
