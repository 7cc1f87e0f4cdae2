import type { LogLevel } from '../../../src/protocol/enumerations.ts';
import type { Core } from '../core.ts';
import { tell } from '../delivery/deliver.ts';
import type { DeviceId } from '../directory/sessions.ts';

/** Sets from which level on a user's clients upload their log: those on the channel are told now, the others as they come. */
export function setUploadLevel(core: Core, userId: string, level: LogLevel): void {
  core.uploadLevels.set(userId, level);
  for (const clientId of core.devices.clientsOf(userId)) tellUploadLevel(core, { userId, clientId });
}

/** Tells a device its level, where one was set; it begins with NONE (§3). */
export function tellUploadLevel(core: Core, device: DeviceId): void {
  const level = core.uploadLevels.get(device.userId);
  if (level) tell(core, device, { cmd: 'UTIL', type: 'log_level', payload: { level } });
}
