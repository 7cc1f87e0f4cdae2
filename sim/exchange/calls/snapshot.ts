import type { EndResult, RecordingStatus } from '../../../src/protocol/enumerations.ts';
import type { UnendedCall } from '../../../src/protocol/messages/replies.ts';
import type { DeviceDirectory } from '../directory/devices.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { Clock } from '../../../src/common/clock.ts';
import { legsOf, otherLeg, type Call, type Leg } from './call.ts';
import type { Side } from './outcomes.ts';

/** Returns the known state of the side opposite to this leg. Nothing is on before the accept. */
export function snapshotFor(call: Call, leg: Leg): UnendedCall['signal_snapshot'] {
  const other = otherLeg(call, leg);
  return {
    is_audio_enabled: other?.media.audio ?? false,
    is_video_enabled: other?.media.video ?? false,
    custom_items: { ...call.customItems },
    recording: other?.recording ?? 'none',
  };
}

/** A leg of a live call at one moment. */
interface LegSnapshot {
  readonly side: Side;
  readonly device: DeviceId;
  /** Whether the device has a channel. */
  readonly isConnected: boolean;
  /** How the call ended for this leg. Null before. */
  readonly outcome: EndResult | null;
  readonly media: { readonly audio: boolean; readonly video: boolean };
  readonly recording: RecordingStatus;
  readonly onHold: boolean;
  /** When this side first had media, milliseconds since the epoch. Null before. */
  readonly mediaSince: number | null;
  /** The time since the leg last sent something, milliseconds. */
  readonly silentMs: number;
  /** The number of the newest signal. 0 before the first. */
  readonly lastSignal: number;
}

/** A live call at one moment. Times are milliseconds since the epoch. */
export interface CallSnapshot {
  readonly callId: string;
  readonly isVideoCall: boolean;
  readonly state: 'ringing' | 'accepted' | 'connected';
  /** When the call came into this state. */
  readonly since: number;
  readonly createdAt: number;
  /** When media began as the exchange observed it. Null before. */
  readonly begunAt: number | null;
  /** User ids. */
  readonly caller: string;
  readonly callee: string;
  /** The client of the callee that accepted. Null before. */
  readonly acceptedBy: string | null;
  /** The caller's leg first. */
  readonly legs: readonly LegSnapshot[];
}

interface Observed {
  readonly clock: Pick<Clock, 'now'>;
  readonly devices: Pick<DeviceDirectory, 'has'>;
}

/** Returns a copy of the state of a call. Null for one that is over. */
export function callSnapshot({ clock, devices }: Observed, call: Call): CallSnapshot | null {
  const { id, isVideoCall, state, createdAt, begunAt, callerUser, calleeUser } = call;
  if (state.name === 'ended') return null;
  return {
    callId: id,
    isVideoCall,
    state: state.name,
    since: state.since.at,
    createdAt,
    begunAt: begunAt?.at ?? null,
    caller: callerUser.user_id,
    callee: calleeUser.user_id,
    acceptedBy: state.name === 'ringing' ? null : state.callee.device.clientId,
    legs: legsOf(call).map((leg) => ({
      side: leg.side,
      device: { ...leg.device },
      isConnected: devices.has(leg.device),
      outcome: leg.outcome,
      media: { ...leg.media },
      recording: leg.recording,
      onHold: leg.onHold,
      mediaSince: leg.connectedAt?.at ?? null,
      silentMs: clock.now() - leg.lastHeardAt,
      lastSignal: leg.signals.last,
    })),
  };
}
