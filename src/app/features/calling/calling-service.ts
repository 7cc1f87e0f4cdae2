import { type ReadableStore, type Store, createStore } from '../../../common/store.ts';
import { type CallKind, type CallParty, type CallsState, NO_CALLS } from './call-state.ts';
import { type DeviceChoice, type DeviceKind, createDeviceChoice } from './device-choice.ts';
import { type SeenDevices, createDeviceLooks } from './device-looks.ts';
import type { CallingLibrary } from './library/calling-library.ts';
import type { LibraryInvitation, RoomLibrary } from './library/room-library.ts';
import { type CallingConnection, type LibrarySessionPorts, createLibrarySession } from './library/library-session.ts';
import { bothOn, dialCall } from './lines/dial-call.ts';
import { newCall } from './lines/line.ts';
import { type OpenCalls, createOpenCalls } from './lines/open-calls.ts';
import { createRingingCalls } from './lines/ringing-calls.ts';

/** Voice and video calls for the rest of the app. Only this folder imports the library. */
export interface CallingService {
  readonly state: ReadableStore<CallsState>;
  readonly connection: ReadableStore<CallingConnection>;
  readonly devices: Pick<DeviceChoice, 'lists' | 'look' | 'retry'>;
  /** The received invitations into rooms, in the order of their arrival. The rooms remove those that are answered. */
  readonly invitations: Store<readonly LibraryInvitation[]>;
  /** The kind of the room that the user is in, or is entering. Null outside of rooms, which set it. */
  readonly stay: Store<CallKind | null>;
  /** Returns the library's functions about rooms. Undefined until the library is loaded. */
  rooms(): RoomLibrary | undefined;
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

interface Dependencies extends LibrarySessionPorts {
  /** The volume of the sounds of calls, 0 to 1. */
  volume: ReadableStore<number>;
}

/** Creates the calling service of the page. The caller starts it when a user is signed in. */
export function createCallingService(outside: Dependencies): CallingService {
  const { logger, volume } = outside;
  const state = createStore<CallsState>(NO_CALLS);
  const invitations = createStore<readonly LibraryInvitation[]>([]);
  const open = createOpenCalls({ ...outside, state });
  const ringing = createRingingCalls(state);
  const library = (): CallingLibrary | undefined => session.library();
  const devices = createDeviceChoice(library, logger);
  const looks = createDeviceLooks(library);
  const newKey = createKeys();
  const applyVolume = (): void => library()?.setDirectCallSoundVolume(volume.get());
  const session = createLibrarySession({
    ...outside,
    listener: {
      onRinging: ringing.add,
      onInvitationReceived: (invitation) => invitations.update((present) => [...present, invitation]),
      onAudioInputDeviceChanged: devices.look,
      onAudioOutputDeviceChanged: devices.look,
      onVideoInputDeviceChanged: devices.look,
    },
    onLoaded() {
      applyVolume();
      looks.libraryLoaded();
    },
  });

  volume.subscribe(applyVolume);

  return {
    ...createFrontControls(open, devices),
    state,
    connection: session.connection,
    devices,
    invitations,
    stay: createStore<CallKind | null>(null),
    rooms: library,
    start: session.start,
    stop() {
      open.clear();
      ringing.clear();
      looks.release();
      session.stop();
      state.set(NO_CALLS);
      invitations.set([]);
    },
    dial(party, kind) {
      if (!open.isEmpty()) return;
      const begun = newCall({ key: newKey(), role: 'caller', kind, party, stage: { name: 'outgoing' } });
      // Retries the start at once, since the user wants to call now.
      if (session.connection.get() !== 'on') void session.start();
      dialCall(library(), begun, open, logger);
    },
    accept(callId, present = 'end') {
      const found = ringing.find(callId);
      if (found === undefined) return;
      const { kind, party } = found.shown;
      open.hangUp((line) => present === 'end' || line.isOutgoing());
      ringing.remove(callId);
      open.adopt(
        found.call,
        newCall({ key: newKey(), callId, role: 'callee', kind, party, stage: { name: 'connecting' } }),
      );
      // With `holdActiveCall: false` the library would also decline the other ringing calls.
      found.call.accept({ callOption: bothOn(kind), holdActiveCall: true });
    },
    decline: ringing.decline,
    end: open.end,
    dismissSummary: open.dismissSummary,
    dismissMissed: () => state.update((current) => ({ ...current, missed: null })),
    switchTo: open.switchTo,
    lookAtDevices: looks.look,
    tryRingtone: () => library()?.playDirectCallSound('RINGING'),
    setLocalView: (key, element) => open.find(key)?.setLocalView(element),
    setRemoteView: (key, element) => open.find(key)?.setRemoteView(element),
  };
}

type FrontControl =
  | 'toggleMicrophone'
  | 'toggleCamera'
  | 'switchCamera'
  | 'hold'
  | 'resume'
  | 'toggleScreenShare'
  | 'capture'
  | 'chooseDevice'
  | 'retryDevices';

/** Creates the controls of the call in front. Without one they have no effect, except the choice of a device. */
function createFrontControls(
  { front }: Pick<OpenCalls, 'front'>,
  devices: DeviceChoice,
): Pick<CallingService, FrontControl> {
  return {
    toggleMicrophone: () => front()?.toggleMicrophone(),
    toggleCamera: () => front()?.toggleCamera(),
    switchCamera: async () => await front()?.switchCamera(),
    hold: async () => void (await front()?.hold()),
    resume: async () => await front()?.resume(),
    toggleScreenShare: async () => await front()?.toggleScreenShare(),
    capture: async () => (await front()?.capture()) ?? null,
    async chooseDevice(kind, id) {
      const work = (): Promise<void> => devices.choose(kind, id);
      const line = front();
      await (line === undefined ? work() : line.whileDevicesChange(work));
    },
    async retryDevices() {
      const line = front();
      await line?.whileDevicesChange(() => devices.retry(line.state.get().missing));
    },
  };
}

/** Returns a function that returns another key at each call. */
function createKeys(): () => string {
  let keys = 0;
  return () => {
    keys += 1;
    return `line-${keys}`;
  };
}
