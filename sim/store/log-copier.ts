/** What copies the log of a SQLite file into the file, beside the event loop. */
export interface LogCopy {
  /**
   * Copies the whole log. Resolves with the number of its pages, or -1 when another process has kept it from copying all.
   * Rejects with the error of SQLite.
   */
  copy(): Promise<number>;
  /** Ends after the copies that are under way. */
  close(): Promise<void>;
}

/** The pages of a log that is copied. SQLite has the same number. */
export const LONG_PAGES = 1_000;
/** SQLite copies a log of this many pages itself, while the event loop waits: its commits were larger than before. */
export const LONGEST_PAGES = 4_000;
/** The commits before the first copy, until the pages of a commit are known. */
const FIRST_COMMITS = 100;
/** The most commits between two copies. Later commits may be much larger than those before. */
const MOST_COMMITS = 250;

interface LogCopierOptions {
  /** Starts what copies the log. */
  readonly start: () => LogCopy;
  /** Called once, when a copy fails. Nothing is copied any more. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Keeps the log of a SQLite file short. SQLite copies a log of 1,000 pages into the file within a commit, which takes 10 to
 * 30 ms of the event loop. Here a thread does it. Writes wait meanwhile, and reads that are no prepared statements.
 *
 * No commit may come during a copy. SQLite would then copy a part of the log, count it as copied and not sync it. A sync
 * that fails later would lose that part. It also begins the log anew only after a copy of all
 * (https://sqlite.org/wal.html#ckpt).
 */
export class LogCopier {
  readonly #options: LogCopierOptions;
  #copies: LogCopy | null = null;
  /** The commits since the last copy. */
  #commits = 0;
  /** The commits that make a long log. */
  #commitsOfLong = FIRST_COMMITS;
  #copying: Promise<void> | null = null;
  #isOver = false;

  constructor(options: LogCopierOptions) {
    this.#options = options;
  }

  /** Resolves when the copy that is under way has ended. Null without one. */
  get copying(): Promise<void> | null {
    return this.#copying;
  }

  /** Counts a commit. Starts the thread before the log is long, since a start takes as long as a copy. */
  committed(): void {
    this.#commits += 1;
    if (this.#copies || this.#isOver || 2 * this.#commits < this.#commitsOfLong) return;
    try {
      this.#copies = this.#options.start();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Begins to copy a long log. Call it after commits, when no write is under way. Every write waits for {@link copying}. */
  copyLong(): void {
    if (this.#commits < this.#commitsOfLong || this.#copying || this.#isOver) return;
    this.#copying = this.#copy().finally(() => (this.#copying = null));
  }

  /** Ends the thread, after the copy that is under way. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#copying;
    await this.#copies?.close();
  }

  async #copy(): Promise<void> {
    const commits = this.#commits;
    this.#commits = 0;
    try {
      const pages = (await this.#copies?.copy()) ?? -1;
      if (pages > 0) this.#commitsOfLong = Math.min(MOST_COMMITS, Math.ceil((commits * LONG_PAGES) / pages));
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    this.#options.onFailure(error);
  }
}
