import { logsBody } from '../../../src/protocol/client-logs.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { legOf } from '../calls/call.ts';
import type { Core } from '../core.ts';
import { authenticated, HttpRefusal, readBody, type HttpRequest, type HttpResponse } from './request.ts';

/**
 * `POST /v1/sdk/logs`: the statistics of a call, from one of its devices; the newest are kept.
 *
 * @throws HttpRefusal 400 the body breaks the schema or says other than is so of the application, the call or the role; 401;
 *   404 with 1400102 no such call of this device.
 */
export function logs(core: Core, request: HttpRequest): HttpResponse {
  const device = authenticated(core, request);
  const { log_data } = readBody(logsBody, request.body);
  const call = core.calls.get(log_data.call_id);
  const leg = call && legOf(call, device);
  if (!call || !leg) throw new HttpRefusal(404, new CallError(ErrorCode.ERR_CALL_DOES_NOT_EXIST));
  const facts = [
    ['app_id', core.settings.appId],
    ['role', leg.side === 'caller' ? 'dc_caller' : 'dc_callee'],
    ['caller_id', call.callerUser.user_id],
    ['callee_id', call.calleeUser.user_id],
    ['is_video_call', call.isVideoCall],
  ] as const;
  const wrong = facts.find(([field, fact]) => log_data[field] !== fact);
  if (wrong)
    throw new HttpRefusal(400, new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param: `log_data.${wrong[0]}` }));
  core.clientLogs.addStats(device, log_data);
  return { status: 200, body: {} };
}
