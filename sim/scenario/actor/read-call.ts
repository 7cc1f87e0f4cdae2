import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import type { RtcPeerConnection } from '../../../src/calls/platform/rtc.ts';

// Uses the class of the call, which may be that of another copy of the library.
const legOf = (call: DirectCall) => (call.constructor as typeof DirectCall).leg(call);

/** Returns the peer connection that carries the call. Null before it is established and after its end. */
export const connectionOf = (call: DirectCall): RtcPeerConnection | null =>
  legOf(call).peers.current?.connection ?? null;

/** Returns a value of a call, by the last part of its path. */
export function readCall(call: DirectCall, what: string): unknown {
  const { state } = legOf(call);
  const result = call.endResult?.toLowerCase() ?? 'none';
  switch (what) {
    case 'state':
      return state;
    case 'result':
      return result;
    case 'outcome':
      return call.isEnded ? result : state;
    case 'id':
      return call.callId;
    case 'role':
      return call.myRole === 'dc_caller' ? 'caller' : 'callee';
    case 'remote':
      return call.remoteUser.userId;
    case 'remoteAudio':
      return call.isRemoteAudioEnabled;
    case 'remoteVideo':
      return call.isRemoteVideoEnabled;
    case 'localAudio':
      return call.isLocalAudioEnabled;
    case 'localVideo':
      return call.isLocalVideoEnabled;
    case 'onHold':
      return call.isOnHold;
    case 'recording':
      return call.localRecordingStatus;
    case 'remoteRecording':
      return call.remoteRecordingStatus;
    case 'sharing':
      return call.isLocalScreenShareEnabled;
    case 'duration':
      return call.getDuration();
    case 'startedAt':
      return call.callLog.startedAt;
    case 'endedAt':
      return call.callLog.endedAt;
    case 'items':
      return { ...call.customItems };
    case 'endedBy':
      return call.endedBy?.userId ?? 'none';
    default:
      return undefined;
  }
}
