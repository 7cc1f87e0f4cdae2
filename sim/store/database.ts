import type { Kysely, Transaction, KyselyConfig } from 'kysely';
import type { Clock } from '../../src/common/clock.ts';
import type { Tables } from './tables/tables.ts';

/** A database, with the operations in which SQLite and PostgreSQL differ. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** The location of the database for messages, without secrets. */
  readonly name: string;
  /**
   * Claims the database for this exchange, until `release` or the end of the process.
   *
   * @param onAgain - called when a claim that was lost with its connection is taken again, with {@link Claim.isAlone}.
   * @throws StoreError when it is a file and another process has claimed it.
   */
  readonly claim: (onAgain: (isAlone: boolean) => void) => Promise<Claim>;
  /** Runs the migrations in a transaction and under an exclusive lock. */
  readonly alone: (run: (db: Kysely<Tables>) => Promise<void>) => Promise<void>;
  /** The path of the SQLite file. Null for a database in memory and for PostgreSQL. */
  readonly file: string | null;
  /** Whether the data outlives the process. */
  readonly outlives: boolean;
  /** Whether several servers may use the database in parallel. */
  readonly isShared: boolean;
  /**
   * Runs the work in a transaction, and resolves when it is on the disk. SQLite writes parallel transactions to the
   * disk together, and runs the work again without one that failed. PostgreSQL runs the work again after a deadlock. The
   * work must query only the transaction, wait for nothing else, and change nothing outside it.
   *
   * @param survives - what the data must survive. `crash`: the end of this process, so SQLite does not wait for the
   *   disk. PostgreSQL always does, since it may end while this process goes on. Default: `power loss`.
   */
  readonly transact: <Result>(
    work: (transaction: Transaction<Tables>) => Promise<Result>,
    survives?: Durability,
  ) => Promise<Result>;
  /**
   * Takes the lock of this name until the transaction ends. Transactions may share a `shared` lock. An `exclusive` lock
   * has one holder, and waits for those who share it. Default: `exclusive`.
   */
  readonly lock: (transaction: Transaction<Tables>, name: string, kind?: 'exclusive' | 'shared') => Promise<void>;
}

/** What written data survives. */
export type Durability = 'crash' | 'power loss';

/** The claim of an exchange on its database. */
export interface Claim {
  /** False when another exchange has claimed the database before, and both share it. */
  readonly isAlone: boolean;
  readonly release: () => Promise<void>;
}

/** The options of a database. The limits apply to PostgreSQL alone. */
export interface DatabaseOptions {
  /** Called with the duration of each statement in milliseconds. */
  readonly onStatement?: (ms: number) => void;
  /** Called when no thread can copy the log of a SQLite file, so that commits must do it. Default: none. */
  readonly onCopyFailed?: (error: unknown) => void;
  /** The monotonic clock, which measures statements that run at once. Default: one that stands still. */
  readonly now?: () => number;
  /** Runs a function later, which takes a lost claim again. Default: a lost claim stays lost. */
  readonly after?: Clock['after'];
  /** The most parallel connections. Default: 10. */
  readonly connections?: number;
  /** The longest duration of a statement, except in migrations. Milliseconds. Default: 10 000. */
  readonly statementMs?: number;
  /** The longest duration of a connection attempt. Milliseconds. Default: 5 000. */
  readonly connectMs?: number;
}

/** The name of a database in memory, which ends with its process. */
export const IN_MEMORY = ':memory:';

/** Returns the configuration that measures each statement. Empty without a listener. */
export const timed = (onStatement: ((ms: number) => void) | undefined): Pick<KyselyConfig, 'log'> =>
  onStatement ? { log: ({ queryDurationMillis }) => onStatement(queryDurationMillis) } : {};
