import { type ReadableStore, type Store, createStore } from '../common/store.ts';
import { createTicks } from '../common/ticks.ts';
import { type Calls, createCalls } from './calls/calls.ts';
import { type DeviceChoice, createDeviceChoice } from './devices/device-choice.ts';
import { type DeviceLooks, createDeviceLooks } from './devices/device-looks.ts';
import type { CallingLibrary } from './library/calling-library.ts';
import type { LibraryInvitation } from './library/room-library.ts';
import { type LibrarySession, createLibrarySession } from './session/library-session.ts';
import type { SessionPorts } from './session/session-ports.ts';

/** The options of {@link createRingback}. */
export interface RingbackOptions extends SessionPorts {
  /** Called when the library is loaded and initialised, before the sign-in. Default: none. */
  onLoaded?: (library: CallingLibrary) => void;
}

/** The session of a page with its calls, devices and rooms. It does nothing before its start. */
export interface Ringback extends LibrarySession {
  /** The direct calls. */
  readonly calls: Calls;
  /** The choice of devices. */
  readonly devices: DeviceChoice;
  /** Opens the devices of this user outside of calls. Returns the function that releases them. */
  readonly lookAtDevices: DeviceLooks['look'];
  /** The invitations in the order of their arrival, as the library gave them. `useInvitations` has their state. */
  readonly received: Store<readonly LibraryInvitation[]>;
  /** The time, in milliseconds since the epoch. Changes once a second while it has listeners. */
  readonly seconds: ReadableStore<number>;
  /** The clock and the log of the session, for its rooms. */
  readonly ports: Pick<SessionPorts, 'clock' | 'logger'>;
}

/** Creates the session of a page. Its owner starts it when a user is signed in, and stops it. */
export function createRingback(options: RingbackOptions): Ringback {
  const { clock, logger } = options;
  const received = createStore<readonly LibraryInvitation[]>([]);
  const library = (): CallingLibrary | undefined => session.library();
  const devices = createDeviceChoice(library, logger);
  const looks = createDeviceLooks(library);
  const calls = createCalls({
    library,
    devices,
    // Retries the start at once, since the user wants to call now.
    beforeDial: () => void session.start(),
    clock,
    logger,
  });
  const session = createLibrarySession({
    ...options,
    listener: {
      onRinging: calls.ring,
      onInvitationReceived: (invitation) => received.update((present) => [...present, invitation]),
      onAudioInputDeviceChanged: devices.look,
      onAudioOutputDeviceChanged: devices.look,
      onVideoInputDeviceChanged: devices.look,
    },
    onLoaded(loaded) {
      options.onLoaded?.(loaded);
      looks.libraryLoaded();
    },
  });

  return {
    ...session,
    calls,
    devices,
    lookAtDevices: looks.look,
    received,
    seconds: createTicks(clock, SECOND_MS),
    ports: { clock, logger },
    stop() {
      calls.clear();
      looks.release();
      session.stop();
      received.set([]);
    },
  };
}

const SECOND_MS = 1_000;
