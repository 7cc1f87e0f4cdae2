import type { DeviceKind } from '../calling/device-choice.ts';
import { m } from '../../core/i18n/generated/messages.js';

const names: Readonly<Record<DeviceKind, () => string>> = {
  microphone: m.control_microphone,
  speaker: m.device_speaker,
  camera: m.control_camera,
};

/** What a kind of device is called. */
export const deviceName = (kind: DeviceKind): string => names[kind]();

/** One without a name, by its place in the list: before the user has allowed its kind, a browser tells none. */
export const deviceOptionName = (kind: DeviceKind, place: number): string =>
  m.device_nameless({ name: deviceName(kind), number: place + 1 });
