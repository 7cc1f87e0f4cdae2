import pino, { type DestinationStream } from 'pino';
import type { LogLevel, LogSink } from '../../exchange/ports.ts';
import type { LogThreshold } from '../defaults.ts';
import { requestId } from './request-scope.ts';

/**
 * Makes a sink that writes each entry as one JSON line: `level`, `time` (ISO 8601), `request` where a request or a socket caused
 * it, the fields, `code` and `stack` where an error was logged, and `msg`. Entries come masked (`sim/exchange/logging/log.ts`).
 *
 * @param to - Default: standard error, written at once, so that the last line of a process that dies is there.
 */
export function createJsonLog(
  level: LogThreshold,
  to: DestinationStream = pino.destination({ fd: 2, sync: true }),
): LogSink {
  const logger = pino(
    { level, base: null, timestamp: false, formatters: { level: (label) => ({ level: label }) } },
    to,
  );
  return ({ at, level: entryLevel, message, fields, code, stack }) => {
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
}
