import { type ReadableStore, createStore } from '../../core/store/store.ts';
import {
  type ActiveCall,
  type CallKind,
  type CallParty,
  type CallStage,
  type CallsState,
  type MissingDevices,
  NO_CALLS,
  toCallResult,
} from './call-state.ts';
import type { LibraryCall, LibraryUser } from './calling-library.ts';
import { type DeviceChoice, type DeviceKind, createDeviceChoice } from './device-choice.ts';
import { type CallingConnection, type LibrarySessionPorts, createLibrarySession } from './library-session.ts';
import { type Line, createLine, newCall } from './line.ts';
import { missingDevices } from './missing-devices.ts';

/** Voice and video calls for the rest of the app. Only this folder imports the library. */
export interface CallingService {
  readonly state: ReadableStore<CallsState>;
  readonly connection: ReadableStore<CallingConnection>;
  readonly devices: Pick<DeviceChoice, 'lists' | 'look'>;
  /** Signs the user in to the calling service. A failure is logged (app-shell §8) and retried. */
  start(): Promise<void>;
  /** Signs the user out of the calling service and removes every call from the state. */
  stop(): void;
  dial(party: CallParty, kind: CallKind): void;
  /**
   * Accepts a ringing call. The other calls are held or ended. An unanswered outgoing call cannot be held, so it is
   * canceled.
   */
  accept(callId: string, present?: 'hold' | 'end'): void;
  decline(callId: string): void;
  /** Ends or cancels the call in front. Dismisses the summary when that call has ended. */
  end(): void;
  dismissSummary(): void;
  dismissMissed(): void;
  /** Brings a held call to the front and resumes it. Holds the call that was in front. */
  switchTo(key: string): Promise<void>;
  toggleMicrophone(): void;
  toggleCamera(): void;
  switchCamera(): Promise<void>;
  hold(): Promise<void>;
  resume(): Promise<void>;
  toggleScreenShare(): Promise<void>;
  /** Captures the remote picture as the data URL of a PNG image. Resolves to null when that fails. */
  capture(): Promise<string | null>;
  chooseDevice(kind: DeviceKind, id: string): Promise<void>;
  /** Tries again to open the unavailable microphone or camera of the call in front. */
  retryDevices(): Promise<void>;
  /**
   * Opens the user's microphone, and the camera if requested. The microphone is heard here even when it is muted in the
   * call.
   * Calls the listener once the library is loaded, and after each change of a device.
   * @returns a function that releases the devices.
   */
  lookAtDevices(wanted: { camera: boolean }, listener: (seen: SeenDevices) => void): () => void;
  /** Plays the ringtone once at its volume. */
  tryRingtone(): void;
  setLocalView(key: string, element: HTMLMediaElement | null): void;
  setRemoteView(key: string, element: HTMLMediaElement | null): void;
}

/** The stream of the user's own microphone and camera. */
export interface SeenDevices {
  readonly stream: MediaStream;
  /** The unavailable devices. The stream has silence or a black picture instead. */
  readonly missing: MissingDevices;
}

interface Dependencies extends LibrarySessionPorts {
  /** The volume of the sounds of calls, 0 to 1. */
  volume: ReadableStore<number>;
}

