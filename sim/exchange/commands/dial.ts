import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { CommandPayload } from '../../../src/protocol/messages/commands.ts';
import type { ReplyPayload } from '../../../src/protocol/messages/replies.ts';
import { inCall, type Call } from '../calls/call.ts';
import type { Core } from '../core.ts';
import { emitCallEvent } from '../calls/call-event.ts';
import type { EndNeeds } from '../calls/end-call.ts';
import { incomingDial, type DialSecrets } from '../calls/incoming-dial.ts';
import { momentOf } from '../calls/live-call.ts';
import { OWN_ENDINGS } from '../calls/outcomes.ts';
import { newLeg, ring } from '../calls/ring.ts';
import { watch } from '../calls/silence.ts';
import { startLimit } from '../calls/time-limit.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { postWebhook } from '../delivery/webhooks.ts';

/** The parts that check a dial. */
type CheckNeeds = Pick<Core, 'calls' | 'dials' | 'policy' | 'settings' | 'status' | 'users'>;

type Needs = CheckNeeds & DialSecrets & EndNeeds & Pick<Core, 'newCallId' | 'openMediaPath'>;

/** What was decided about a dial before it is carried out. */
export interface BegunDial {
  /** The id of the call. */
  readonly callId: string;
  /** True when the dial was counted already: the host was asked about it. */
  readonly isCounted: boolean;
}

/**
 * Begins a call and rings every connected device of the callee.
 *
 * @param begun - what was decided about the call before. Default: nothing.
 * @throws CallError as {@link checkDial} does.
 */
export function dial(
  core: Needs,
  from: DeviceId,
  payload: CommandPayload<'dial'>,
  begun?: BegunDial,
): ReplyPayload<'dial'> {
  const { callerUser, calleeUser } = checkDial(core, from, payload, begun?.isCounted !== true);
  const id = begun?.callId ?? core.newCallId();

  const created = momentOf(core.clock);
  const call: Call = {
    id,
    ack: { call_id: id },
    isVideoCall: payload.is_video_call,
    customItems: payload.custom_items ?? {},
    itemsAffectedAt: created.at,
    constraints: payload.constraints,
    createdAt: created.at,
    createdClock: created.clock,
    callerUser,
    calleeUser,
    caller: newLeg(core, 'caller', from, { media: payload.constraints, capabilities: payload.capabilities }),
    calleeLegs: new Map(),
    dialReceived: false,
    webhook: payload.webhook ? { target: payload.webhook, posted: Promise.resolve() } : null,
    path: core.openMediaPath?.(id) ?? null,
    relayRenewal: null,
    begunAt: null,
    presumption: null,
    relays: {},
    state: {
      name: 'ringing',
      since: created,
      limit: startLimit(core, () => call, core.settings.ringTimeoutMs, OWN_ENDINGS.notAnswered),
    },
  };
  core.calls.add(call);
  core.live?.changed(call);
  watch(core, call, call.caller);
  const clients = core.devices.clientsOf(payload.callee_id);
  core.log.info('call rings', { call: id, from: from.userId, to: payload.callee_id, devices: clients.length });
  for (const clientId of clients) ring(core, call, { userId: payload.callee_id, clientId });
  if (clients.length === 0) {
    core.events.emit({
      kind: 'unreached',
      callId: id,
      calleeId: payload.callee_id,
      caller: callerUser,
      isVideoCall: payload.is_video_call,
    });
  }
  emitCallEvent(core, call, { kind: 'ringing' });
  postWebhook(core, call, 'dial', () => incomingDial(core, call, null));
  return dialReply(core, call);
}

/**
 * Returns the two users of a call that may begin.
 *
 * @param isCounted - whether the dial counts against the caller's budget of dials.
 * @throws CallError `ERR_DIAL_MYSELF` when the caller dials themself. `ERR_CALLEE_DOES_NOT_EXIST` when no user has this
 *   id. `ERR_CALLEE_NEVER_AUTHENTICATE` when the callee never logged in. `ERR_SERVER_INTERNAL_ERROR` when the caller
 *   dials too often or has too many live calls, or when the exchange drains or is overloaded.
 */
export function checkDial(
  core: CheckNeeds,
  from: DeviceId,
  payload: CommandPayload<'dial'>,
  isCounted: boolean,
): Pick<Call, 'callerUser' | 'calleeUser'> {
  if (core.status.isDraining) {
    throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, {
      message: 'The server is about to restart. Try again in a moment.',
    });
  }
  if (core.policy.isOverloaded?.() === true) {
    throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'The server is busy. Try again in a moment.' });
  }
  if (payload.callee_id === from.userId) throw new CallError(ErrorCode.ERR_DIAL_MYSELF);
  const callerUser = core.users.payload(from.userId);
  const calleeUser = core.users.payload(payload.callee_id);
  if (!calleeUser || !callerUser) throw new CallError(ErrorCode.ERR_CALLEE_DOES_NOT_EXIST);
  if (!core.users.hasAuthenticated(payload.callee_id)) throw new CallError(ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE);
  if (isCounted && !core.dials.take(from.userId)) {
    throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'Too many calls. Try again later.' });
  }

  const own = core.calls.liveWith(from.userId).filter(({ callerUser: { user_id } }) => user_id === from.userId);
  if (own.length >= core.settings.callsPerCaller) {
    throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'Too many calls at once. End one first.' });
  }
  return { callerUser, calleeUser };
}

/** Returns the reply to the caller. */
export const dialReply = (core: Pick<Core, 'credentials'>, call: Call): ReplyPayload<'dial'> => ({
  call_id: call.id,
  caller: inCall(call.callerUser, 'dc_caller'),
  callee: inCall(call.calleeUser, 'dc_callee'),
  turn_credential: core.credentials.initial(call.caller.device.userId, call.caller.capabilities),
  custom_items: { ...call.customItems },
  created_at: call.createdAt,
});
