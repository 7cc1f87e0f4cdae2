import type { CommandPayload } from '../../../src/protocol/messages/commands.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { isHeld, type Call, type Leg } from '../calls/call.ts';
import { emitCallEvent } from '../calls/call-event.ts';
import type { Core } from '../core.ts';
import type { Delivery } from '../delivery/deliver.ts';
import { digestOf } from '../delivery/digest.ts';
import { canHaveMedia, mediaBegins, presumeMedia } from '../calls/media-begins.ts';
import { momentOf } from '../calls/live-call.ts';
import type { Side } from '../calls/outcomes.ts';
import { passCandidate, passDescription, passOn, passRemoval } from '../calls/relay.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { postWebhook, type WebhookNeeds } from '../delivery/webhooks.ts';
import { requireAcceptedLeg, requireLeg, requireRelayingLeg, type FindNeeds, type Handler } from './handler.ts';

type Needs = Delivery & FindNeeds & WebhookNeeds & Pick<Core, 'unpackSdp'>;

/**
 * Relays an offer or answer after unpacking it. A corrupt one is refused.
 *
 * @throws CallError `ERR_NO_PERMISSION` when the wrong side sends it. `ERR_MALFORMED_DATA` when the sdp cannot be
 *   unpacked (PAY-19). `ERR_INVALID_CALL_STATUS` and `ERR_CALL_DOES_NOT_EXIST` as {@link requireAcceptedLeg}.
 */
function describe(core: Needs, from: DeviceId, type: 'offer' | 'answer', by: Side, payload: CommandPayload<'offer'>) {
  const { call_id } = payload;
  const { call, leg } = requireLeg(core, from, call_id);
  if (leg.side !== by) throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  if (call.state.name === 'ringing') throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS);
  const sdp = core.unpackSdp(payload.sdp);
  const digest = digestOf(payload.sdp);
  if (digest !== leg.lastDescription) {
    // A new description gathers new candidates.
    leg.lastDescription = digest;
    leg.candidates = 0;
  }
  passDescription(core, call, leg, type, payload, sdp);
  leg.hasDescribed = true;
  presumeMedia(core, call);
  return call.ack;
}

/** Relays an offer. Only the caller sends one (§6). */
export const offer: Handler<'offer', Needs> = (core, from, payload) => describe(core, from, 'offer', 'caller', payload);
export const answer: Handler<'answer', Needs> = (core, from, payload) =>
  describe(core, from, 'answer', 'callee', payload);

/**
 * Relays a candidate.
 * @throws CallError `INVALID_PARAMETER_VALUE` when the leg has sent too many candidates (B44).
 */
export const candidate: Handler<'candidate', Needs> = (core, from, payload) => {
  const { call, leg } = requireRelayingLeg(core, from, payload.call_id);
  if (leg.candidates >= core.settings.candidatesPerLeg)
    throw new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param: 'candidate' });
  leg.candidates += 1;
  passCandidate(core, call, leg, payload);
  return call.ack;
};

export const removeCandidates: Handler<'remove_candidates', Needs> = (core, from, payload) => {
  const { call, leg } = requireRelayingLeg(core, from, payload.call_id);
  passRemoval(core, call, leg, payload);
  return call.ack;
};

/**
 * Records that a side has media, for the first time or again. The call is connected when both sides have media. Media
 * has begun with the first report after a relayed offer and answer. Without them a report alone proves nothing.
 */
export const connected: Handler<'connected', Needs> = (core, from, { call_id, reconnect }) => {
  const { call, leg } = requireAcceptedLeg(core, from, call_id);
  leg.connectedAt ??= momentOf(core.clock);
  if (canHaveMedia(call)) mediaBegins(core, call);
  begin(core, call);
  passOn(core, call, leg, { cmd: 'SGNL', type: 'connected', payload: { call_id, reconnect } });
  return call.ack;
};

function begin(core: Needs, call: Call): void {
  if (call.state.name !== 'accepted') return;
  const { callee, limit } = call.state;
  if (call.caller.connectedAt === null || callee.connectedAt === null) return;
  limit.cancel();
  const since = momentOf(core.clock);
  call.state = { name: 'connected', callee, since };
  postWebhook(core, call, 'establish', () => ({ call_id: call.id, started_at: since.at }));
  core.log.info('call connected', { call: call.id });
  emitCallEvent(core, call, { kind: 'connected' });
  mediaBegins(core, call);
  for (const { signals } of [call.caller, callee]) signals.forgetSetUp();
}

type MediaKind = keyof Leg['media'];

/** Records which media a side has on, and notifies the other side after the accept. */
function switchMedia(core: Needs, from: DeviceId, kind: MediaKind, payload: CommandPayload<'audio'>) {
  const { call, leg } = requireLeg(core, from, payload.call_id);
  // The caller may mute while the call rings. A device that has not accepted has no media.
  if (call.state.name === 'ringing' && leg.side === 'callee') throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS);
  leg.media = { ...leg.media, [kind]: payload.is_enabled };
  passOn(core, call, leg, { cmd: 'COMM', type: kind, payload });
  return call.ack;
}

export const audio: Handler<'audio', Needs> = (core, from, payload) => switchMedia(core, from, 'audio', payload);
export const video: Handler<'video', Needs> = (core, from, payload) => switchMedia(core, from, 'video', payload);

export const recording: Handler<'recording', Needs> = (core, from, payload) => {
  const { call, leg } = requireAcceptedLeg(core, from, payload.call_id);
  leg.recording = payload.recording_status;
  passOn(core, call, leg, { cmd: 'COMM', type: 'recording', payload });
  return call.ack;
};

export const hold: Handler<'hold', Needs> = (core, from, { call_id, is_on_hold, was_relayed }) => {
  const { call, leg } = requireAcceptedLeg(core, from, call_id);
  const wasHeld = isHeld(call);
  leg.onHold = is_on_hold;
  if (call.begunAt !== null && isHeld(call) !== wasHeld) {
    emitCallEvent(core, call, { kind: wasHeld ? 'resumed' : 'held' });
  }
  passOn(core, call, leg, {
    cmd: 'CALL',
    type: 'hold',
    payload: { call_id, holded_by: from.userId, is_peer_on_hold: is_on_hold, is_relayed: was_relayed },
  });
  return { call_id, is_on_hold };
};
