/**
 * A microphone, camera or speaker, as hosts get it (§3, media device). It is assignable to the types of the browser, and
 * a host may freeze it.
 */
export class MediaDevice implements InputDeviceInfo {
  /** Empty until the user has allowed devices of this kind, in browsers that hide it. */
  readonly deviceId: string;
  /** Empty until the user has allowed devices of this kind. */
  readonly label: string;
  /** Devices of one piece of hardware share it. */
  readonly groupId: string;
  readonly kind: MediaDeviceKind;
  readonly #info: MediaDeviceInfo & Partial<Pick<InputDeviceInfo, 'getCapabilities'>>;

  constructor(info: MediaDeviceInfo) {
    this.deviceId = info.deviceId;
    this.label = info.label;
    this.groupId = info.groupId;
    this.kind = info.kind;
    this.#info = info;
  }

  /** What the device can do; empty for a speaker, and where the browser does not say. */
  getCapabilities(): MediaTrackCapabilities {
    return this.#info.getCapabilities?.() ?? {};
  }

  toJSON(): Pick<MediaDeviceInfo, 'deviceId' | 'label' | 'groupId' | 'kind'> {
    const { deviceId, label, groupId, kind } = this;
    return { deviceId, label, groupId, kind };
  }
}
