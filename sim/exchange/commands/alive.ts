import { LIMITS } from '../../../src/protocol/limits.ts';
import { acceptedLeg, type Call, type Leg } from '../calls/call.ts';
import { snapshotFor } from '../calls/snapshot.ts';
import type { UnendedCall } from '../../../src/protocol/messages/replies.ts';
import { findLeg, type Handler } from './handler.ts';

/** Answers a sign of life of a leg. {@link findLeg} records it (D13). */
export const alive: Handler<'alive'> = (core, from, { call_id }) => {
  findLeg(core, from, call_id);
  return { call_id, alive_at: core.clock.now() };
};

/** The most characters of the list. At up to three bytes each it fits into a frame. */
const LIST_CHARS = LIMITS.frameBytes / 4;

/**
 * Lists the calls that are not over for this device (§4, after a reconnect of the channel). Accepted calls come first,
 * so that ringing calls cannot crowd them out of the reply.
 */
export const unendedCalls: Handler<'unended_calls'> = (core, from) => {
  const live = core.calls.liveOf(from);
  const isRinging = ({ call }: (typeof live)[number]) => call.state.name === 'ringing';
  let left = LIST_CHARS;
  const calls = [...live.filter((one) => !isRinging(one)), ...live.filter(isRinging)]
    .map(({ call, leg }) => entryOf(call, leg))
    .filter((entry) => (left -= JSON.stringify(entry).length) >= 0);
  return { calls };
};

function entryOf(call: Call, leg: Leg): UnendedCall {
  return {
    call_id: call.id,
    call_type: 'direct',
    user_role: leg.side === 'caller' ? 'dc_caller' : 'dc_callee',
    caller_client_id: call.caller.device.clientId,
    callee_client_id: acceptedLeg(call)?.device.clientId ?? null,
    signal_seq: leg.signals.last,
    signal_snapshot: snapshotFor(call, leg),
  };
}
