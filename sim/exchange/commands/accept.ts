import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { ReplyPayload } from '../../../src/protocol/messages/replies.ts';
import type { Call, Leg } from '../calls/call.ts';
import { renewRelayLater } from '../calls/change-relay.ts';
import { emitCallEvent } from '../calls/call-event.ts';
import type { Core } from '../core.ts';
import { signal } from '../delivery/deliver.ts';
import { closeLeg, type EndNeeds } from '../calls/end-call.ts';
import { momentOf } from '../calls/live-call.ts';
import { OWN_ENDINGS } from '../calls/outcomes.ts';
import { watch } from '../calls/silence.ts';
import { startLimit } from '../calls/time-limit.ts';
import { postWebhook } from '../delivery/webhooks.ts';
import { requireLeg, type FindNeeds, type Handler } from './handler.ts';

type Needs = EndNeeds & FindNeeds & Pick<Core, 'credentials'>;

/**
 * Accepts the call on one device of the callee, and stops the ring on the others. The first accept wins.
 *
 * @throws CallError `ERR_NO_PERMISSION` when the caller accepts their own call. `ERR_INVALID_CALL_STATUS` when another
 *   device was first. `ERR_CALL_DOES_NOT_EXIST` as {@link requireLeg}.
 */
export const accept: Handler<'accept', Needs> = (core, from, { call_id, constraints, capabilities }) => {
  const { call, leg } = requireLeg(core, from, call_id);
  if (leg.side === 'caller') throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  if (call.state.name !== 'ringing') throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS);
  call.state.limit.cancel();
  const limit = startLimit(core, () => call, core.settings.setupTimeoutMs, OWN_ENDINGS.neverConnected);
  call.state = { name: 'accepted', callee: leg, limit, since: momentOf(core.clock) };
  watch(core, call, leg);
  leg.media = constraints;
  // A copy has no room to grow, which the array of a parser has.
  leg.capabilities = capabilities.slice();
  for (const other of call.calleeLegs.values()) {
    if (other === leg || other.outcome !== null) continue;
    closeLeg(other, 'other_device_accepted');
    signal(core, other, { cmd: 'CALL', type: 'other_device_accepted', payload: { call_id } });
  }
  const { caller } = call;
  signal(core, caller, {
    cmd: 'CALL',
    type: 'accept',
    payload: {
      call_id,
      turn_credential: core.credentials.initial(caller.device.userId, caller.capabilities),
      audio: constraints.audio,
      video: constraints.video,
      capabilities,
    },
  });
  renewRelayLater(core, call);
  postWebhook(core, call, 'accept', () => ({ call_id, accepted_by: from.userId, constraints }));
  core.log.info('call accepted', { call: call_id });
  emitCallEvent(core, call, { kind: 'accepted' });
  for (const userId of [caller.device.userId, from.userId]) {
    core.events.emit({ kind: 'presence', userId });
  }
  return acceptReply(core, call, leg);
};

/** Returns the reply to the device that accepted. */
export const acceptReply = (core: Pick<Core, 'credentials'>, { id }: Call, leg: Leg): ReplyPayload<'accept'> => ({
  call_id: id,
  turn_credential: core.credentials.initial(leg.device.userId, leg.capabilities),
});
