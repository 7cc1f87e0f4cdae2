import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** The operations on an open file. */
export interface OpenFile {
  readonly sync: (descriptor: number) => Promise<void>;
  readonly close: (descriptor: number) => void;
}

const SYSTEM: OpenFile = { sync: promisify(fdatasync), close: closeSync };

/**
 * The log beside a SQLite file. SQLite writes it at each commit. This class waits until it is on the disk, so that the
 * event loop goes on meanwhile (https://sqlite.org/wal.html).
 */
export class WriteAheadLog {
  readonly #path: string;
  #descriptor: number | null = null;
  #running: Promise<void> | null = null;
  /** The sync after the running one, for those who came meanwhile. */
  #next: Promise<void> | null = null;
  #hasFailed = false;
  #isClosed = false;
  readonly #copy: () => void;
  readonly #system: OpenFile;

  /**
   * @param file - the path of the SQLite file, without links. Its log must exist before the first sync.
   * @param copy - copies the whole log into the file and syncs both. Throws when that fails.
   * @param system - Default: those of Node.
   */
  constructor(file: string, copy: () => void, system = SYSTEM) {
    this.#path = `${file}-wal`;
    this.#copy = copy;
    this.#system = system;
  }

  /**
   * Checks that the log may be written. After a failed sync, Linux reports the next one as successful although pages are
   * missing on the disk. SQLite would lose every later commit with them. So the log is first copied into the file.
   *
   * @throws Error when a sync failed and the log cannot be copied.
   */
  requireWhole(): void {
    if (!this.#hasFailed) return;
    this.#copy();
    this.#hasFailed = false;
  }

  /** Notes that the disk failed as SQLite copied the log, so pages of the log may be missing on the disk. */
  distrust(): void {
    this.#hasFailed = true;
  }

  /** Resolves when all that was committed before survives a loss of power. Rejects when the disk fails. */
  synced(): Promise<void> {
    if (!this.#running) return this.#start();
    // The running sync may have begun before the commit.
    this.#next ??= this.#running.catch(() => undefined).then(() => this.#start());
    return this.#next;
  }

  /** Closes the log, after the syncs that are under way. */
  close(): void {
    this.#isClosed = true;
    if (this.#descriptor === null || this.#running) return;
    this.#system.close(this.#descriptor);
    this.#descriptor = null;
  }

  #start(): Promise<void> {
    this.#next = null;
    this.#running = this.#sync().finally(() => {
      this.#running = null;
      if (this.#isClosed && !this.#next) this.close();
    });
    return this.#running;
  }

  async #sync(): Promise<void> {
    this.requireWhole();
    try {
      await this.#system.sync(this.#open());
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  /** Opens the log. SQLite locks another file, so this process loses no lock when it closes the log (POSIX). */
  #open(): number {
    if (this.#descriptor !== null) return this.#descriptor;
    this.#descriptor = openSync(this.#path, 'r');
    // The file itself is new, so its folder must be on the disk too.
    const folder = openSync(dirname(this.#path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
    return this.#descriptor;
  }
}
