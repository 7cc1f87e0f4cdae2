import { closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const sync = promisify(fdatasync);

/**
 * The log beside a SQLite file. SQLite writes it at each commit. This class waits until it is on the disk, so that the
 * event loop goes on meanwhile (https://sqlite.org/wal.html).
 */
export class WriteAheadLog {
  readonly #path: string;
  #descriptor: number | null = null;
  /** The syncs that are under way. */
  #syncs = 0;
  #isClosed = false;

  /** @param file - the path of the SQLite file. Its log must exist before the first sync. */
  constructor(file: string) {
    this.#path = `${file}-wal`;
  }

  /** Resolves when all that was committed before survives a loss of power. Rejects when the disk fails. */
  async synced(): Promise<void> {
    const descriptor = this.#open();
    this.#syncs += 1;
    try {
      await sync(descriptor);
    } finally {
      this.#syncs -= 1;
      if (this.#isClosed) this.close();
    }
  }

  /** Does the same, and blocks the event loop. @throws Error when the disk fails. */
  sync(): void {
    fdatasyncSync(this.#open());
  }

  /** Closes the log, after the last sync that is under way. */
  close(): void {
    this.#isClosed = true;
    if (this.#descriptor === null || this.#syncs > 0) return;
    closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  /** Opens the log. SQLite locks another file, so this process loses no lock when it closes the log (POSIX). */
  #open(): number {
    if (this.#descriptor !== null) return this.#descriptor;
    this.#descriptor = openSync(this.#path, 'r');
    // The file itself is new, so its folder must be on the disk too.
    const folder = openSync(dirname(this.#path), 'r');
    fsyncSync(folder);
    closeSync(folder);
    return this.#descriptor;
  }
}
