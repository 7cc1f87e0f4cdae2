import { debugLogsBody } from '../../../src/protocol/client-logs.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { Core } from '../core.ts';
import { maskText } from '../mask.ts';
import { authenticated, readBody, type HttpRequest, type HttpResponse } from './request.ts';

/**
 * `POST /v1/sdk/debug_logs`: lines of a client's log. They are masked and escaped once more before they are kept, for not
 * every client is ours (B63).
 *
 * @throws HttpRefusal 400 the body breaks the schema: more than 500 lines, a level nobody knows, a text too long; 401.
 */
export function debugLogs(core: Core, request: HttpRequest): HttpResponse {
  const device = authenticated(core, request);
  const { logs, is_overflow_logs } = readBody(debugLogsBody, request.body);
  const masked = logs.map((line) => ({ ...line, log_message: maskText(line.log_message, LIMITS.logMessageChars) }));
  core.clientLogs.addDebug(device, masked);
  core.log.debug('log lines of a client', { ...device, lines: logs.length, overflowed: is_overflow_logs });
  return { status: 200, body: {} };
}
