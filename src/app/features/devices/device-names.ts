import type { DeviceKind } from '../../../react/index.ts';
import { m } from '../../core/i18n/generated/messages.js';

const names: Readonly<Record<DeviceKind, () => string>> = {
  microphone: m.control_microphone,
  speaker: m.device_speaker,
  camera: m.control_camera,
};

/** Returns the name of a kind of device. */
export const deviceName = (kind: DeviceKind): string => names[kind]();

/**
 * Returns a name by the place in the list. A browser gives no names before the user has permitted the kind of device.
 */
export const deviceOptionName = (kind: DeviceKind, place: number): string =>
  m.device_nameless({ name: deviceName(kind), number: place + 1 });
