import { CallError } from '../../../src/protocol/errors.ts';
import { legOf } from '../call.ts';
import type { Core } from '../core.ts';
import { authenticated, HttpRefusal, type HttpRequest, type HttpResponse } from './request.ts';

/** Calls asked about at once. */
const CALLS = 50;

/**
 * `GET /v1/direct_calls/missed_signal`: the signals kept for this device's legs of the calls named in `call_ids`, each
 * call's in order. Calls that are not there and calls of others are left out alike (S20).
 *
 * @throws HttpRefusal 400 no call is named, or too many; 401.
 */
export function missedSignals(core: Core, request: HttpRequest): HttpResponse {
  const device = authenticated(core, request);
  const callIds = new Set((request.query['call_ids'] ?? '').split(',').filter((id) => id !== ''));
  if (callIds.size === 0 || callIds.size > CALLS) {
    throw new HttpRefusal(400, new CallError(1800300, { param: 'call_ids' }));
  }
  const signals = [...callIds].flatMap((id) => {
    const call = core.calls.get(id);
    const leg = call && legOf(call, device);
    return (leg?.signals.frames ?? []).map((frame) => ({ ...frame, delivery_info: { channel: 'missed_signal' } }));
  });
  return { status: 200, body: { signals } };
}
