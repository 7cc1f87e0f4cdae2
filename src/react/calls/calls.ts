import { type ReadableStore, createStore } from '../../common/store.ts';
import type { DeviceChoice, DeviceKind } from '../devices/device-choice.ts';
import type { CallingLibrary, LibraryCall } from '../library/calling-library.ts';
import type { SessionPorts } from '../session/session-ports.ts';
import { type CallKind, type CallParty, type CallsState, NO_CALLS } from './call-state.ts';
import { bothOn, dialCall } from './dial-call.ts';
import { type CallSide, newCall } from './line.ts';
import { type OpenCalls, createOpenCalls } from './open-calls.ts';
import { createRingingCalls } from './ringing-calls.ts';

/** The direct calls of the page, and their actions. Without a call an action has no effect. */
export interface Calls {
  /** The calls that ring, that are live, and the summary of the last one. */
  readonly state: ReadableStore<CallsState>;
  /** Dials a user, unless a call is open. A refusal is shown as a summary with the result `dial_failed`. */
  dial(party: CallParty, kind: CallKind): void;
  /**
   * Accepts a ringing call. `present` states what happens to the other calls: `hold` holds them, `end` ends them. An
   * unanswered outgoing call cannot be held, so it is canceled. Default: `end`.
   */
  accept(callId: string, present?: 'hold' | 'end'): void;
  /** Declines a ringing call. */
  decline(callId: string): void;
  /**
   * Ends or cancels the call in front, and shows no summary of it: `active` becomes the last held call, or null. Dismisses
   * the summary of a call that has ended.
   */
  end(): void;
  /** Removes the summary of the ended call. */
  dismissSummary(): void;
  /** Removes the missed call. */
  dismissMissed(): void;
  /** Brings a held call to the front and resumes it. Holds the call that was in front. */
  switchTo(key: string): Promise<void>;
  /** Mutes the microphone of the call in front, or sends it again. */
  toggleMicrophone(): void;
  /** Stops the video of this user in the call in front, or sends it again. */
  toggleCamera(): void;
  /** Switches between the front and the rear camera. A failure is logged. */
  switchCamera(): Promise<void>;
  /** Holds the call in front. A failure is logged. */
  hold(): Promise<void>;
  /** Resumes the call in front. A failure is logged. */
  resume(): Promise<void>;
  /** Shares the screen in the call in front, or stops this. A failure is logged. */
  toggleScreenShare(): Promise<void>;
  /** Captures the remote picture as the data URL of a PNG image. Resolves to null when that fails. */
  capture(): Promise<string | null>;
  /** Switches to a device, in a call and without one. A failure is logged, and the previous device stays. */
  chooseDevice(kind: DeviceKind, id: string): Promise<void>;
  /** Tries again to open the unavailable microphone or camera of the call in front. */
  retryDevices(): Promise<void>;
  /**
   * Shows the picture of this user, or plays the other user, in an element. Returns the function that ends this. Without
   * a call of this key it does nothing.
   */
  show(key: string, side: CallSide, element: HTMLMediaElement): () => void;
}

/** The calls for the session that owns them. */
export interface OwnedCalls extends Calls {
  /** Adds a call that rings. */
  ring(call: LibraryCall): void;
  /** Drops every call without ending it. The sign-out of the library ends them. */
  clear(): void;
}

interface Dependencies extends Pick<SessionPorts, 'clock' | 'logger'> {
  /** Returns the library. Undefined until it is loaded. */
  library(): CallingLibrary | undefined;
  readonly devices: DeviceChoice;
  /** Called before a dial. */
  beforeDial(): void;
}

/** Creates the calls of a page, which has none. */
export function createCalls({ library, devices, beforeDial, clock, logger }: Dependencies): OwnedCalls {
  const state = createStore<CallsState>(NO_CALLS);
  const open = createOpenCalls({ state, clock, logger });
  const ringing = createRingingCalls(state);
  const newKey = createKeys();

  return {
    ...createFrontControls(open, devices),
    state,
    ring: ringing.add,
    clear() {
      open.clear();
      ringing.clear();
      state.set(NO_CALLS);
    },
    dial(party, kind) {
      if (!open.isEmpty()) return;
      const begun = newCall({ key: newKey(), role: 'caller', kind, party, stage: { name: 'outgoing' } });
      beforeDial();
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
    show: (key, side, element) => open.find(key)?.show(side, element) ?? (() => {}),
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
function createFrontControls({ front }: Pick<OpenCalls, 'front'>, devices: DeviceChoice): Pick<Calls, FrontControl> {
  const inFront = (name: 'hold' | 'resume' | 'switchCamera' | 'toggleScreenShare') => async (): Promise<void> =>
    void (await front()?.[name]());
  return {
    toggleMicrophone: () => front()?.toggleMicrophone(),
    toggleCamera: () => front()?.toggleCamera(),
    switchCamera: inFront('switchCamera'),
    hold: inFront('hold'),
    resume: inFront('resume'),
    toggleScreenShare: inFront('toggleScreenShare'),
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
