/**
 * A microphone, camera or speaker, as hosts get it (§3, media device). It is assignable to the types of the browser,
 * and a host may freeze it.
 */
export class MediaDevice implements InputDeviceInfo {
  /** The id. Empty until the user has allowed devices of this kind, in browsers that hide it. */
  readonly deviceId: string;
  /** The name. Empty until the user has allowed devices of this kind. */
  readonly label: string;
  /** The id of the hardware that several devices share. */
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

  /** Returns what the device can do. Empty for a speaker, and in a browser that does not report it. */
  getCapabilities(): MediaTrackCapabilities {
    return this.#info.getCapabilities?.() ?? {};
  }

  toJSON(): Pick<MediaDeviceInfo, 'deviceId' | 'label' | 'groupId' | 'kind'> {
    const { deviceId, label, groupId, kind } = this;
    return { deviceId, label, groupId, kind };
  }
}
