import type { DeviceFault, MissingDevices } from '../../../../../react/index.ts';
import { m } from '../../../../core/i18n/generated/messages.js';

/** Returns one line about the unavailable devices and the remedy. Returns null without one. */
export function missingText({ microphone, camera }: MissingDevices): string | null {
  if (microphone !== undefined && camera !== undefined) return both[microphone === camera ? microphone : 'broken']();
  if (microphone !== undefined) return noMicrophone[microphone]();
  if (camera !== undefined) return noCamera[camera]();
  return null;
}

const both: Record<DeviceFault, () => string> = {
  denied: m.missing_both_denied,
  absent: m.missing_both_absent,
  busy: m.missing_both_busy,
  broken: m.missing_both_broken,
};

const noMicrophone: Record<DeviceFault, () => string> = {
  denied: m.missing_microphone_denied,
  absent: m.missing_microphone_absent,
  busy: m.missing_microphone_busy,
  broken: m.missing_microphone_broken,
};

const noCamera: Record<DeviceFault, () => string> = {
  denied: m.missing_camera_denied,
  absent: m.missing_camera_absent,
  busy: m.missing_camera_busy,
  broken: m.missing_camera_broken,
};
