import { debugLogsBody, type DebugLogLine } from '../../../src/protocol/client-logs.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { Core } from '../core.ts';
import { maskText } from '../logging/mask.ts';
import { authenticated, readBody, type HttpRequest, type HttpResponse } from './request.ts';

/** Lines are masked for so long in one turn of the event loop, which other requests wait for. Milliseconds. */
const TURN_MS = 5;

/**
 * `POST /v1/sdk/debug_logs`: stores lines of a client's log. The exchange masks and escapes them again, since a client may be
 * of another vendor (B63).
 *
 * @throws HttpRefusal 400 the body breaks the schema: more than 500 lines, an unknown level, a text too long; 401.
 */
export async function debugLogs(core: Core, request: HttpRequest): Promise<HttpResponse> {
  const device = authenticated(core, request);
  const { logs, is_overflow_logs } = readBody(debugLogsBody, request.body);
  core.clientLogs.addDebug(device, await masked(core, logs));
  core.log.debug('log lines of a client', { ...device, lines: logs.length, overflowed: is_overflow_logs });
  return { status: 200, body: {} };
}

/** The lines, masked: five hundred long ones take longer than a turn of the event loop may last. */
async function masked({ clock }: Core, lines: readonly DebugLogLine[]): Promise<DebugLogLine[]> {
  const done: DebugLogLine[] = [];
  let began = clock.monotonic();
  for (const line of lines) {
    if (clock.monotonic() - began > TURN_MS) {
      await new Promise<void>((resolve) => clock.setTimeout(resolve, 0));
      began = clock.monotonic();
    }
    done.push({ ...line, log_message: maskText(line.log_message, LIMITS.logMessageChars) });
  }
  return done;
}
