import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { Durability } from './database.ts';
import type { Tables } from './tables/tables.ts';

interface Job {
  /** Does the work. Returns the function to call after the commit. */
  readonly run: (transaction: Transaction<Tables>) => Promise<() => void>;
  readonly fail: (error: unknown) => void;
  readonly survives: Durability;
}

/** A job whose work is done. */
interface Done {
  readonly survives: Durability;
  /** Completes the job. It is called after the commit. */
  readonly settle: () => void;
}

/** The most jobs in one commit, so that no job waits too long for the others. */
const AT_ONCE = 128;

// Savepoints are statements of their own, so they are made only when a job of the commit has failed.
const SAVEPOINT = CompiledQuery.raw('savepoint job');
const RELEASE = CompiledQuery.raw('release savepoint job');
const ROLLBACK = CompiledQuery.raw('rollback to savepoint job');

export interface SharedCommitOptions {
  readonly db: Kysely<Tables>;
  /** Returns whether a transaction is open. */
  readonly isOpen: () => boolean;
  /** Called with each transaction before its jobs. Returns the function to call after them. */
  readonly began: (transaction: Transaction<Tables>) => () => void;
  /** Resolves when all that was committed is on the disk. Rejects when the disk fails. */
  readonly synced: () => Promise<void>;
}

/**
 * Transactions of a SQLite file. Those of one turn of the event loop share one commit, and those that come while the
 * disk works share the next. Each job is still its own transaction: if it fails, only its changes are undone. No job
 * completes before its commit. A job that must survive a loss of power completes when its commit is on the disk.
 */
export class SharedCommit {
  readonly #options: SharedCommitOptions;
  #waiting: Job[] = [];
  #isRunning = false;

  constructor(options: SharedCommitOptions) {
    this.#options = options;
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
    try {
      const done = (await this.#runAsOne(jobs)) ?? (await this.#runApart(jobs, failed));
      for (const { survives, settle } of done) if (survives === 'crash') settle();
      const waiting = done.filter(({ survives }) => survives === 'power loss');
      if (waiting.length > 0) await this.#options.synced();
      for (const { settle } of waiting) settle();
    } catch (error) {
      // A job that has settled stays so.
      for (const job of jobs) if (!failed.has(job)) job.fail(error);
    }
  }

  /** Runs the jobs as one. Returns null when one of several failed: all are undone, and must run apart. */
  async #runAsOne(jobs: readonly Job[]): Promise<readonly Done[] | null> {
    let areDone = false;
    try {
      return await this.#options.db.transaction().execute(async (transaction) => {
        const ended = this.#options.began(transaction);
        try {
          const kept: Done[] = [];
          for (const job of jobs) {
            kept.push({ survives: job.survives, settle: await job.run(transaction) });
            // The job may have caught the error with which SQLite undid the transaction.
            if (!this.#options.isOpen()) throw new Error('SQLite has undone the transaction.');
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
  async #runApart(jobs: readonly Job[], failed: Set<Job>): Promise<readonly Done[]> {
    return this.#options.db.transaction().execute(async (transaction) => {
      const ended = this.#options.began(transaction);
      try {
        const kept: Done[] = [];
        for (const job of jobs) {
          await transaction.executeQuery(SAVEPOINT);
          try {
            kept.push({ survives: job.survives, settle: await job.run(transaction) });
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
