import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';
import { nextQuality } from './call-quality.ts';
import { type ActiveCall, type BusyControl, type CallStage, toCallResult } from './call-state.ts';
import type { LibraryCall } from './calling-library.ts';
import { missingDevices } from './missing-devices.ts';

/** One call of the library as the app shows it. It follows the events of the call and performs its controls. */
export interface Line {
  readonly state: ReadableStore<ActiveCall>;
  /** Returns true for a dialled call without an answer. It can be canceled and cannot be held. */
  isOutgoing(): boolean;
  /** Ends the call without calling `ended`. */
  hangUp(): void;
  /** Ends the call with a reason that the library's call does not have. */
  fail(stage: CallStage): void;
  toggleMicrophone(): void;
  toggleCamera(): void;
  switchCamera(): Promise<void>;
  /** Holds the call. Resolves to true when the call is on hold afterwards. */
  hold(): Promise<boolean>;
  resume(): Promise<void>;
  toggleScreenShare(): Promise<void>;
  /** Captures the remote picture as the data URL of a PNG image. A failure is logged and resolves to null. */
  capture(): Promise<string | null>;
  /** Marks the devices as busy until `work` settles. */
  whileDevicesChange(work: () => Promise<void>): Promise<void>;
  setLocalView(element: HTMLMediaElement | null): void;
  setRemoteView(element: HTMLMediaElement | null): void;
}

interface Surroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when the call has ended, except by {@link Line.hangUp}. */
  ended(line: Line): void;
}

/** The time that the library gives a lost connection before it ends the call. */
const RECONNECTION_GRACE_MS = 30_000;
/**
 * The codes ERR_NOT_SUPPORTED_APP_STATE_FOR_SCREEN_SHARE and ERR_PERMISSION_DENIED_FOR_SCREEN_SHARE. The library
 * reports them when the user chooses no screen, which is no failure. Their catalogue is loaded with the library, after
 * the first picture.
 */
const SHARE_NOT_CHOSEN = new Set([1_800_627, 1_800_628]);

