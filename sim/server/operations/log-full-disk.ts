import type { Clock, LogSink } from '../../exchange/ports.ts';

/** What SQLite (https://www.sqlite.org/rescode.html) and PostgreSQL (disk_full) say of a disk that takes no more, or fails. */
const DISK_CODES = /^(SQLITE_FULL|SQLITE_IOERR\w*|53100)$/;
/** A fault of the disk is over when no write met it for this long: the next one is logged again. Milliseconds. */
const OVER_MS = 60_000;

/**
 * Makes a sink that logs a full disk once, and not for each write that fails of it: the log may be on the same disk.
 *
 * @param sink - takes every other entry as it is.
 */
export function logFullDiskOnce(sink: LogSink, clock: Pick<Clock, 'monotonic'>): LogSink {
  let failedAt = -Infinity;
  return (entry) => {
    if (!DISK_CODES.test(entry.code ?? '')) return sink(entry);
    const now = clock.monotonic();
    const isOver = now - failedAt >= OVER_MS;
    failedAt = now;
    if (!isOver) return;
    const message =
      'the disk of the database is full or fails: what must be written is refused until there is space on it';
    sink({ ...entry, level: 'error', message });
  };
}
