import type { LogLevel } from '../../../src/protocol/enumerations.ts';
import type { Core } from '../core.ts';
import { notify, type Delivery } from '../delivery/deliver.ts';
import type { DeviceId } from '../directory/sessions.ts';

type Needs = Delivery & Pick<Core, 'devices' | 'uploadLevels'>;

/**
 * Sets the lowest level of log lines that a user's clients upload. Connected devices get it now, others when they
 * connect.
 */
export function setUploadLevel(core: Needs, userId: string, level: LogLevel): void {
  core.uploadLevels.set(userId, level);
  for (const clientId of core.devices.clientsOf(userId)) sendUploadLevel(core, { userId, clientId });
}

/** Sends a device its level if one was set. The default is NONE (§3). */
export function sendUploadLevel(core: Needs, device: DeviceId): void {
  const level = core.uploadLevels.get(device.userId);
  if (level) notify(core, device, { cmd: 'UTIL', type: 'log_level', payload: { level } });
}
