import { sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from './tables/tables.ts';

interface Job {
  /** Does its work; what it gives is to be called once that is kept. */
  readonly run: (transaction: Transaction<Tables>) => Promise<() => void>;
  readonly fail: (error: unknown) => void;
}

/** At most so much of what waits is kept at once: the others are not to wait too long for it. */
const AT_ONCE = 128;

/**
 * Transactions of a SQLite file: those that wait at the same time are kept by one commit, since each commit waits for the
 * disk. To each it is a transaction of its own: where one fails, only its own changes are undone; and none is told that it
 * is done before it is on the disk.
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
            // Where the disk is full or fails, SQLite undoes the whole transaction, and its savepoints are gone.
            await sql`rollback to savepoint job`.execute(transaction).catch(() => {
              throw error;
            });
            failed.add(job);
            job.fail(error);
          }
          await sql`release savepoint job`.execute(transaction);
        }
        return kept;
      });
      for (const tell of done) tell();
    } catch (error) {
      for (const job of jobs) if (!failed.has(job)) job.fail(error);
    }
  }
}
