import pino, { type DestinationStream } from 'pino';
import type { LogEntry, LogLevel, LogSink } from '../../exchange/ports.ts';
import type { LogThreshold } from '../defaults.ts';
import { requestId } from './request-scope.ts';

/**
 * Creates a sink that writes each entry as one JSON line. Its fields: `level`, `time` (ISO 8601), `request` if a
 * request or a socket caused it, the entry's fields, `code` and `stack` of a logged error, and `msg`. Entries arrive
 * masked (`sim/exchange/logging/log.ts`).
 * @param to - where lines go. Default: standard error, written synchronously, so that the last line of a dying
 *   process is not lost.
 */
export function createJsonLog(
  level: LogThreshold,
  to: DestinationStream = pino.destination({ fd: 2, sync: true }),
): LogSink {
  const logger = pino(
    { level, base: null, timestamp: false, formatters: { level: (label) => ({ level: label }) } },
    to,
  );
  const sink = ({ at, level: entryLevel, message, fields, code, stack }: LogEntry) => {
    const write: Record<LogLevel, pino.LogFn> = logger;
    const request = requestId();
    write[entryLevel].call(
      logger,
      {
        time: new Date(at).toISOString(),
        ...(request === undefined ? {} : { request }),
        ...fields,
        ...(code === undefined ? {} : { code }),
        ...(stack === undefined ? {} : { stack }),
      },
      message,
    );
  };
  return Object.assign(sink, { lowest: level });
}
