/**
 * One direct call, as data.
 *
 *     ringing ── accept ──> accepted ── both connected ──> connected
 *        └──────────────────────┴──────────── any ending ──────┴──> ended        (outcomes.ts)
 *
 * A call has a leg for the caller and one for each device of the callee it rang on. A leg receives numbered signals. It
 * has an outcome when the call is over for it, which may be before the call ends: for example after another accept.
 */
import type { CallUserPayload, UserPayload, WebhookTarget } from '../../../src/protocol/entities.ts';
import type { EndResult, RecordingStatus } from '../../../src/protocol/enumerations.ts';
import type { SummaryBody } from '../../../src/protocol/http.ts';
import type { CommandPayload } from '../../../src/protocol/messages/commands.ts';
import type { Moment } from './live-call.ts';
import type { MediaPath } from '../ports.ts';
import type { Phase, Side } from './outcomes.ts';
import type { Timer } from '../../../src/common/clock.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { SignalLog } from '../delivery/signal-log.ts';

export interface Leg {
  readonly side: Side;
  readonly device: DeviceId;
  readonly signals: SignalLog;
  /** The number of the newest signal that the store has. 0 before the first. */
  storedSignal: number;
  capabilities: readonly string[];
  media: { audio: boolean; video: boolean };
  recording: RecordingStatus;
  onHold: boolean;
  /** When this side first had media. Null before. */
  connectedAt: Moment | null;
  /** How the call ended for this leg. Null before. */
  outcome: EndResult | null;
  /** When the exchange last received something from the leg, by the monotonic clock. */
  lastHeardAt: number;
  /** When the former exchange last saw the call. Null after the leg has sent something to this exchange. */
  lost: Moment | null;
  /** The hash of the session that the device had at the former exchange. Null when it is not known. */
  session: string | null;
  /** The id of the dial or accept that made the leg a side of the call. Null before. */
  request: string | null;
  /** The timer that detects the silence of the leg (D13). Null when the leg is not watched. */
  watch: Timer | null;
  /** Candidates relayed since the leg's last new description. */
  candidates: number;
  /** The digest of the last offer or answer of the leg. Null before. */
  lastDescription: number | null;
  /** True after an offer or an answer of the leg was relayed. Media needs one of each side. */
  hasDescribed: boolean;
  summary: SummaryBody | null;
}

export type CallState =
  | { readonly name: 'ringing'; readonly since: Moment; readonly limit: Timer }
  | { readonly name: 'accepted'; readonly since: Moment; readonly callee: Leg; readonly limit: Timer }
  | { readonly name: 'connected'; readonly since: Moment; readonly callee: Leg }
  | { readonly name: 'ended'; readonly callee: Leg | null; readonly record: EndRecord };

export interface Call {
  readonly id: string;
  /** The payload of replies that name only the call. They share it, since many of them are kept. */
  readonly ack: { readonly call_id: string };
  readonly isVideoCall: boolean;
  customItems: Readonly<Record<string, string>>;
  /** When the items last changed, milliseconds since the epoch. It strictly grows (ENT-03). */
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
  /** True after the caller received dial-received. */
  dialReceived: boolean;
  readonly path: MediaPath | null;
  /** The timer that renews the relay credentials of the sides. Null before the accept, and without a relay. */
  relayRenewal: Timer | null;
  /** The webhook of the call and the chain of its posts. Null when the dial named no webhook. */
  readonly webhook: { readonly target: WebhookTarget; posted: Promise<void> } | null;
  /** When media began as the exchange observed it (media-begins.ts). Null before, and after the end. */
  begunAt: Moment | null;
  /** The timer after which the exchange presumes media. Null when it does not wait for that. */
  presumption: Timer | null;
  /** The rewrites of each direction, a chain that keeps the order. Absent before the first. */
  readonly relays: Partial<Record<Side, Promise<void>>>;
  state: CallState;
}

/**
 * The record of a call that ended (§3, ended call record). Times are milliseconds since the epoch, durations
 * milliseconds.
 */
export interface EndRecord {
  readonly callId: string;
  readonly isVideoCall: boolean;
  readonly customItems: Readonly<Record<string, string>>;
  readonly itemsAffectedAt: number;
  readonly participants: readonly [caller: UserPayload, callee: UserPayload];
  /** When it was dialled. */
  readonly createdAt: number;
  /** When both sides were connected, as far as the exchange has heard. Null when they never were. */
  readonly startedAt: number | null;
  readonly endedAt: number;
  readonly endedBy: UserPayload | null;
  /** Milliseconds from startedAt to endedAt. 0 without startedAt. */
  readonly duration: number;
  readonly endResult: EndResult;
}

/** Returns the leg of this device. Undefined when the device has no part in the call. */
export function legOf(call: Call, { userId, clientId }: DeviceId): Leg | undefined {
  const { caller } = call;
  if (caller.device.userId === userId) return caller.device.clientId === clientId ? caller : undefined;
  return call.calleeUser.user_id === userId ? call.calleeLegs.get(clientId) : undefined;
}

export const legsOf = (call: Call): Leg[] => [call.caller, ...call.calleeLegs.values()];

/** Returns the legs for which the call is not over. */
export const liveLegs = (call: Call): Leg[] => legsOf(call).filter((leg) => leg.outcome === null);

/** Returns the leg that accepted. Null before. */
export const acceptedLeg = (call: Call): Leg | null => (call.state.name === 'ringing' ? null : call.state.callee);

/** Returns whether the leg is one of the two sides: the caller's, or the one that accepted. */
export const isSide = (call: Call, leg: Leg): boolean => leg === call.caller || leg === acceptedLeg(call);

/** Returns whether one of the sides has put the call on hold. */
export const isHeld = (call: Call): boolean => legsOf(call).some(({ onHold }) => onHold);

/** Returns whether every leg has sent something since the exchange started. */
export const isBack = (call: Call): boolean => liveLegs(call).every(({ lost }) => lost === null);

/** Returns the leg at the other end. Null before the accept. */
export function otherLeg(call: Call, leg: Leg): Leg | null {
  return leg.side === 'caller' ? acceptedLeg(call) : call.caller;
}

export function phaseOf(call: Call, leg: Leg): Phase {
  if (call.state.name === 'ringing') return 'ringing';
  return leg.connectedAt === null ? 'setup' : 'connected';
}

/** Returns whether the user is the caller or the callee. */
export const isOf = ({ callerUser, calleeUser }: Call, userId: string): boolean =>
  [callerUser.user_id, calleeUser.user_id].includes(userId);

/** Returns a user of a call with their role. */
export const inCall = (
  { user_id, nickname, profile_url, metadata, is_active }: UserPayload,
  role: CallUserPayload['role'],
): CallUserPayload => ({ user_id, nickname, profile_url, metadata, is_active, role });

export const userOf = (call: Call, leg: Leg): UserPayload =>
  leg.side === 'caller' ? call.callerUser : call.calleeUser;
