import { sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from './tables/tables.ts';

interface Job {
  /** Does the work. Returns the function to call after the commit. */
  readonly run: (transaction: Transaction<Tables>) => Promise<() => void>;
  readonly fail: (error: unknown) => void;
}

/** The most jobs in one commit, so that no job waits too long for the others. */
const AT_ONCE = 128;

/**
 * Transactions of a SQLite file. Those that wait at the same time share one commit, since each commit waits for the
 * disk. Each job is still its own transaction: if it fails, only its changes are undone. No job completes before its
 * data is on the disk.
 */
export class SharedCommit {
  readonly #db: Kysely<Tables>;
  #waiting: Job[] = [];
  #isRunning = false;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  run<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({
        run: async (transaction) => {
          const result = await work(transaction);
          return () => resolve(result);
        },
        fail: reject,
      });
      void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#waiting.length > 0) await this.#runTogether(this.#waiting.splice(0, AT_ONCE));
    this.#isRunning = false;
  }

  async #runTogether(jobs: readonly Job[]): Promise<void> {
    const failed = new Set<Job>();
    try {
      const done = await this.#db.transaction().execute(async (transaction) => {
        const kept = [];
        for (const job of jobs) {
          await sql`savepoint job`.execute(transaction);
          try {
            kept.push(await job.run(transaction));
          } catch (error) {
            failed.add(job);
            job.fail(error);
            // When the disk is full or fails, SQLite undoes the whole transaction with its savepoints. The
            // other jobs then fail with the reason of SQLite. The job's own reason may be for one user alone.
            await sql`rollback to savepoint job`.execute(transaction).catch((reason: unknown) => {
              throw isOfSqlite(error) ? error : reason;
            });
          }
          await sql`release savepoint job`.execute(transaction);
        }
        return kept;
      });
      for (const settle of done) settle();
    } catch (error) {
      for (const job of jobs) if (!failed.has(job)) job.fail(error);
    }
  }
}

const isOfSqlite = (error: unknown): boolean => error instanceof Error && error.name === 'SqliteError';
