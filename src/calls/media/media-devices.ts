import { optionalText, requireObject } from '../host/checks.ts';
import { CallError, ErrorCode, invalidValue } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';
import type { DevicesPort } from '../platform/devices.ts';
import type { PagePort } from '../platform/page.ts';
import { MediaDevice } from './media-device.ts';

export interface MediaDevicesOptions {
  readonly devices: Pick<DevicesPort, 'enumerate' | 'onChange'>;
  readonly page: Pick<PagePort, 'onChange'>;
  readonly log: Pick<Logger, 'warning'>;
  /** Runs when the devices of a kind, their names or the current one have changed. */
  readonly changed: (kind: MediaDeviceKind, current: MediaDevice | null, available: MediaDevice[]) => void;
}

/** A user of open devices: a call, or a preview by the host. */
export interface DeviceUser {
  /** Uses another current device of this kind. Rejects when it cannot be opened. */
  use(kind: MediaDeviceKind): Promise<void>;
  /** Opens ended devices again after the page is visible again. */
  renew(): Promise<void>;
}

const KINDS: readonly MediaDeviceKind[] = ['audioinput', 'audiooutput', 'videoinput'];

/**
 * The available devices, and those that live and later calls use. The host's choice is used while it is available.
 * Otherwise the first available device is used, until the choice is back (§5).
 */
