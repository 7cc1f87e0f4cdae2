import type { Clock } from '../ports/clock.ts';
import type { Connectivity } from '../ports/connectivity.ts';
import type { KeyValueStore } from '../ports/key-value-store.ts';
import type { Logger } from '../ports/logger.ts';
import { DEFAULT_CALLING_USER_ID, storageKeys } from '../session/storage-keys.ts';
import { type ReadableStore, createStore } from '../store/store.ts';
import {
  type ActiveCall,
  type CallKind,
  type CallParty,
  type CallStage,
  type CallsState,
  NO_CALLS,
  toCallResult,
} from './call-state.ts';
import type { CallingLibrary, LibraryCall, LibraryUser } from './calling-library.ts';
import { missingDevices } from './missing-devices.ts';

/** Voice and video calls, for the rest of the app. Nothing outside this folder knows the library. */
export interface CallingService {
  readonly state: ReadableStore<CallsState>;
  /** Signs the stored user in to the calling service. A failure is logged, and nothing else happens (app-shell §8). */
  start(): Promise<void>;
  stop(): void;
  dial(party: CallParty, kind: CallKind): void;
  accept(callId: string): void;
  decline(callId: string): void;
  /** Hangs up, cancels, or, when the call is over, puts its summary away. */
  end(): void;
  dismissSummary(): void;
  dismissMissed(): void;
  toggleMicrophone(): void;
  toggleCamera(): void;
  switchCamera(): Promise<void>;
  setLocalView(element: HTMLMediaElement | null): void;
  setRemoteView(element: HTMLMediaElement | null): void;
}

interface Dependencies {
  config: { app_id: string; calling_api_url: string; calling_ws_url: string };
  loadLibrary(): Promise<CallingLibrary>;
  localStorage: KeyValueStore;
  connectivity: Connectivity;
  clock: Clock;
  logger: Logger;
}

/** The library gives a lost connection this long to come back before it ends the call. */
const RECONNECTION_GRACE_MS = 30_000;
const LISTENER_ID = 'ringback-app';

