/**
 * One direct call, as data.
 *
 *     ringing ── accept ──> accepted ── both connected ──> connected
 *        └──────────────────────┴──────────── any ending ──────┴──> ended        (outcomes.ts)
 *
 * A call has a leg for the caller and one for each device of the callee it rang on. A leg gets numbered signals
 * about its call, and has an outcome as soon as the call is over for it: that may be before the call ends, when another device
 * accepted.
 */
import type { UserPayload, WebhookTarget } from '../../../src/protocol/entities.ts';
import type { EndResult, RecordingStatus } from '../../../src/protocol/enumerations.ts';
import type { SummaryBody } from '../../../src/protocol/http.ts';
import type { CommandPayload } from '../../../src/protocol/messages/commands.ts';
import type { Moment } from './live-call.ts';
import type { MediaPath } from './media-path.ts';
import type { Phase, Side } from './outcomes.ts';
import type { TimerHandle } from '../ports.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { SignalLog } from '../delivery/signal-log.ts';

export interface Leg {
  readonly side: Side;
  readonly device: DeviceId;
  readonly signals: SignalLog;
  capabilities: readonly string[];
  media: { audio: boolean; video: boolean };
  recording: RecordingStatus;
  onHold: boolean;
  /** When this side first had media; null before. */
  connectedAt: Moment | null;
  /** How the call ended for this leg; null while it has not. */
  outcome: EndResult | null;
  /** When the leg was last heard of, by the monotonic clock. */
  lastHeardAt: number;
  /** When the exchange before this one last saw the call; null once the leg has been heard of again. */
  lost: Moment | null;
  /** The hash of the session the device had at the exchange before this one; null where it is not known. */
  session: string | null;
  /** The request that made the leg a side of the call, a dial or an accept; null before. */
  request: string | null;
  /** The timer that detects a silent leg (D13). Null while it does not run. */
  watch: TimerHandle | null;
  /** Candidates passed on since the leg's last new description. */
  candidates: number;
  lastDescription: string;
  /** Whether an offer or an answer of the leg was passed on: without one of each side there is no media. */
  hasDescribed: boolean;
  summary: SummaryBody | null;
}

export type CallState =
  | { readonly name: 'ringing'; readonly since: Moment; readonly limit: TimerHandle }
  | { readonly name: 'accepted'; readonly since: Moment; readonly callee: Leg; readonly limit: TimerHandle }
  | { readonly name: 'connected'; readonly since: Moment; readonly callee: Leg }
  | { readonly name: 'ended'; readonly callee: Leg | null; readonly record: EndRecord };

export interface Call {
  readonly id: string;
  readonly isVideoCall: boolean;
  customItems: Readonly<Record<string, string>>;
  /** When they last changed, milliseconds since the epoch: it strictly grows (ENT-03). */
  itemsAffectedAt: number;
  readonly constraints: CommandPayload<'dial'>['constraints'];
  readonly createdAt: number;
  /** The same moment by the monotonic clock of this process, milliseconds. */
  readonly createdClock: number;
  readonly callerUser: UserPayload;
  readonly calleeUser: UserPayload;
  readonly caller: Leg;
  /** The callee's legs by client id. */
  readonly calleeLegs: Map<string, Leg>;
  /** The caller was told that a device got the ring. */
  dialReceived: boolean;
  readonly path: MediaPath | null;
  /** Renews the relay credentials of its sides; null before the accept, and where there is no relay. */
  relayRenewal: TimerHandle | null;
  /** Where its events are posted, and the posting so far; null where its dial named no webhook. */
  readonly webhook: { readonly target: WebhookTarget; posted: Promise<void> } | null;
  /** When media began, by what the exchange observed (media-begins.ts); null before. */
  begunAt: Moment | null;
  /** Takes it for granted that media has begun; null while nothing waits for that. */
  presumption: TimerHandle | null;
  /** What is being rewritten, one chain a direction, so that nothing overtakes. */
  readonly relays: Record<Side, Promise<void>>;
  state: CallState;
}

/** What is kept of a call that ended (§3, ended call record). Times are milliseconds since the epoch, or a length. */
export interface EndRecord {
  readonly callId: string;
  readonly isVideoCall: boolean;
  readonly customItems: Readonly<Record<string, string>>;
  readonly itemsAffectedAt: number;
  readonly participants: readonly [caller: UserPayload, callee: UserPayload];
  /** When it was dialled. */
  readonly createdAt: number;
  /** When both sides were connected; null where they never were. */
  readonly startedAt: number | null;
  readonly endedAt: number;
  readonly endedBy: UserPayload | null;
  /** Milliseconds from startedAt to endedAt, 0 where it never started. */
  readonly duration: number;
  readonly endResult: EndResult;
}

/** The leg of this device; undefined when the device has no part in the call. */
export function legOf(call: Call, { userId, clientId }: DeviceId): Leg | undefined {
  const { caller } = call;
  if (caller.device.userId === userId) return caller.device.clientId === clientId ? caller : undefined;
  return call.calleeUser.user_id === userId ? call.calleeLegs.get(clientId) : undefined;
}

export const legsOf = (call: Call): Leg[] => [call.caller, ...call.calleeLegs.values()];

/** The legs the call is not over for. */
export const liveLegs = (call: Call): Leg[] => legsOf(call).filter((leg) => leg.outcome === null);

/** The leg that accepted; null before. */
export const acceptedLeg = (call: Call): Leg | null => (call.state.name === 'ringing' ? null : call.state.callee);

/** Whether the leg is one of the two sides: the caller's, or the one that accepted. */
export const isSide = (call: Call, leg: Leg): boolean => leg === call.caller || leg === acceptedLeg(call);

/** Whether one of the sides has put the call on hold. */
export const isHeld = (call: Call): boolean => legsOf(call).some(({ onHold }) => onHold);

/** Whether every leg has been heard of since the exchange started. */
export const isBack = (call: Call): boolean => liveLegs(call).every(({ lost }) => lost === null);

/** Returns the leg of the other user. Null before an accept. */
export function otherLeg(call: Call, leg: Leg): Leg | null {
  return leg.side === 'caller' ? acceptedLeg(call) : call.caller;
}

export function phaseOf(call: Call, leg: Leg): Phase {
  if (call.state.name === 'ringing') return 'ringing';
  return leg.connectedAt === null ? 'setup' : 'connected';
}

/** Whether the user dialled it, or is dialled. */
export const isOf = ({ callerUser, calleeUser }: Call, userId: string): boolean =>
  [callerUser.user_id, calleeUser.user_id].includes(userId);

export const userOf = (call: Call, leg: Leg): UserPayload =>
  leg.side === 'caller' ? call.callerUser : call.calleeUser;
