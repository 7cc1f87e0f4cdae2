import type { MissingDevices } from '../calling/call-state.ts';
import type { DevicePermissions } from '../../core/ports/device-permissions.ts';

/**
 * What stands behind a device that is denied, by where it is allowed again: `dismissed`, the browser asks again; `page`, in what
 * the browser keeps for this site; `system`, in the settings of the machine, which keeps the browser from it.
 */
export type Denial = 'dismissed' | 'page' | 'system';

/** Null where nothing is denied. */
export async function denialOf(
  missing: MissingDevices,
  permissions: Pick<DevicePermissions, 'of'>,
): Promise<Denial | null> {
  const denied = (['microphone', 'camera'] as const).filter((device) => missing[device] === 'denied');
  if (denied.length === 0) return null;
  const found = await Promise.all(denied.map((device) => permissions.of(device)));
  if (found.some((permission) => permission === 'denied' || permission === 'unknown')) return 'page';
  return found.includes('prompt') ? 'dismissed' : 'system';
}
