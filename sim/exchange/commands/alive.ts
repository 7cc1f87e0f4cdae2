import { acceptedLeg, type Call, type Leg } from '../call.ts';
import { snapshotFor } from '../snapshot.ts';
import type { UnendedCall } from '../../../src/protocol/messages/replies.ts';
import { findPart, type Handler } from './handler.ts';

/** The leg lives: {@link findPart} notes that it was heard (D13). */
export const alive: Handler<'alive'> = (core, from, { call_id }) => {
  findPart(core, from, call_id);
  return { call_id, alive_at: core.clock.now() };
};

/** The calls that are not over for this device (§4, after a reconnect of the channel). */
export const unendedCalls: Handler<'unended_calls'> = (core, from) => ({
  calls: core.calls.liveOf(from).map(({ call, leg }) => entryOf(call, leg)),
});

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
