import { CallError } from '../../../src/protocol/errors.ts';
import type { ReplyPayload } from '../../../src/protocol/messages/replies.ts';
import type { Call } from '../call.ts';
import type { Core } from '../core.ts';
import { endCall } from '../end-call.ts';
import { incomingDial } from '../incoming-dial.ts';
import { momentOf } from '../moment.ts';
import { OWN_ENDINGS } from '../outcomes.ts';
import { newLeg, ring } from '../ring.ts';
import { watch } from '../silence.ts';
import { postWebhook } from '../webhooks.ts';
import type { Handler } from './handler.ts';

/**
 * Begins a call and rings every device of the callee that is connected.
 *
 * @throws CallError 1400104 the caller dials themself; 1400103 nobody has this id; 1400106 the callee never logged in;
 *   1400999 the caller has dialled too often in too short a time.
 */
export const dial: Handler<'dial'> = (core, from, payload) => {
  if (payload.callee_id === from.userId) throw new CallError(1400104);
  const callerUser = core.users.payload(from.userId);
  const calleeUser = core.users.payload(payload.callee_id);
  if (!calleeUser || !callerUser) throw new CallError(1400103);
  if (!core.users.hasAuthenticated(payload.callee_id)) throw new CallError(1400106);
  if (!core.dials.take(from.userId)) throw new CallError(1400999, { message: 'Too many calls. Try again later.' });

  const id = core.ids.uuid();
  const createdAt = core.clock.now();
  const call: Call = {
    id,
    isVideoCall: payload.is_video_call,
    customItems: payload.custom_items ?? {},
    itemsAffectedAt: createdAt,
    constraints: payload.constraints,
    createdAt,
    callerUser,
    calleeUser,
    caller: newLeg(core, 'caller', from, { media: payload.constraints, capabilities: payload.capabilities }),
    calleeLegs: new Map(),
    dialReceived: false,
    webhook: payload.webhook ? { target: payload.webhook, posted: Promise.resolve() } : null,
    path: core.openMediaPath?.(id) ?? null,
    relays: { caller: Promise.resolve(), callee: Promise.resolve() },
    state: {
      name: 'ringing',
      since: momentOf(core.clock),
      limit: core.clock.setTimeout(
        () => endCall(core, call, OWN_ENDINGS.nobodyAnswered, null),
        core.settings.ringTimeoutMs,
      ),
    },
  };
  core.calls.add(call);
  core.live?.changed(call);
  watch(core, call, call.caller);
  const clients = core.devices.clientsOf(payload.callee_id);
  core.log.info('call rings', { call: id, from: from.userId, to: payload.callee_id, devices: clients.length });
  for (const clientId of clients) ring(core, call, { userId: payload.callee_id, clientId });
  if (clients.length === 0) {
    core.unreached({
      callId: id,
      calleeId: payload.callee_id,
      caller: callerUser,
      isVideoCall: payload.is_video_call,
    });
  }
  postWebhook(core, call, 'dial', () => incomingDial(core, call, null));
  return dialReply(core, call);
};

/** What the caller is answered. */
export const dialReply = (core: Pick<Core, 'credentials'>, call: Call): ReplyPayload<'dial'> => ({
  call_id: call.id,
  caller: { ...call.callerUser, role: 'dc_caller' },
  callee: { ...call.calleeUser, role: 'dc_callee' },
  turn_credential: core.credentials.initial(call.caller.device.userId, call.caller.capabilities),
  custom_items: { ...call.customItems },
  created_at: call.createdAt,
});
