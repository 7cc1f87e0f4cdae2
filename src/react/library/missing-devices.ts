import type { DeviceFault, LibraryMissingDevice, MissingDevices } from './library-values.ts';

/** The fault of a device for each error of the browser (W3C Media Capture and Streams §10.2). */
const FAULTS: Readonly<Record<string, DeviceFault>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'absent',
  OverconstrainedError: 'absent',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** Converts the unavailable devices of the library to their reasons. */
export function missingDevices(missing: readonly LibraryMissingDevice[]): MissingDevices {
  const faults = missing.map(({ kind, reason }) => [
    kind === 'audio' ? 'microphone' : 'camera',
    FAULTS[reason] ?? 'broken',
  ]);
  return Object.fromEntries(faults);
}
