import { legOf } from '../calls/call.ts';
import type { Core } from '../core.ts';
import type { Asked, Done } from './handlers.ts';
import { refuse, refuseValue } from './refusals.ts';

/**
 * Handles `POST /v1/sdk/logs`: the statistics of a call from one of its devices. The exchange keeps the newest.
 *
 * @throws HttpRefusal 400 when the body breaks the schema, or names another application, call or role. 401. 404 with
 *   `ERR_CALL_DOES_NOT_EXIST` when this device has no such call.
 */
export function logs(core: Core, { device, body }: Asked<'statsLogs'>): Done {
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