export function createCallingService(outside: Dependencies): CallingService {
  const { logger, clock } = outside;
  const state = createStore<CallsState>(NO_CALLS);
  /** The device requests that wait for the library. */
  const looking = new Set<() => void>();
  /** The functions that release the opened devices. */
  const looks = new Set<() => void>();
  const devices = createDeviceChoice(() => session.library(), logger);
  /** The calls that have not ended. The most recently used call is last. */
  let lines: readonly Line[] = [];
  let front: Line | undefined;
  const ringing = new Map<string, LibraryCall>();
  let keys = 0;
  const session = createLibrarySession({
    ...outside,
    listener: {
      onRinging,
      onAudioInputDeviceChanged: devices.look,
      onAudioOutputDeviceChanged: devices.look,
      onVideoInputDeviceChanged: devices.look,
    },
    onLoaded(library) {
      library.setDirectCallSoundVolume(outside.volume.get());
      for (const begin of [...looking]) begin();
    },
  });

  outside.volume.subscribe(() => session.library()?.setDirectCallSoundVolume(outside.volume.get()));

  function stop(): void {
    lines = [];
    front = undefined;
    ringing.clear();
    for (const release of [...looks]) release();
    session.stop();
    state.set(NO_CALLS);
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

  /** Handles the end of a call that was not answered here. */
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
    if (lines.length > 0) return;
    const begun = newCall({ key: nextKey(), role: 'caller', kind, party, stage: { name: 'outgoing' } });
    // Retries the start at once, since the user wants to call now.
    if (session.connection.get() !== 'on') void session.start();
    const library = session.library();
    if (library === undefined) {
      logger.error('a call was dialled before the calling service had started');
      show({ ...begun, stage: ended('dial_failed') });
      return;
    }
    let line: Line | undefined;
    let refusal: CallStage | undefined;
    try {
      const call = library.dial(
        { userId: party.userId, isVideoCall: kind === 'video', callOption: bothOn(kind) },
        (_call, error) => {
          if (error === undefined || error === null) return;
          logger.error('dialling failed', error);
          refusal = ended('dial_failed', error.code);
          line?.fail(refusal);
        },
      );
      line = adopt(call, begun);
      if (refusal !== undefined) line.fail(refusal);
    } catch (error) {
      logger.error('dialling failed', error);
      show({ ...begun, stage: ended('dial_failed') });
    }
  }

  function accept(callId: string, present: 'hold' | 'end' = 'end'): void {
    const call = ringing.get(callId);
    const card = state.get().incoming.find((incoming) => incoming.callId === callId);
    if (call === undefined || card === undefined) return;
    for (const line of lines) if (present === 'end' || line.isOutgoing()) hangUp(line);
    removeCard(callId);
    const { kind, party } = card;
    adopt(call, newCall({ key: nextKey(), callId, role: 'callee', kind, party, stage: { name: 'connecting' } }));
    // With `holdActiveCall: false` the library would also decline the other ringing calls.
    call.accept({ callOption: bothOn(kind), holdActiveCall: true });
  }

  function decline(callId: string): void {
    const call = ringing.get(callId);
    removeCard(callId);
    if (call === undefined) return;
    call.onEnded = null;
    call.end();
  }

  /** Adds a call and brings it to the front. */
  function adopt(call: LibraryCall, begun: ActiveCall): Line {
    const line = createLine(call, begun, { clock, logger, ended: lineEnded });
    lines = [...lines, line];
    line.state.subscribe(() => {
      if (lines.includes(line)) publish();
    });
    bringToFront(line);
    return line;
  }

  function bringToFront(line: Line): void {
    front = line;
    lines = [...lines.filter((other) => other !== line), line];
    state.update((current) => ({ ...current, missed: null }));
    publish();
  }

  /** Publishes the calls. A summary in front stays until the user dismisses it. */
  function publish(): void {
    state.update((current) => ({
      ...current,
      active: front?.state.get() ?? current.active,
      held: lines.filter((line) => line !== front).map((line) => line.state.get()),
    }));
  }

  /** Shows the summary of an ended call in front of the held calls. */
  function show(summary: ActiveCall): void {
    front = undefined;
    state.update((current) => ({ ...current, active: summary, missed: null }));
    publish();
  }

  function lineEnded(line: Line): void {
    if (!lines.includes(line)) return;
    const wasFront = line === front;
    lines = lines.filter((other) => other !== line);
    if (wasFront) show(line.state.get());
    else publish();
  }

  function hangUp(line: Line): void {
    lines = lines.filter((other) => other !== line);
    if (front === line) front = undefined;
    line.hangUp();
  }

  function end(): void {
    if (front === undefined) {
      dismissSummary();
      return;
    }
    // The view closes at once (app-shell §4): the user who ends a call does not need its summary.
    hangUp(front);
    showNext();
  }

  function dismissSummary(): void {
    if (front === undefined) showNext();
  }

  /**
   * Brings the last held call to the front, if any. It stays on hold: only the user resumes it, which opens microphone
   * and camera.
   */
  function showNext(): void {
    const next = lines.at(-1);
    state.update((current) => ({ ...current, active: null }));
    if (next === undefined) publish();
    else bringToFront(next);
  }

  async function switchTo(key: string): Promise<void> {
    const line = lineOf(key);
    if (line === undefined || line === front) return;
    if (front !== undefined && !(await front.hold())) return;
    if (!lines.includes(line)) return;
    bringToFront(line);
    await line.resume();
  }

  function lineOf(key: string): Line | undefined {
    return lines.find((line) => line.state.get().key === key);
  }

  function nextKey(): string {
    keys += 1;
    return `line-${keys}`;
  }

  async function chooseDevice(kind: DeviceKind, id: string): Promise<void> {
    const work = (): Promise<void> => devices.choose(kind, id);
    await (front === undefined ? work() : front.whileDevicesChange(work));
  }

  async function retryDevices(): Promise<void> {
    const line = front;
    await line?.whileDevicesChange(() => devices.retry(line.state.get().missing));
  }

  function lookAtDevices({ camera }: { camera: boolean }, listener: (seen: SeenDevices) => void): () => void {
    let release = (): void => {};
    function begin(): void {
      const library = session.library();
      if (library === undefined) return;
      looking.delete(begin);
      const access = library.useMedia({ audio: true, video: camera });
      const stopListening = access?.on('streamChanged', (stream) =>
        listener({ stream, missing: missingDevices(access.missingDevices) }),
      );
      release = () => {
        if (!looks.delete(release)) return;
        stopListening?.();
        access?.dispose();
      };
      looks.add(release);
    }
    looking.add(begin);
    begin();
    return () => {
      looking.delete(begin);
      release();
    };
  }

  return {
    state,
    connection: session.connection,
    devices,
    start: session.start,
    stop,
    dial,
    accept,
    decline,
    end,
    dismissSummary,
    dismissMissed: () => state.update((current) => ({ ...current, missed: null })),
    switchTo,
    toggleMicrophone: () => front?.toggleMicrophone(),
    toggleCamera: () => front?.toggleCamera(),
    switchCamera: async () => await front?.switchCamera(),
    hold: async () => void (await front?.hold()),
    resume: async () => await front?.resume(),
    toggleScreenShare: async () => await front?.toggleScreenShare(),
    capture: async () => (await front?.capture()) ?? null,
    chooseDevice,
    retryDevices,
    lookAtDevices,
    tryRingtone: () => session.library()?.playDirectCallSound('RINGING'),
    setLocalView: (key, element) => lineOf(key)?.setLocalView(element),
    setRemoteView: (key, element) => lineOf(key)?.setRemoteView(element),
  };
}

function ended(result: 'dial_failed', errorCode?: number): CallStage {
  return { name: 'ended', result, durationMs: 0, errorCode: errorCode ?? null };
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