export function createLine(call: LibraryCall, initial: ActiveCall, { clock, logger, ended }: Surroundings): Line {
  const state = createStore(initial);
  let isOver = false;

  const update = (change: (active: ActiveCall) => Partial<ActiveCall>): void => {
    if (!isOver) state.update((active) => ({ ...active, callId: call.callId, ...change(active) }));
  };
  const on = (change: (active: ActiveCall) => Partial<ActiveCall>) => (): void => update(change);

  call.onEstablished = on(() => ({ stage: { name: 'connecting' } }));
  call.onConnected = on(() => ({
    stage: { name: 'connected', connectedAt: clock.now() - call.getDuration() },
    remoteMicrophoneOn: call.isRemoteAudioEnabled,
    remoteCameraOn: call.isRemoteVideoEnabled,
  }));
  call.onReconnecting = on(({ stage }) => ({
    stage: {
      name: 'reconnecting',
      connectedAt: connectedAtOf(stage) ?? clock.now(),
      givesUpAt: clock.now() + RECONNECTION_GRACE_MS,
    },
  }));
  call.onReconnected = on(({ stage }) => ({
    stage: { name: 'connected', connectedAt: connectedAtOf(stage) ?? clock.now() },
  }));
  call.onLocalDeviceMissing = on(() => ({ missing: missingDevices(call.missingDevices) }));
  call.onRemoteAudioSettingsChanged = on(() => ({ remoteMicrophoneOn: call.isRemoteAudioEnabled }));
  call.onRemoteVideoSettingsChanged = on(() => ({ remoteCameraOn: call.isRemoteVideoEnabled }));
  call.onUserHoldStatusChanged = (_call, isLocalUser, isOnHold) =>
    update(({ hold }) => ({ hold: { ...hold, [isLocalUser ? 'here' : 'there']: isOnHold } }));
  call.onScreenShareStopped = on(() => ({ sharingScreen: false }));
  call.setConnectionQualityListener('frequency', (metrics) =>
    update(({ quality }) => ({ quality: nextQuality(quality, metrics) })),
  );
  call.onEnded = () =>
    finish({ name: 'ended', result: toCallResult(call.endResult), durationMs: call.getDuration(), errorCode: null });

  function finish(stage: CallStage): void {
    if (isOver) return;
    update(() => ({ stage }));
    isOver = true;
    ended(line);
  }

  /** Runs one action of a control at a time. Another press during it has no effect. */
  async function once<Value>(control: BusyControl, work: () => Promise<Value>): Promise<Value | undefined> {
    if (isOver || state.get().busy.includes(control)) return undefined;
    update(({ busy }) => ({ busy: [...busy, control] }));
    try {
      return await work();
    } finally {
      update(({ busy }) => ({ busy: busy.filter((other) => other !== control) }));
    }
  }

  const line: Line = {
    state,
    isOutgoing: () => state.get().stage.name === 'outgoing',
    hangUp() {
      isOver = true;
      call.onEnded = null;
      call.end();
    },
    fail: finish,
    toggleMicrophone() {
      const { microphoneOn, missing } = state.get();
      if (isOver || missing.microphone !== undefined) return;
      if (microphoneOn) call.muteMicrophone();
      else call.unmuteMicrophone();
      update(() => ({ microphoneOn: !microphoneOn }));
    },
    toggleCamera() {
      const { kind, cameraOn, missing } = state.get();
      if (isOver || kind !== 'video' || missing.camera !== undefined) return;
      if (cameraOn) call.stopVideo();
      else call.startVideo();
      update(() => ({ cameraOn: !cameraOn }));
    },
    async switchCamera() {
      if (state.get().kind !== 'video') return;
      await once('switchCamera', async () => {
        try {
          await call.switchCamera();
          update(({ facing }) => ({ facing: facing === 'user' ? 'environment' : 'user' }));
        } catch (error) {
          logger.error('the camera was not switched', error);
        }
      });
    },
    async hold() {
      if (state.get().hold.here) return true;
      await once('hold', async () => {
        try {
          await call.hold();
        } catch (error) {
          logger.warn('the call was not held', error);
        }
      });
      return state.get().hold.here;
    },
    async resume() {
      if (!state.get().hold.here) return;
      await once('hold', async () => {
        try {
          await call.unhold();
        } catch (error) {
          logger.warn('the call was not resumed', error);
        }
      });
    },
    async toggleScreenShare() {
      const { kind, sharingScreen } = state.get();
      if (kind !== 'video') return;
      await once('screenShare', async () => {
        try {
          if (sharingScreen) {
            call.stopScreenShare();
            return;
          }
          await call.startScreenShare();
          update(() => ({ sharingScreen: true }));
        } catch (error) {
          if (!wasNotChosen(error)) logger.warn('the screen was not shared', error);
        }
      });
    },
    async capture() {
      const taken = await once('capture', async () => {
        try {
          return (await call.captureRemoteVideoView()).data;
        } catch (error) {
          logger.warn('the picture was not captured', error);
          return null;
        }
      });
      return taken ?? null;
    },
    async whileDevicesChange(work) {
      await once('devices', work);
    },
    setLocalView: (element) => setView('setLocalMediaView', element),
    setRemoteView: (element) => setView('setRemoteMediaView', element),
  };

  function setView(method: 'setLocalMediaView' | 'setRemoteMediaView', element: HTMLMediaElement | null): void {
    call[method](element).catch((error: unknown) => logger.warn('a media view was not set', error));
  }

  return line;
}

/** Returns the state of a new call. */
export function newCall(
  facts: Pick<ActiveCall, 'key' | 'role' | 'kind' | 'party' | 'stage'> & { readonly callId?: string },
): ActiveCall {
  return {
    callId: '',
    ...facts,
    microphoneOn: true,
    cameraOn: true,
    missing: {},
    facing: 'user',
    busy: [],
    hold: { here: false, there: false },
    sharingScreen: false,
    quality: null,
    remoteMicrophoneOn: true,
    remoteCameraOn: facts.kind === 'video',
  };
}

function connectedAtOf(stage: CallStage): number | undefined {
  return stage.name === 'connected' || stage.name === 'reconnecting' ? stage.connectedAt : undefined;
}

function wasNotChosen(error: unknown): boolean {
  return error instanceof Error && 'code' in error && SHARE_NOT_CHOSEN.has(Number(error.code));
}
