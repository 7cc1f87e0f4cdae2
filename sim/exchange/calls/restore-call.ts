import * as v from 'valibot';
import { eventFrom, type EventFrame } from '../../../src/protocol/envelope.ts';
import type { ReplyPayload } from '../../../src/protocol/messages/replies.ts';
import { acceptedLeg, isSide, legsOf, type Call, type CallState, type Leg } from './call.ts';
import { acceptReply } from '../commands/accept.ts';
import { dialReply } from '../commands/dial.ts';
import { renewRelayLater } from './change-relay.ts';
import type { Core } from '../core.ts';
import { keepLogin } from '../directory/keep-login.ts';
import { liveCall, type LiveCall, type LiveLeg, type Moment } from './live-call.ts';
import { type Ending, OWN_ENDINGS } from './outcomes.ts';
import { presumeMedia } from './media-begins.ts';
import { newLeg } from './ring.ts';
import { startLimit } from './time-limit.ts';
import { withSecrets } from '../directory/secrets.ts';
import { watch } from './silence.ts';
import { deviceKey } from '../directory/sessions.ts';
import type { KeptCall } from '../store.ts';

/**
 * Continues a call of the former exchange. Its devices may reconnect for as long as a leg may be silent (D13).
 *
 * @throws Error when the stored call cannot be read.
 */
export function restoreCall(core: Core, kept: KeptCall): void {
  const body = v.parse(liveCall, kept.body);
  const { clock, settings } = core;
  // No monotonic clock runs between two exchanges. The wall clock measures the gap, unless it was set back.
  const stoodStill = Math.max(0, clock.wallTime() - kept.seen.at);
  const shift = clock.now() - stoodStill - kept.seen.clock;
  const shifted = (moment: Moment): Moment => ({ at: moment.at, clock: moment.clock + shift });
  const seen = shifted(kept.seen);

  const legs = body.legs.map((leg) => legOf(core, kept, leg, shifted));
  const [caller, ...calleeLegs] = legs;
  if (caller?.side !== 'caller') throw new Error('the call has no caller');
  const { webhook } = body;
  const since = shifted(body.state.since);
  const call: Call = {
    ...facts(body),
    createdClock: since.clock - Math.max(0, since.at - body.createdAt),
    caller,
    calleeLegs: new Map(calleeLegs.map((leg) => [leg.device.clientId, leg])),
    webhook: webhook ? { target: webhook, posted: Promise.resolve() } : null,
    path: core.openMediaPath?.(body.callId) ?? null,
    relayRenewal: null,
    begunAt: body.begunAt && shifted(body.begunAt),
    presumption: null,
    relays: {},
    state: stateOf(core, body.state, { since, calleeLegs, call: () => call }),
  };
  core.calls.add(call);
  // The former exchange may have stopped before it saved a first login.
  for (const { user_id } of [call.callerUser, call.calleeUser]) keepLogin(core, user_id);
  for (const leg of legsOf(call)) {
    if (!isSide(call, leg)) continue;
    leg.lost ??= seen;
    watch(core, call, leg);
  }
  presumeMedia(core, call, settings.aliveSilenceMs);
  answerAgain(core, call);
  // A credential may have expired during the gap. The legs get another one when they can have reconnected.
  if (call.state.name !== 'ringing') renewRelayLater(core, call, settings.aliveSilenceMs);
  core.live?.adopt(call);
  core.log.info('a call was restored', { call: call.id, state: call.state.name });
}

/** The parts of a restored call that its state needs. */
interface Restored {
  /** When the state began. */
  readonly since: Moment;
  readonly calleeLegs: readonly Leg[];
  readonly call: () => Call;
}

/** Returns the state of a restored call, with the rest of its time limit. */
function stateOf(core: Core, state: LiveCall['state'], { since, calleeLegs, call }: Restored): CallState {
  const { clock, settings } = core;
  /** Starts the rest of a time limit. The call stays long enough for a device to reconnect. */
  const limit = (ms: number, ending: Ending) => {
    const left = ms - (clock.now() - since.clock);
    return startLimit(core, call, Math.min(ms, Math.max(left, settings.aliveSilenceMs)), ending);
  };
  const accepted = () => calleeLegs.find(({ device }) => 'callee' in state && device.clientId === state.callee);
  switch (state.name) {
    case 'ringing':
      return { name: 'ringing', since, limit: limit(settings.ringTimeoutMs, OWN_ENDINGS.notAnswered) };
    case 'accepted': {
      const callee = found(accepted());
      return { name: 'accepted', since, callee, limit: limit(settings.setupTimeoutMs, OWN_ENDINGS.neverConnected) };
    }
    case 'connected':
      return { name: 'connected', since, callee: found(accepted()) };
    default:
      return state satisfies never;
  }
}

const facts = (body: LiveCall) => ({
  id: body.callId,
  ack: { call_id: body.callId },
  isVideoCall: body.isVideoCall,
  customItems: body.customItems,
  itemsAffectedAt: body.itemsAffectedAt,
  constraints: body.constraints,
  createdAt: body.createdAt,
  callerUser: body.callerUser,
  calleeUser: body.calleeUser,
  dialReceived: body.dialReceived,
});

function found(leg: Leg | undefined): Leg {
  if (!leg) throw new Error('the call has no leg that accepted it');
  return leg;
}

function legOf(core: Core, kept: KeptCall, body: LiveLeg, shifted: (moment: Moment) => Moment): Leg {
  const { side, userId, clientId, connectedAt, lost } = body;
  const leg = newLeg(core, side, { userId, clientId }, body);
  leg.recording = body.recording;
  leg.onHold = body.onHold;
  leg.connectedAt = connectedAt && shifted(connectedAt);
  leg.hasDescribed = body.hasDescribed;
  leg.outcome = body.outcome;
  leg.request = body.request;
  leg.session = body.session;
  if (body.session !== null && body.outcome === null) core.bridges.add(body.session, leg.device);
  leg.lost = lost && shifted(lost);
  const frames = kept.signals
    .filter((signal) => signal.side === side && signal.clientId === clientId)
    .map(({ frame }): EventFrame => withSecrets(core, leg, eventFrom(JSON.parse(frame))));
  // A relayed signal is written without its call.
  leg.signals.restore(frames, Math.max(body.lastSignal, frames.at(-1)?.sequence_number ?? 0));
  return leg;
}

function restoreAnswer(core: Core, { device, request }: Leg, payload: ReplyPayload<'dial' | 'accept'>): void {
  if (request === null) return;
  core.answers.restore(deviceKey(device), request, payload);
}

/** Keeps the answers to the dial and the accept. A repeated request whose reply was lost must not take effect twice. */
function answerAgain(core: Core, call: Call): void {
  const { caller } = call;
  restoreAnswer(core, caller, dialReply(core, call));
  const callee = acceptedLeg(call);
  if (callee) restoreAnswer(core, callee, acceptReply(core, call, callee));
}
