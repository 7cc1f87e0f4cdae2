import type { Clock } from '../../common/clock.ts';
import type { CallStage, CallQuality } from './call-state.ts';
import type { LibraryCall, LibraryMetrics } from '../library/calling-library.ts';
import { missingDevices } from '../library/missing-devices.ts';
import type { LineChange, LineState } from './line-state.ts';

/** The time that the library gives a lost connection before it ends the call. */
const RECONNECTION_GRACE_MS = 30_000;

/**
 * Writes the events of a call of the library to the state of its line, except its end. A call has one handler for each
 * event, so that a host must not assign others. Returns the function that removes the handlers.
 */
export function followCall(call: LibraryCall, { update }: Pick<LineState, 'update'>, clock: Clock): () => void {
  const on = (change: LineChange) => (): void => update(change);

  const handlers = {
    onEstablished: on(() => ({ stage: { name: 'connecting' } })),
    onConnected: on(() => ({
      stage: { name: 'connected', connectedAt: clock.wallTime() - call.getDuration() },
      remoteMicrophoneOn: call.isRemoteAudioEnabled,
      remoteCameraOn: call.isRemoteVideoEnabled,
    })),
    onReconnecting: on(({ stage }) => ({
      stage: {
        name: 'reconnecting',
        connectedAt: connectedAtOf(stage) ?? clock.wallTime(),
        givesUpAt: clock.wallTime() + RECONNECTION_GRACE_MS,
      },
    })),
    onReconnected: on(({ stage }) => ({
      stage: { name: 'connected', connectedAt: connectedAtOf(stage) ?? clock.wallTime() },
    })),
    onLocalDeviceMissing: on(() => ({ missing: missingDevices(call.missingDevices) })),
    onRemoteAudioSettingsChanged: on(() => ({ remoteMicrophoneOn: call.isRemoteAudioEnabled })),
    onRemoteVideoSettingsChanged: on(() => ({ remoteCameraOn: call.isRemoteVideoEnabled })),
    onUserHoldStatusChanged: (_call: unknown, isLocalUser: boolean, isOnHold: boolean) =>
      update(({ hold }) => ({ hold: { ...hold, [isLocalUser ? 'here' : 'there']: isOnHold } })),
    onScreenShareStopped: on(() => ({ sharingScreen: false })),
  };
  Object.assign(call, handlers);
  call.setConnectionQualityListener('frequency', (metrics) =>
    update(({ quality }) => ({ quality: nextQuality(quality, metrics) })),
  );
  return () => {
    for (const name of Object.keys(handlers)) call[name as keyof typeof handlers] = null;
    call.removeConnectionQualityListener();
  };
}

function connectedAtOf(stage: CallStage): number | undefined {
  return stage.name === 'connected' || stage.name === 'reconnecting' ? stage.connectedAt : undefined;
}

/** The length of the history: two minutes, at one measurement every three seconds. */
const KEPT = 40;

/** Returns the quality of a connection after another measurement. */
function nextQuality(before: CallQuality | null, metrics: LibraryMetrics): CallQuality {
  const mos = metrics.mos ?? null;
  return {
    band: metrics.state,
    mos,
    lossRate: metrics.packetsLostRate ?? null,
    roundTripMs: metrics.rtt ?? null,
    jitterMs: metrics.jitter ?? null,
    poorInARow: metrics.state === 'poor' ? (before?.poorInARow ?? 0) + 1 : 0,
    history: [...(before?.history ?? []), mos].slice(-KEPT),
  };
}