export function createCallingService(outside: Dependencies): CallingService {
  const { logger, clock } = outside;
  const state = createStore<CallsState>(NO_CALLS);
  let library: CallingLibrary | undefined;
  let activeCall: LibraryCall | undefined;
  const ringing = new Map<string, LibraryCall>();
  /** Goes up with every start and stop, so that a late answer to an old start is recognised. */
  let generation = 0;
  let stopWaiting: (() => void) | undefined;

  async function start(): Promise<void> {
    const accessToken = outside.localStorage.getItem(storageKeys.callingAccessToken);
    const userId = outside.localStorage.getItem(storageKeys.callingUserId) || DEFAULT_CALLING_USER_ID;
    if (!outside.config.app_id || !accessToken || library !== undefined) return;

    stopWaiting?.();
    if (!outside.connectivity.isOnline()) {
      startWhenOnline();
      return;
    }
    const mine = ++generation;
    try {
      const loaded = await outside.loadLibrary();
      if (mine !== generation) return;
      loaded.init(outside.config.app_id, outside.config.calling_api_url, outside.config.calling_ws_url);
      loaded.addListener(LISTENER_ID, { onRinging });
      library = loaded;
      await loaded.authenticate({ userId, accessToken });
      if (mine !== generation) return;
      await loaded.connectWebSocket();
    } catch (error) {
      if (mine !== generation) return;
      logger.error('the calling service did not start', error);
      library = undefined;
      startWhenOnline();
    }
  }

  function startWhenOnline(): void {
    stopWaiting = outside.connectivity.subscribe(() => {
      if (outside.connectivity.isOnline()) void start();
    });
  }

  function stop(): void {
    generation += 1;
    stopWaiting?.();
    stopWaiting = undefined;
    const stopped = library;
    library = undefined;
    activeCall = undefined;
    ringing.clear();
    state.set(NO_CALLS);
    if (stopped === undefined) return;
    try {
      stopped.removeListener(LISTENER_ID);
      stopped.deauthenticate();
    } catch (error) {
      logger.error('the calling service did not stop cleanly', error);
    }
  }

  function onRinging(call: LibraryCall): void {
    ringing.set(call.callId, call);
    call.onEnded = () => ringingEnded(call);
    state.update((current) => ({
      ...current,
      incoming: [
        ...current.incoming,
        { callId: call.callId, kind: call.isVideoCall ? 'video' : 'voice', party: partyOf(call.caller) },
      ],
    }));
  }

  /** The call is over before it was answered here. */
  function ringingEnded(call: LibraryCall): void {
    const result = toCallResult(call.endResult);
    const missed = result === 'canceled' || result === 'no_answer';
    const card = state.get().incoming.find((incoming) => incoming.callId === call.callId);
    removeCard(call.callId);
    if (missed && card !== undefined) state.update((current) => ({ ...current, missed: card }));
  }

  function removeCard(callId: string): void {
    ringing.delete(callId);
    state.update((current) => ({
      ...current,
      incoming: current.incoming.filter((incoming) => incoming.callId !== callId),
    }));
  }

  function dial(party: CallParty, kind: CallKind): void {
    if (activeCall !== undefined) return;
    if (library === undefined) {
      logger.error('a call was dialled before the calling service was there');
      show(newCall('caller', kind, party, ended('dial_failed')));
      return;
    }
    show(newCall('caller', kind, party, { name: 'outgoing' }));
    let answered: LibraryCall | undefined;
    try {
      const call = library.dial(
        { userId: party.userId, isVideoCall: kind === 'video', callOption: bothOn(kind) },
        (_call, error) => {
          if (error === undefined || error === null) return;
          logger.error('dialling failed', error);
          if (answered === activeCall) finish(ended('dial_failed', 0, error.code));
        },
      );
      answered = call;
      adopt(call);
    } catch (error) {
      logger.error('dialling failed', error);
      finish(ended('dial_failed'));
    }
  }

  function accept(callId: string): void {
    const call = ringing.get(callId);
    const card = state.get().incoming.find((incoming) => incoming.callId === callId);
    if (call === undefined || card === undefined) return;
    // One conversation at a time: answering another hangs up the present one.
    if (activeCall !== undefined) hangUp(activeCall);
    removeCard(callId);
    show(newCall('callee', card.kind, card.party, { name: 'connecting' }));
    adopt(call);
    call.accept({ callOption: bothOn(card.kind) });
  }

  function decline(callId: string): void {
    const call = ringing.get(callId);
    removeCard(callId);
    if (call === undefined) return;
    call.onEnded = null;
    call.end();
  }

  /** Follows a call's events from now on. */
  function adopt(call: LibraryCall): void {
    activeCall = call;
    const isActive = (): boolean => call === activeCall;
    const on = (change: (active: ActiveCall) => ActiveCall) => (): void => {
      if (isActive()) updateActive(change);
    };

    call.onEstablished = on((active) => ({ ...active, stage: { name: 'connecting' } }));
    call.onConnected = on((active) => ({
      ...active,
      stage: connectedStage(clock.now() - call.getDuration()),
      remoteMicrophoneOn: call.isRemoteAudioEnabled,
      remoteCameraOn: call.isRemoteVideoEnabled,
    }));
    call.onReconnecting = on((active) => ({
      ...active,
      stage: {
        name: 'reconnecting',
        connectedAt: connectedAtOf(active.stage) ?? clock.now(),
        givesUpAt: clock.now() + RECONNECTION_GRACE_MS,
      },
    }));
    call.onReconnected = on((active) => ({
      ...active,
      stage: connectedStage(connectedAtOf(active.stage) ?? clock.now()),
    }));
    call.onLocalDeviceMissing = on((active) => ({ ...active, missing: missingDevices(call.missingDevices) }));
    call.onRemoteAudioSettingsChanged = on((active) => ({ ...active, remoteMicrophoneOn: call.isRemoteAudioEnabled }));
    call.onRemoteVideoSettingsChanged = on((active) => ({ ...active, remoteCameraOn: call.isRemoteVideoEnabled }));
    call.onEnded = () => {
      if (isActive()) finish(ended(toCallResult(call.endResult), call.getDuration()));
    };
  }

  function hangUp(call: LibraryCall): void {
    call.onEnded = null;
    activeCall = undefined;
    call.end();
  }

  function end(): void {
    const call = activeCall;
    if (call === undefined) {
      dismissSummary();
      return;
    }
    // The view goes at once (app-shell §4): who pressed the red button has no reason to read how it went.
    hangUp(call);
    state.update((current) => ({ ...current, active: null }));
  }

  function dismissSummary(): void {
    state.update((current) => (current.active?.stage.name === 'ended' ? { ...current, active: null } : current));
  }

  function finish(stage: CallStage): void {
    activeCall = undefined;
    updateActive((active) => ({ ...active, stage }));
  }

  function show(active: ActiveCall): void {
    state.update((current) => ({ ...current, active, missed: null }));
  }

  function updateActive(change: (active: ActiveCall) => ActiveCall): void {
    state.update((current) => (current.active === null ? current : { ...current, active: change(current.active) }));
  }

  function toggleMicrophone(): void {
    const active = state.get().active;
    if (active === null || activeCall === undefined || active.missing.microphone !== undefined) return;
    if (active.microphoneOn) activeCall.muteMicrophone();
    else activeCall.unmuteMicrophone();
    updateActive((current) => ({ ...current, microphoneOn: !active.microphoneOn }));
  }

  function toggleCamera(): void {
    const active = state.get().active;
    if (active === null || active.kind !== 'video' || activeCall === undefined) return;
    if (active.missing.camera !== undefined) return;
    if (active.cameraOn) activeCall.stopVideo();
    else activeCall.startVideo();
    updateActive((current) => ({ ...current, cameraOn: !active.cameraOn }));
  }

  async function switchCamera(): Promise<void> {
    const active = state.get().active;
    const call = activeCall;
    if (active === null || active.kind !== 'video' || active.switchingCamera) return;
    if (call === undefined) return;
    const facing = active.facing === 'user' ? 'environment' : 'user';
    updateActive((current) => ({ ...current, switchingCamera: true }));
    let reached = active.facing;
    try {
      await call.switchCamera();
      reached = facing;
    } catch (error) {
      logger.error('the camera was not switched', error);
    }
    if (call === activeCall) updateActive((current) => ({ ...current, facing: reached, switchingCamera: false }));
  }

  function setView(method: 'setLocalMediaView' | 'setRemoteMediaView', element: HTMLMediaElement | null): void {
    activeCall?.[method](element).catch((error: unknown) => logger.warn('a media view was not set', error));
  }

  return {
    state,
    start,
    stop,
    dial,
    accept,
    decline,
    end,
    dismissSummary,
    dismissMissed: () => state.update((current) => ({ ...current, missed: null })),
    toggleMicrophone,
    toggleCamera,
    switchCamera,
    setLocalView: (element) => setView('setLocalMediaView', element),
    setRemoteView: (element) => setView('setRemoteMediaView', element),
  };
}

function newCall(role: ActiveCall['role'], kind: CallKind, party: CallParty, stage: CallStage): ActiveCall {
  return {
    role,
    kind,
    party,
    stage,
    microphoneOn: true,
    cameraOn: true,
    missing: {},
    facing: 'user',
    switchingCamera: false,
    remoteMicrophoneOn: true,
    remoteCameraOn: kind === 'video',
  };
}

function ended(result: ReturnType<typeof toCallResult>, durationMs = 0, errorCode?: number): CallStage {
  return { name: 'ended', result, durationMs, errorCode: errorCode ?? null };
}

function connectedStage(connectedAt: number): CallStage {
  return { name: 'connected', connectedAt };
}

function connectedAtOf(stage: CallStage): number | undefined {
  return stage.name === 'connected' || stage.name === 'reconnecting' ? stage.connectedAt : undefined;
}

function bothOn(kind: CallKind): { audioEnabled: boolean; videoEnabled: boolean } {
  return { audioEnabled: true, videoEnabled: kind === 'video' };
}

function partyOf(user: LibraryUser | undefined): CallParty {
  return {
    userId: user?.userId ?? '',
    nickname: user?.nickname ?? '',
    profileUrl: user?.profileUrl ?? '',
  };
}