export class MediaDevices {
  readonly #options: MediaDevicesOptions;
  readonly #available: Record<MediaDeviceKind, readonly MediaDevice[]> = {
    audioinput: [],
    audiooutput: [],
    videoinput: [],
  };
  /** The ids of the host's choices. */
  readonly #chosen = new Map<MediaDeviceKind, string>();
  /** The ids in use while the host's choice is not available. A newly connected device does not displace them. */
  readonly #inUse = new Map<MediaDeviceKind, string>();
  readonly #users = new Set<DeviceUser>();
  /** The last notification of each kind, as text. */
  readonly #told = new Map<MediaDeviceKind, string>();
  #watching = false;
  #away = false;
  #looking: Promise<unknown> = Promise.resolve();
  /** The next reading of the list, until it begins. */
  #next: Promise<MediaDeviceKind[]> | null = null;

  constructor(options: MediaDevicesOptions) {
    this.#options = options;
  }

  /** Updates the lists from now on, while the page lives. A second call does nothing. */
  watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    const { devices, page } = this.#options;
    devices.onChange(() => void this.refresh());
    page.onChange((state) => {
      const wasAway = this.#away;
      this.#away = state === 'hidden' || state === 'frozen';
      if (wasAway && (state === 'active' || state === 'passive')) void this.#back();
    });
    void this.refresh();
  }

  /** Returns the devices of a kind, as a new list. */
  available(kind: MediaDeviceKind): MediaDevice[] {
    return [...this.#available[kind]];
  }

  /** Returns the device in use, or to be used. Null only without a device of the kind. */
  current(kind: MediaDeviceKind): MediaDevice | null {
    const list = this.#available[kind];
    const known = (id: string | undefined) => list.find(({ deviceId }) => deviceId === id);
    return known(this.#chosen.get(kind)) ?? known(this.#inUse.get(kind)) ?? list[0] ?? null;
  }

  /** Returns the id of the device to open: the choice of the host, or its replacement. Undefined without a choice. */
  wish(kind: MediaDeviceKind): string | undefined {
    const chosen = this.#chosen.get(kind);
    return chosen === undefined ? undefined : (this.current(kind)?.deviceId ?? chosen);
  }

  /**
   * Chooses a device for the live calls and for later ones. The last of several choices counts.
   *
   * @returns a promise that resolves when every live call uses the device. It rejects with `ERR_CHANGING_AUDIO_DEVICE`,
   *   or `ERR_CAMERA_SWITCH` for a camera, when a call cannot use it. The former choice is restored then.
   * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for `device` when it is not a device of
   *   this kind (§5).
   */
  select(kind: MediaDeviceKind, device: MediaDeviceInfo): Promise<void> {
    const given = requireObject(device, 'device') as Partial<MediaDeviceInfo>;
    if (given.kind !== kind) throw invalidValue('device');
    // A browser that hides its devices gives them no id. Choosing such a device leaves the choice to the browser.
    const id = optionalText(given.deviceId, 'device.deviceId');
    const former = this.#chosen.get(kind);
    this.#choose(kind, id);
    const done = this.#use(kind).catch((cause: unknown) => {
      if (this.#chosen.get(kind) === id) this.#choose(kind, former);
      throw new CallError(kind === 'videoinput' ? ErrorCode.ERR_CAMERA_SWITCH : ErrorCode.ERR_CHANGING_AUDIO_DEVICE, {
        cause,
      });
    });
    // A host may leave the promise unhandled.
    done.catch(() => undefined);
    return done;
  }

  /** Reads the list of devices, and replaces those that are gone. Never rejects. */
  async refresh(): Promise<void> {
    // Devices that are opened together cause one reading.
    this.#next ??= this.#looking.then(() => {
      this.#next = null;
      return this.#look();
    });
    const looked = this.#next;
    this.#looking = looked;
    const { log } = this.#options;
    const used = (await looked).map((kind) =>
      this.#use(kind).catch((error: unknown) => log.warning(`no other ${kind} could be opened`, { error })),
    );
    await Promise.all(used);
  }

  /**
   * Handles that a device was opened. Its kind is allowed now, so the names are available. Nothing is new when it was
   * the current device, with a name.
   */
  opened(kind: MediaDeviceKind, deviceId: string | undefined): void {
    const former = this.current(kind);
    if (deviceId) this.#inUse.set(kind, deviceId);
    if (former?.label && former.deviceId === deviceId) return;
    this.#tell();
    void this.refresh();
  }

  /** Drops the host's choice of a camera after a call has switched to another one. */
  switched(deviceId: string | undefined): void {
    this.#chosen.delete('videoinput');
    if (deviceId) this.#inUse.set('videoinput', deviceId);
    this.#tell();
  }

  /** Notifies `user` of the devices to use. Returns the function that ends this. */
  join(user: DeviceUser): () => void {
    this.#users.add(user);
    return () => this.#users.delete(user);
  }

  #choose(kind: MediaDeviceKind, id: string | undefined): void {
    this.#inUse.delete(kind);
    if (id === undefined) this.#chosen.delete(kind);
    else this.#chosen.set(kind, id);
    this.#tell();
  }

  /** Returns the kinds whose current device has changed. */
  async #look(): Promise<MediaDeviceKind[]> {
    const { devices, log } = this.#options;
    const former = new Map(KINDS.map((kind) => [kind, this.current(kind)?.deviceId]));
    try {
      const found = (await devices.enumerate()).map((info) => new MediaDevice(info));
      for (const kind of KINDS) {
        this.#available[kind] = found.filter((device) => device.kind === kind);
        const current = this.current(kind);
        if (current) this.#inUse.set(kind, current.deviceId);
      }
    } catch (error) {
      log.warning('the devices could not be listed', { error });
    }
    this.#tell();
    return KINDS.filter((kind) => this.current(kind)?.deviceId !== former.get(kind));
  }

  async #use(kind: MediaDeviceKind): Promise<void> {
    await Promise.all([...this.#users].map((user) => user.use(kind)));
  }

  async #back(): Promise<void> {
    await this.refresh();
    const { log } = this.#options;
    for (const user of [...this.#users]) {
      user.renew().catch((error: unknown) => log.warning('a device could not be opened again', { error }));
    }
  }

  #tell(): void {
    for (const kind of KINDS) {
      const current = this.current(kind);
      const available = this.available(kind);
      const text = JSON.stringify([current, available]);
      if (text === (this.#told.get(kind) ?? '[null,[]]')) continue;
      this.#told.set(kind, text);
      this.#options.changed(kind, current, available);
    }
  }
}
