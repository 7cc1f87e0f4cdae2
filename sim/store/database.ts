import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** A database, with the few things its two kinds do differently. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** Its place, without secrets, for messages. */
  readonly name: string;
  /**
   * Claims the database for this exchange, until `release` or the end of the process.
   *
   * @throws StoreError it is a file, and another process has claimed it.
   */
  readonly claim: () => Promise<Claim>;
  /** Runs the migrations in a transaction, and so that nobody else does at the same time. */
  readonly alone: (run: (db: Kysely<Tables>) => Promise<void>) => Promise<void>;
  /** Whether it is still there when the process has ended. */
  readonly outlives: boolean;
  /** Whether several servers may have it open at once. */
  readonly isShared: boolean;
  /**
   * Runs the work in a transaction, and is done when that is on the disk. On SQLite those that wait at the same time are
   * written to the disk together; on PostgreSQL the work runs again where the database broke up a circle of waiting. The work
   * must ask the transaction alone, wait for nothing else, and change nothing beside it.
   */
  readonly transact: <Result>(work: (transaction: Transaction<Tables>) => Promise<Result>) => Promise<Result>;
  /** Until the transaction ends, whoever asks for the same name waits. */
  readonly lock: (transaction: Transaction<Tables>, name: string) => Promise<void>;
}

/** The claim of one exchange on its database. */
export interface Claim {
  /** False where another exchange has claimed it before, and both are to share it. */
  readonly isAlone: boolean;
  readonly release: () => Promise<void>;
}

/** What can be set about a database. The limits are those of PostgreSQL; SQLite has no use for them. */
export interface DatabaseOptions {
  /** Told how long each statement took, milliseconds. */
  readonly onStatement?: (ms: number) => void;
  /** Connections at once. Default 10. */
  readonly connections?: number;
  /** A statement that takes longer fails, but for those of migrations. Milliseconds, default 10 s. */
  readonly statementMs?: number;
  /** A connection that takes longer fails. Milliseconds, default 5 s. */
  readonly connectMs?: number;
}
