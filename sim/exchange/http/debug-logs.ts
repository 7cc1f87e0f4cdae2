import type { DebugLogLine } from '../../../src/protocol/client-logs.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { Core } from '../core.ts';
import { maskText } from '../logging/mask.ts';
import type { Asked, Done } from './handlers.ts';

/** The longest run of masking in one turn of the event loop, milliseconds. */
const TURN_MS = 5;

/**
 * Handles `POST /v1/sdk/debug_logs`: lines of a client's log. The exchange masks and escapes them again, since not
 * every client is this library (B63).
 *
 * @throws HttpRefusal 400 when the body breaks the schema: more than 500 lines, an unknown level, or a text that is too
 *   long. 401.
 */
export async function debugLogs(core: Core, { device, body }: Asked<'debugLogs'>): Promise<Done> {
  const { logs, is_overflow_logs } = body;
  core.clientLogs.addDebug(device, await masked(core, logs));
  core.log.debug('log lines of a client', { ...device, lines: logs.length, overflowed: is_overflow_logs });
  return {};
}

/** Returns the masked lines. Five hundred long ones take several turns of the event loop. */
async function masked({ clock }: Core, lines: readonly DebugLogLine[]): Promise<DebugLogLine[]> {
  const done: DebugLogLine[] = [];
  let began = clock.now();
  for (const line of lines) {
    if (clock.now() - began > TURN_MS) {
      await new Promise<void>((resolve) => clock.after(0, resolve));
      began = clock.now();
    }
    done.push({ ...line, log_message: maskText(line.log_message, LIMITS.logMessageChars) });
  }
  return done;
}
