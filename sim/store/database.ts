import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** A database, with the few things its two kinds do differently. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** Its place, without secrets, for messages. */
  readonly name: string;
  /** Runs the migrations in a transaction, and so that nobody else does at the same time. */
  readonly alone: (run: (db: Kysely<Tables>) => Promise<void>) => Promise<void>;
  /** Until the transaction ends, whoever asks for the same name waits. */
  readonly lock: (transaction: Transaction<Tables>, name: string) => Promise<void>;
}
