import { legsOf, liveLegs, otherLeg, userOf, type Call, type EndRecord, type Leg } from './call.ts';
import { emitCallEvent } from './call-event.ts';
import type { Core } from '../core.ts';
import { signal, type Delivery } from '../delivery/deliver.ts';
import { type Moment, endOf, lengthOf, momentOf } from './live-call.ts';
import { letGoOf } from './let-go.ts';
import { lostSide } from './lost-side.ts';
import { stopPresuming } from './media-begins.ts';
import type { Ending } from './outcomes.ts';
import { postWebhook, type WebhookNeeds } from '../delivery/webhooks.ts';

/** The parts that end a call. */
export type EndNeeds = Delivery &
  WebhookNeeds &
  Pick<Core, 'calls' | 'channels' | 'cluster' | 'devices' | 'events' | 'live' | 'records'>;

/**
 * Ends a call, once, for all its legs. Notifies the legs that did not end it.
 *
 * @param by - the leg whose command ended the call; it gets a reply instead of a signal. Null when the exchange ended
 *   it.
 * @param at - when it ended.
 */
export function endCall(core: EndNeeds, call: Call, ending: Ending, by: Leg | null, at = momentOf(core.clock)): void {
  if (call.state.name === 'ended') return;
  const { event, result } = ending;
  const record = recordOf(call, ending, by, at);
  const lost = lostSide(core, call);
  stopPresuming(call);
  const callee = call.state.name === 'ringing' ? null : call.state.callee;
  if (call.state.name !== 'connected') call.state.limit.cancel();
  call.relayRenewal?.cancel();
  const notified = liveLegs(call);
  call.state = { name: 'ended', callee, record };
  for (const leg of notified) closeLeg(leg, result);
  core.live?.ended(call, record);
  core.records.keep(
    record,
    legsOf(call).map(({ device }) => device),
  );
  const { endedBy, endedAt, duration } = record;
  const payload = { call_id: call.id, end_result: result, ended_by: endedBy, ended_at: endedAt, duration };
  // Another node may have adopted the call meanwhile. A device that has heard that node would ignore a lower number.
  const isCounted = core.cluster?.hasHeardOthers?.(core.clock.now() - call.createdClock) !== false;
  for (const leg of notified) if (leg !== by) signal(core, leg, { cmd: 'CALL', type: event, payload }, isCounted);
  postWebhook(core, call, 'end', () => payload);
  call.path?.dispose();
  core.calls.settle(call);
  emitCallEvent(core, call, { kind: 'ended', record, lost, endedBySide: by?.side ?? null });
  core.log.info('call ended', { call: call.id, result, duration: record.duration });
  for (const userId of new Set(legsOf(call).map(({ device }) => device.userId))) {
    core.events.emit({ kind: 'presence', userId });
  }
}

/** How a call ends that no side ended. */
interface Unasked {
  /** When it ended. Default: when the exchange knows that it may end the call. */
  readonly at?: Moment;
  /** Returns whether the call must still end. */
  readonly isDue: () => boolean;
  /** Called when the exchange cannot find out whether it owns the call. */
  readonly again: () => void;
}

/**
 * Ends a call that no side ended. A node of a cluster does so only while it owns the call, and otherwise forgets it:
 * another node may have taken the call over.
 */
export function endUnasked(core: EndNeeds, call: Call, ending: Ending, { at, isDue, again }: Unasked): void {
  const asking = core.cluster?.ownsCall?.(call.id);
  if (!asking) return endCall(core, call, ending, null, at);
  asking.then(
    (isOwner) => {
      if (!isOwner) letGoOf(core, call.id);
      else if (isDue()) endCall(core, call, ending, null, at);
    },
    () => {
      if (isDue()) again();
    },
  );
}

/** Closes the call for this leg. */
export function closeLeg(leg: Leg, outcome: NonNullable<Leg['outcome']>): void {
  leg.outcome = outcome;
  leg.watch?.cancel();
  leg.watch = null;
}

function recordOf(call: Call, { result, chosen }: Ending, by: Leg | null, at: Moment): EndRecord {
  const hadMedia = by !== null && (result === 'completed' || result === 'connection_lost');
  const started = call.state.name === 'connected' ? call.state.since : hadMedia ? mediaOf(call, by) : null;
  return {
    callId: call.id,
    isVideoCall: call.isVideoCall,
    customItems: call.customItems,
    itemsAffectedAt: call.itemsAffectedAt,
    participants: [call.callerUser, call.calleeUser],
    createdAt: call.createdAt,
    startedAt: started?.at ?? null,
    endedAt: started === null ? Math.max(at.at, call.createdAt) : endOf(started, at),
    endedBy: chosen && by ? userOf(call, by) : null,
    duration: started === null ? 0 : lengthOf(started, at),
    endResult: result,
  };
}

/**
 * Returns since when a call had media that its exchange has not heard of from both legs. One leg connects before the other,
 * and a report may be lost: then the other leg's counts, or what the exchange observed.
 */
const mediaOf = (call: Call, by: Leg): Moment | null =>
  by.connectedAt ?? otherLeg(call, by)?.connectedAt ?? call.begunAt;
