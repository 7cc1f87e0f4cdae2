import { CallError } from '../../../src/protocol/errors.ts';
import { summaryBody } from '../../../src/protocol/http.ts';
import { legOf } from '../call.ts';
import type { Core } from '../core.ts';
import { authenticated, HttpRefusal, readBody, type HttpRequest, type HttpResponse } from './request.ts';

/** Characters of a summary that is kept: a score a second of a day-long call fits. */
const SUMMARY_CHARS = 512 * 1024;

/**
 * `POST /v1/direct_calls/{callId}/summary`: what a call was like, kept once for each leg; a second one changes nothing.
 *
 * @throws HttpRefusal 400 the body is wrong, or says another role; 401; 404 with 1400102 no such call of this device;
 *   409 with 1400101 the leg ended because another device accepted (B65).
 */
export function summary(core: Core, request: HttpRequest, callId: string): HttpResponse {
  const device = authenticated(core, request);
  const body = readBody(summaryBody, request.body);
  if (JSON.stringify(body).length > SUMMARY_CHARS) {
    throw new HttpRefusal(400, new CallError(1800300, { param: 'summary_data' }));
  }
  const call = core.calls.get(callId);
  const leg = call && legOf(call, device);
  if (!call || !leg) throw new HttpRefusal(404, new CallError(1400102));
  if (leg.outcome === 'other_device_accepted') throw new HttpRefusal(409, new CallError(1400101));
  if (body.user_role !== (leg.side === 'caller' ? 'dc_caller' : 'dc_callee')) {
    throw new HttpRefusal(400, new CallError(1800300, { param: 'user_role' }));
  }
  if (leg.summary === null) {
    leg.summary = body;
    core.keeper.keep('a summary', () => core.store.saveSummary(callId, device, body));
  }
  return { status: 200, body: {} };
}
