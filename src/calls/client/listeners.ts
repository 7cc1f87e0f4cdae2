import type { DirectCall } from '../direct-call/direct-call.ts';
import { callHost } from '../host/call-host.ts';
import { ListenerList } from '../host/listener-list.ts';
import type { Logger } from '../logging/log.ts';
import type { MediaDevice } from '../media/media-device.ts';
import type { RoomInvitation } from '../room/room.ts';

/** The functions that `addListener` registers. Each is optional. */
export interface SendBirdCallListener {
  /** Runs when an incoming call rings. */
  onRinging?: ((call: DirectCall) => void) | null | undefined;
  /** Runs when another user invites the user into a room. */
  onInvitationReceived?: ((invitation: RoomInvitation) => void) | null | undefined;
  /**
   * Runs when the exchange refuses the session and the credentials of `authenticate`. Calls need a new `authenticate`.
   */
  onSessionLost?: (() => void) | null | undefined;
  /**
   * Runs when the list of microphones, their labels or the microphone in use changes. `available` is a copy for this
   * listener. `current` is null without a microphone.
   */
  onAudioInputDeviceChanged?: ((current: InputDeviceInfo, available: InputDeviceInfo[]) => void) | null | undefined;
  /** Runs when the list of speakers or the speaker in use changes. Some browsers list no speakers. */
  onAudioOutputDeviceChanged?: ((current: MediaDeviceInfo, available: MediaDeviceInfo[]) => void) | null | undefined;
  /** Runs when the list of cameras, their labels or the camera in use changes. `current` is null without a camera. */
  onVideoInputDeviceChanged?: ((current: InputDeviceInfo, available: InputDeviceInfo[]) => void) | null | undefined;
}

const DEVICES_CHANGED = {
  audioinput: 'onAudioInputDeviceChanged',
  audiooutput: 'onAudioOutputDeviceChanged',
  videoinput: 'onVideoInputDeviceChanged',
} as const;

/** The listeners for incoming calls, a lost session and changed devices. */
export class Listeners extends ListenerList<SendBirdCallListener> {
  readonly #log: Pick<Logger, 'error'>;

  constructor(log: Pick<Logger, 'error'>) {
    super();
    this.#log = log;
  }

  ringing(call: DirectCall): void {
    for (const listener of this.all()) callHost(this.#log, 'onRinging', () => listener.onRinging?.(call));
  }

  invited(invitation: RoomInvitation): void {
    for (const listener of this.all()) {
      callHost(this.#log, 'onInvitationReceived', () => listener.onInvitationReceived?.(invitation));
    }
  }

  sessionLost(): void {
    for (const listener of this.all()) callHost(this.#log, 'onSessionLost', () => listener.onSessionLost?.());
  }

  devicesChanged(kind: MediaDeviceKind, current: MediaDevice | null, available: readonly MediaDevice[]): void {
    const name = DEVICES_CHANGED[kind];
    for (const listener of this.all()) {
      // The documented type has no null, and hosts use `current` without a check.
      callHost(this.#log, name, () => listener[name]?.(current as MediaDevice, [...available]));
    }
  }
}
