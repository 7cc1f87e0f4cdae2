import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { Durability } from './database.ts';
import type { Tables } from './tables/tables.ts';

interface Job {
  /** Does the work. Returns the function to call after the commit. */
  readonly run: (transaction: Transaction<Tables>) => Promise<() => void>;
  readonly fail: (error: unknown) => void;
  readonly survives: Durability;
}

/** The functions to call after a commit. */
type Done = readonly (() => void)[];

/** The most jobs in one commit, so that no job waits too long for the others. */
const AT_ONCE = 128;

// Savepoints are statements of their own, so they are made only when a job of the commit has failed.
const SAVEPOINT = CompiledQuery.raw('savepoint job');
const RELEASE = CompiledQuery.raw('release savepoint job');
const ROLLBACK = CompiledQuery.raw('rollback to savepoint job');

/**
 * Transactions of a SQLite file. Those of one turn of the event loop share one commit, since each commit waits for the
 * disk. Each job is still its own transaction: if it fails, only its changes are undone. No job completes before its
 * commit, which is on the disk when one of its jobs must survive a loss of power.
 */
export class SharedCommit {
  readonly #db: Kysely<Tables>;
  readonly #next: { survives: Durability };
  readonly #isOpen: () => boolean;
  readonly #began: (transaction: Transaction<Tables>) => () => void;
  #waiting: Job[] = [];
  #isRunning = false;

  /**
   * @param next - what the next transaction must survive, for the driver. All transactions are made here.
   * @param isOpen - whether a transaction is open.
   * @param began - called with each transaction before its jobs. Returns the function to call after them.
   */
  constructor(
    db: Kysely<Tables>,
    next: { survives: Durability },
    isOpen: () => boolean,
    began: (transaction: Transaction<Tables>) => () => void,
  ) {
    this.#db = db;
    this.#next = next;
    this.#isOpen = isOpen;
    this.#began = began;
  }

  run<Result>(
    work: (transaction: Transaction<Tables>) => Promise<Result>,
    survives: Durability = 'power loss',
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({
        run: async (transaction) => {
          const result = await work(transaction);
          return () => resolve(result);
        },
        fail: reject,
        survives,
      });
      void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // What other sockets have sent meanwhile shares the commit.
      await immediately();
      await this.#runTogether(this.#waiting.splice(0, AT_ONCE));
    }
    this.#isRunning = false;
  }

  async #runTogether(jobs: readonly Job[]): Promise<void> {
    const failed = new Set<Job>();
    this.#next.survives = jobs.every(({ survives }) => survives === 'crash') ? 'crash' : 'power loss';
    try {
      const done = (await this.#runAsOne(jobs)) ?? (await this.#runApart(jobs, failed));
      for (const settle of done) settle();
    } catch (error) {
      for (const job of jobs) if (!failed.has(job)) job.fail(error);
    }
  }

  /** Runs the jobs as one. Returns null when one of several failed: all are undone, and must run apart. */
  async #runAsOne(jobs: readonly Job[]): Promise<Done | null> {
    let areDone = false;
    try {
      return await this.#db.transaction().execute(async (transaction) => {
        const ended = this.#began(transaction);
        try {
          const kept = [];
          for (const job of jobs) {
            kept.push(await job.run(transaction));
            // The job may have caught the error with which SQLite undid the transaction.
            if (!this.#isOpen()) throw new Error('SQLite has undone the transaction.');
          }
          areDone = true;
          return kept;
        } finally {
          ended();
        }
      });
    } catch (error) {
      if (areDone || jobs.length === 1) throw error;
      return null;
    }
  }

  /** Runs each job after a savepoint, so that the changes of a failed one can be undone alone. */
  async #runApart(jobs: readonly Job[], failed: Set<Job>): Promise<Done> {
    return this.#db.transaction().execute(async (transaction) => {
      const ended = this.#began(transaction);
      try {
        const kept = [];
        for (const job of jobs) {
          await transaction.executeQuery(SAVEPOINT);
          try {
            kept.push(await job.run(transaction));
          } catch (error) {
            failed.add(job);
            job.fail(error);
            // When the disk is full or fails, SQLite undoes the whole transaction with its savepoints. The
            // other jobs then fail with the reason of SQLite. The job's own reason may be for one user alone.
            await transaction.executeQuery(ROLLBACK).catch((reason: unknown) => {
              throw isOfSqlite(error) ? error : reason;
            });
          }
          await transaction.executeQuery(RELEASE);
        }
        return kept;
      } finally {
        ended();
      }
    });
  }
}

const immediately = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const isOfSqlite = (error: unknown): boolean => error instanceof Error && error.name === 'SqliteError';
