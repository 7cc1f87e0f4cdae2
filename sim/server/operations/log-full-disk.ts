import type { Clock } from '../../../src/common/clock.ts';
import type { LogEntry, LogSink } from '../../exchange/ports.ts';

/**
 * The codes of SQLite (https://www.sqlite.org/rescode.html), PostgreSQL (disk_full) and the system for a disk that is
 * full or fails.
 */
const DISK_CODES = /^(SQLITE_FULL|SQLITE_IOERR\w*|53100|ENOSPC|EDQUOT|EIO|EROFS)$/;
/** After this long without the fault it counts as over, and the next one is logged again. Milliseconds. */
const OVER_MS = 60_000;
/** A fault that lasts is logged again after this long. Milliseconds. */
const REPEAT_MS = 60 * OVER_MS;

/**
 * Creates a sink that logs a full disk once an hour, and not for each write that fails: the log may be on the same disk.
 * The entry names the work that failed first.
 * @param sink - receives every other entry unchanged.
 */
export function logFullDiskOnce(sink: LogSink, clock: Pick<Clock, 'now'>): LogSink {
  let failedAt = -Infinity;
  let loggedAt = -Infinity;
  const once = (entry: LogEntry): void => {
    if (!DISK_CODES.test(entry.code ?? '')) return sink(entry);
    const now = clock.now();
    const isDue = now - failedAt >= OVER_MS || now - loggedAt >= REPEAT_MS;
    failedAt = now;
    if (!isDue) return;
    loggedAt = now;
    const message = 'the database is full or its disk fails: requests that write are refused until it has space';
    sink({ ...entry, level: 'error', message, fields: { ...entry.fields, failed: entry.message } });
  };
  return sink.lowest === undefined ? once : Object.assign(once, { lowest: sink.lowest });
}
