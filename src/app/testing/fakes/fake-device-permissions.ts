import type { DevicePermission, DevicePermissions } from '../../core/ports/device-permissions.ts';

/** The device permissions of a browser, which the test sets. */
export class FakeDevicePermissions implements DevicePermissions {
  microphone: DevicePermission = 'granted';
  camera: DevicePermission = 'granted';
  readonly #listeners = new Set<() => void>();

  of = (device: 'microphone' | 'camera'): Promise<DevicePermission> => Promise.resolve(this[device]);

  onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Changes a permission as the user does in the browser's settings. */
  change(device: 'microphone' | 'camera', permission: DevicePermission): void {
    this[device] = permission;
    for (const listener of [...this.#listeners]) listener();
  }
}
