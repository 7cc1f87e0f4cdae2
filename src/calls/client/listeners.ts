import { invalidType, invalidValue } from '../../protocol/errors.ts';
import type { DirectCall } from '../direct-call/direct-call.ts';
import { callHost } from '../direct-call/notifications.ts';
import type { Logger } from '../logging/log.ts';
import type { MediaDevice } from '../media/media-device.ts';
import { isEmpty } from './checks.ts';

/** What a host may be told for the whole device. Each may be absent. */
export interface SendBirdCallListener {
  /** Somebody calls this user. */
  onRinging?: ((call: DirectCall) => void) | null | undefined;
  /**
   * The exchange takes neither the session any more nor what `authenticate` was given: no call comes or can be made until
   * somebody authenticates again.
   */
  onSessionLost?: (() => void) | null | undefined;
  /**
   * Microphones came or went, got their names, or another one is used: chosen by the host, or in place of one that has
   * gone. `available` is the listener's own. When the last one has gone, `current` is null.
   */
  onAudioInputDeviceChanged?: ((current: InputDeviceInfo, available: InputDeviceInfo[]) => void) | null | undefined;
  /** The same of speakers; not every browser lists them. */
  onAudioOutputDeviceChanged?: ((current: MediaDeviceInfo, available: MediaDeviceInfo[]) => void) | null | undefined;
  /** The same of cameras. */
  onVideoInputDeviceChanged?: ((current: InputDeviceInfo, available: InputDeviceInfo[]) => void) | null | undefined;
}

const DEVICES_CHANGED = {
  audioinput: 'onAudioInputDeviceChanged',
  audiooutput: 'onAudioOutputDeviceChanged',
  videoinput: 'onVideoInputDeviceChanged',
} as const;

/** Listeners under ids; the same id replaces (D15: string or number). */
export class ListenerList<Listener extends object> {
  readonly #listeners = new Map<string | number, Listener>();

  /** @throws CallError 1800300 or 1800301 naming `id` or `listener`. */
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

  /** A copy: a listener may add and remove others while it is told. */
  all(): Listener[] {
    return [...this.#listeners.values()];
  }
}

/** Device-wide listeners. */
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
      // The documented type knows nothing of null, and hosts read `current` unchecked where there is a device.
      callHost(this.#log, name, () => listener[name]?.(current as MediaDevice, [...available]));
    }
  }
}
