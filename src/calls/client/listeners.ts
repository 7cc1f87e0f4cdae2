import { invalidType, invalidValue } from '../../protocol/errors.ts';
import type { DirectCall } from '../direct-call/direct-call.ts';
import { callHost } from '../direct-call/notifications.ts';
import type { Logger } from '../logging/log.ts';
import type { MediaDevice } from '../media/media-device.ts';
import { isEmpty } from './checks.ts';

/** The functions that `addListener` registers. Each is optional. */
export interface SendBirdCallListener {
  /** Runs when an incoming call rings. */
  onRinging?: ((call: DirectCall) => void) | null | undefined;
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

/** A list of listeners by id. A listener with the same id is replaced (D15: string or number). */
export class ListenerList<Listener extends object> {
  readonly #listeners = new Map<string | number, Listener>();

  /**
   * Registers a listener.
   * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for `id` or `listener`.
   */
  add(id: string | number, listener: Listener): void {
    if (isEmpty(id)) throw invalidValue('id');
    if (typeof id !== 'string' && typeof id !== 'number') throw invalidType('id');
    if (isEmpty(listener)) throw invalidValue('listener');
    if (typeof listener !== 'object') throw invalidType('listener');
    this.#listeners.set(id, listener);
  }

  remove(id: string | number): void {
    this.#listeners.delete(id);
  }

  removeAll(): void {
    this.#listeners.clear();
  }

  /** Returns a copy, since a listener may add and remove others while it runs. */
  all(): Listener[] {
    return [...this.#listeners.values()];
  }
}

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
