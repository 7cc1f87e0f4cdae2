/** What copies the log of a SQLite file into the file, beside the event loop. */
export interface LogCopy {
  /** Copies the log. Resolves with the number of its pages. Rejects with the error of SQLite. */
  copy(): Promise<number>;
  /** Ends after the copies that are under way. */
  close(): Promise<void>;
}

/** The pages of a log that is copied. SQLite has the same number. */
const LONG_PAGES = 1_000;
/** SQLite copies a log of this many pages itself, while the event loop waits: the thread is late, or does not work. */
export const LONGEST_PAGES = 4_000;
/** The commits before the first copy, until the pages of a commit are known. */
const FIRST_COMMITS = 100;

interface LogCopierOptions {
  /** Starts what copies the log. It is started again after a failure. */
  readonly start: () => LogCopy;
  /** Called when the disk failed, with the error of SQLite. */
  readonly onDiskFailure: () => void;
}

/**
 * Keeps the log of a SQLite file short. SQLite copies a log of 1,000 pages into the file within a commit, which takes 10 to
 * 30 ms of the event loop. Here a thread does it. It copies most of the log while further commits come. What they add is
 * copied before the next commit, which waits for that. Then SQLite writes the log from its start again
 * (https://sqlite.org/wal.html#ckpt). Commits that are faster than the thread wait for it.
 */
export class LogCopier {
  readonly #options: LogCopierOptions;
  #copies: LogCopy | null = null;
  /** The commits since the last copy of all, or since the last copy of most began. */
  #commits = 0;
  /** The commits that make a long log. */
  #commitsOfLong = FIRST_COMMITS;
  /** Resolves when most of the log is copied. Null while the thread does not copy it. */
  #copying: Promise<void> | null = null;
  #hasRest = false;
  #isClosed = false;

  constructor(options: LogCopierOptions) {
    this.#options = options;
  }

  /** Counts a commit. Begins to copy the log when it is long. */
  committed(): void {
    this.#commits += 1;
    if (!this.#isLong || this.#copying || this.#hasRest) return;
    this.#copying = this.#copyMost().finally(() => (this.#copying = null));
  }

  /** Resolves when the next transaction may begin. Null: at once. Call it while no transaction is open. */
  beforeTransaction(): Promise<void> | null {
    if (this.#copying && this.#isLong) return this.#copying.then(() => this.#copyRest());
    return this.#hasRest ? this.#copyRest() : null;
  }

  /** Ends the thread, after the copies that are under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#copies?.close();
  }

  /** Whether the commits since the last copy make a long log. */
  get #isLong(): boolean {
    return this.#commits >= this.#commitsOfLong;
  }

  async #copyMost(): Promise<void> {
    const commits = this.#commits;
    this.#commits = 0;
    const pages = await this.#copy();
    if (pages <= 0) return;
    this.#commitsOfLong = Math.max(1, Math.round((commits * LONG_PAGES) / pages));
    this.#hasRest = pages >= LONG_PAGES / 2;
  }

  async #copyRest(): Promise<void> {
    if (!this.#hasRest) return;
    this.#hasRest = false;
    await this.#copy();
    this.#commits = 0;
  }

  /** Resolves with the pages of the log. 0 when it could not be copied: SQLite then does so at {@link LONGEST_PAGES}. */
  async #copy(): Promise<number> {
    if (this.#isClosed) return 0;
    try {
      this.#copies ??= this.#options.start();
      return await this.#copies.copy();
    } catch (error) {
      void this.#copies?.close();
      this.#copies = null;
      if (isOfDisk(error)) this.#options.onDiskFailure();
      return 0;
    }
  }
}

/** Returns whether SQLite could not read, write or sync a file (https://sqlite.org/rescode.html#ioerr). */
const isOfDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_IOERR');
