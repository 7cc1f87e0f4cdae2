import { optionalText, requireObject } from '../client/checks.ts';
import { CallError, ErrorCode, invalidValue } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';
import type { DevicesPort } from '../platform/devices.ts';
import type { PagePort } from '../platform/page.ts';
import { MediaDevice } from './media-device.ts';

export interface MediaDevicesOptions {
  readonly devices: Pick<DevicesPort, 'enumerate' | 'onChange'>;
  readonly page: Pick<PagePort, 'onChange'>;
  readonly log: Pick<Logger, 'warning'>;
  /** The devices of a kind, their names or the current one are not what they were. */
  readonly changed: (kind: MediaDeviceKind, current: MediaDevice | null, available: MediaDevice[]) => void;
}

/** Something that has devices open: a call, or media a host looks at. */
export interface DeviceUser {
  /** The current device of this kind is another one. Rejects when it cannot be had. */
  use(kind: MediaDeviceKind): Promise<void>;
  /** The page is back: what ended while it was away is to be opened again. */
  renew(): Promise<void>;
}

const KINDS: readonly MediaDeviceKind[] = ['audioinput', 'audiooutput', 'videoinput'];

/**
 * Which devices there are, and which of them are used: by calls that live, and by those to come. A device the host chose
 * is used whenever it is there. While it is not, the first available one is (§5), until it is back.
 */
export class MediaDevices {
  readonly #options: MediaDevicesOptions;
  readonly #available: Record<MediaDeviceKind, readonly MediaDevice[]> = {
    audioinput: [],
    audiooutput: [],
    videoinput: [],
  };
  /** Ids the host chose. */
  readonly #chosen = new Map<MediaDeviceKind, string>();
  /** Ids in use where the host's choice is not to be had: another device that comes does not displace them. */
  readonly #inUse = new Map<MediaDeviceKind, string>();
  readonly #users = new Set<DeviceUser>();
  /** What was told last of each kind, as text. */
  readonly #told = new Map<MediaDeviceKind, string>();
  #watching = false;
  #away = false;
  #looking: Promise<unknown> = Promise.resolve();

  constructor(options: MediaDevicesOptions) {
    this.#options = options;
  }

  /** Keeps the lists up to date from now on, for as long as the page lives. Asked again it does nothing. */
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

  /** Devices of a kind; a list of the caller's own. */
  available(kind: MediaDeviceKind): MediaDevice[] {
    return [...this.#available[kind]];
  }

  /** The device in use, or to be used; null only where there is none of its kind. */
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
   * Chooses a device for the calls that live and for those to come. Of several choices the last one holds.
   *
   * @returns settles when every live call uses it. Rejects with 1800402, for a camera 1800401, when one cannot: the
   *   choice is the former one again.
   * @throws CallError 1800300 or 1800301 naming `device`: it is none, or one of another kind (§5).
   */
  select(kind: MediaDeviceKind, device: MediaDeviceInfo): Promise<void> {
    const given = requireObject(device, 'device') as Partial<MediaDeviceInfo>;
    if (given.kind !== kind) throw invalidValue('device');
    // A browser that hides its devices gives them no id: choosing such a one leaves the choice to the browser.
    const id = optionalText(given.deviceId, 'device.deviceId');
    const former = this.#chosen.get(kind);
    this.#choose(kind, id);
    const done = this.#use(kind).catch((cause: unknown) => {
      if (this.#chosen.get(kind) === id) this.#choose(kind, former);
      throw new CallError(kind === 'videoinput' ? ErrorCode.ERR_CAMERA_SWITCH : ErrorCode.ERR_CHANGING_AUDIO_DEVICE, {
        cause,
      });
    });
    // A host may leave it alone.
    done.catch(() => undefined);
    return done;
  }

  /** Looks which devices there are, and gives users others for those that are gone. Never rejects. */
  async refresh(): Promise<void> {
    const looked = this.#looking.then(() => this.#look());
    this.#looking = looked;
    const { log } = this.#options;
    const used = (await looked).map((kind) =>
      this.#use(kind).catch((error: unknown) => log.warning(`no other ${kind} could be opened`, { error })),
    );
    await Promise.all(used);
  }

  /** A device was opened. Its kind is allowed now, so the names are to be had. */
  opened(kind: MediaDeviceKind, deviceId: string | undefined): void {
    if (deviceId) this.#inUse.set(kind, deviceId);
    this.#tell();
    void this.refresh();
  }

  /** A call went over to another camera than the one the host chose, which holds no longer. */
  switched(deviceId: string | undefined): void {
    this.#chosen.delete('videoinput');
    if (deviceId) this.#inUse.set('videoinput', deviceId);
    this.#tell();
  }

  /** Tells `user` which devices to use, until the undo that is returned. */
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

  /** Gives the kinds whose current device has become another. */
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
