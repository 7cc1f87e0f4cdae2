import { legOf } from '../calls/call.ts';
import type { Core } from '../core.ts';
import type { Asked, Done } from './handlers.ts';
import { refuse, refuseValue } from './refusals.ts';
import type { DebugLogLine } from '../../../src/protocol/client-logs.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { maskText } from '../logging/log.ts';

/**
 * Handles `POST /v1/sdk/logs`: the statistics of a call from one of its devices. The exchange keeps the newest.
 *
 * @throws HttpRefusal 400 when the body breaks the schema, or names another application, call or role. 401. 404 with
 *   `ERR_CALL_DOES_NOT_EXIST` when this device has no such call.
 */
export function statsLogs(core: Core, { device, body }: Asked<'statsLogs'>): Done {
  const { log_data } = body;
  const call = core.calls.get(log_data.call_id);
  const leg = call && legOf(call, device);
  if (!call || !leg) throw refuse(404, 'ERR_CALL_DOES_NOT_EXIST');
  const facts = [
    ['app_id', core.settings.appId],
    ['role', leg.side === 'caller' ? 'dc_caller' : 'dc_callee'],
    ['caller_id', call.callerUser.user_id],
    ['callee_id', call.calleeUser.user_id],
    ['is_video_call', call.isVideoCall],
  ] as const;
  const wrong = facts.find(([field, fact]) => log_data[field] !== fact);
  if (wrong) throw refuseValue(`log_data.${wrong[0]}`);
  core.clientLogs.addStats(device, log_data);
  return {};
}

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
