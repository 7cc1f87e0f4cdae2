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

/** Voice and video calls, for the rest of the app. Nothing outside this folder knows the library. */
export interface CallingService {
  readonly state: ReadableStore<CallsState>;
  readonly connection: ReadableStore<CallingConnection>;
  readonly devices: Pick<DeviceChoice, 'lists' | 'look'>;
  /** Signs the user in to the calling service. A failure is logged (app-shell §8) and retried. */
  start(): Promise<void>;
  /** Signs the user out of it, and forgets every call. */
  stop(): void;
  dial(party: CallParty, kind: CallKind): void;
  /** Answers. What is up already is held or ended; what cannot be held, since nobody has answered it, is cancelled. */
  accept(callId: string, present?: 'hold' | 'end'): void;
  decline(callId: string): void;
  /** Hangs up or cancels the call in front, or, when it is over, puts its summary away. */
  end(): void;
  dismissSummary(): void;
  dismissMissed(): void;
  /** Brings a held call to the front and takes it from hold; the one in front is held in its place. */
  switchTo(key: string): Promise<void>;
  toggleMicrophone(): void;
  toggleCamera(): void;
  switchCamera(): Promise<void>;
  hold(): Promise<void>;
  resume(): Promise<void>;
  toggleScreenShare(): Promise<void>;
  /** The other side's picture as the data URL of a PNG image; null where it cannot be had. */
  capture(): Promise<string | null>;
  chooseDevice(kind: DeviceKind, id: string): Promise<void>;
  /** Tries again to open the microphone or the camera that the call in front has to do without. */
  retryDevices(): Promise<void>;
  /**
   * The own microphone as it hears, also while it is muted in the call, and the camera where it is wanted: told as soon as
   * the library is there, and again when a device changes. The undo lets them go.
   */
  lookAtDevices(wanted: { camera: boolean }, told: (seen: SeenDevices) => void): () => void;
  /** Lets the ringtone be heard once, as loud as it would ring. */
  tryRingtone(): void;
  setLocalView(key: string, element: HTMLMediaElement | null): void;
  setRemoteView(key: string, element: HTMLMediaElement | null): void;
}

/** What the own devices hear and see. */
export interface SeenDevices {
  readonly stream: MediaStream;
  /** Those that cannot be had: silence or a black picture stands in the stream for them. */
  readonly missing: MissingDevices;
}

interface Dependencies extends LibrarySessionPorts {
  /** How loud the sounds of calls are, 0 to 1. */
  volume: ReadableStore<number>;
}

export function createCallingService(outside: Dependencies): CallingService {
  const { logger, clock } = outside;
  const state = createStore<CallsState>(NO_CALLS);
  /** What waits for the library. */
  const looking = new Set<() => void>();
  /** How to let go what is looked at. */
  const looks = new Set<() => void>();
  const devices = createDeviceChoice(() => session.library(), logger);
  /** The calls that live, the one that was used last at the end. */
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
    for (const letGo of [...looks]) letGo();
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
    if (lines.length > 0) return;
    const begun = newCall({ key: nextKey(), role: 'caller', kind, party, stage: { name: 'outgoing' } });
    // The next try to start need not wait: the user wants to call now.
    if (session.connection.get() !== 'on') void session.start();
    const library = session.library();
    if (library === undefined) {
      logger.error('a call was dialled before the calling service was there');
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
    // Whom to end was decided above: the library would also turn away everybody who still rings.
    call.accept({ callOption: bothOn(kind), holdActiveCall: true });
  }

  function decline(callId: string): void {
    const call = ringing.get(callId);
    removeCard(callId);
    if (call === undefined) return;
    call.onEnded = null;
    call.end();
  }

  /** A call is in front from now on. */
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

  /** Tells what lives; a summary in front stays until it is put away. */
  function publish(): void {
    state.update((current) => ({
      ...current,
      active: front?.state.get() ?? current.active,
      held: lines.filter((line) => line !== front).map((line) => line.state.get()),
    }));
  }

  /** How a call went, in front of those that wait. */
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
    // The view goes at once (app-shell §4): who pressed the red button has no reason to read how it went.
    hangUp(front);
    showNext();
  }

  function dismissSummary(): void {
    if (front === undefined) showNext();
  }

  /**
   * The call that waits comes to the front, if there is one. It stays on hold: a microphone and a camera are opened by
   * whoever they belong to, not by somebody else's hanging up.
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

  function lookAtDevices({ camera }: { camera: boolean }, told: (seen: SeenDevices) => void): () => void {
    let letGo = (): void => {};
    function begin(): void {
      const library = session.library();
      if (library === undefined) return;
      looking.delete(begin);
      const access = library.useMedia({ audio: true, video: camera });
      const stopListening = access?.on('streamChanged', (stream) =>
        told({ stream, missing: missingDevices(access.missingDevices) }),
      );
      letGo = () => {
        if (!looks.delete(letGo)) return;
        stopListening?.();
        access?.dispose();
      };
      looks.add(letGo);
    }
    looking.add(begin);
    begin();
    return () => {
      looking.delete(begin);
      letGo();
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
