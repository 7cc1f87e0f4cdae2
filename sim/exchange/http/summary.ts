import { legOf, type Call } from '../calls/call.ts';
import type { Core } from '../core.ts';
import type { Asked, Done } from './handlers.ts';
import { refuse, refuseValue } from './refusals.ts';

/** A call has one score each second. This many more are accepted, since two clocks differ. */
const SPARE_SCORES = 60;

/**
 * Handles `POST /v1/direct_calls/{callId}/summary`: the summary of a call, kept once for each leg. A second one changes
 * nothing.
 *
 * @throws HttpRefusal 400 when the body is wrong, names another role, or has more scores than the call has seconds.
 *   401. 404 with `ERR_CALL_DOES_NOT_EXIST` when this device has no such call. 409 with `ERR_INVALID_CALL_STATUS` when
 *   the leg ended because another device accepted (B65).
 */
export function summary(core: Core, { device, params, body }: Asked<'summary'>): Done {
  const callId = params.call_id;
  const call = core.calls.get(callId);
  const leg = call && legOf(call, device);
  if (!call || !leg) throw refuse(404, 'ERR_CALL_DOES_NOT_EXIST');
  if (leg.outcome === 'other_device_accepted') throw refuse(409, 'ERR_INVALID_CALL_STATUS');
  if (body.user_role !== (leg.side === 'caller' ? 'dc_caller' : 'dc_callee')) throw refuseValue('user_role');
  if (body.summary_data.audio.mos_list.length > secondsOf(core, call) + SPARE_SCORES) {
    throw refuseValue('summary_data.audio.mos_list');
  }
  if (leg.summary === null) {
    leg.summary = body;
    // The answer waits for every write, and no other message tells of it.
    core.writeQueue.keep('a summary', () => core.store.saveSummary(callId, device, body), { devices: [] });
  }
  return {};
}

/**
 * Returns the longest possible duration of the call so far, seconds. The record of an ended call has only wall times.
 */
function secondsOf(core: Core, { state, createdAt, createdClock }: Call): number {
  if (state.name !== 'ended') return (core.clock.now() - createdClock) / 1_000;
  const { duration, endedAt } = state.record;
  return Math.max(duration, endedAt - createdAt) / 1_000;
}
