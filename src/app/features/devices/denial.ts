import type { MissingDevices } from '../calling/call-state.ts';
import type { DevicePermissions } from '../../core/ports/device-permissions.ts';

/**
 * The place where a denied device can be permitted again. `dismissed`: the browser asks again. `page`: the settings of
 * the browser for this site. `system`: the settings of the operating system, which blocks the browser.
 */
export type Denial = 'dismissed' | 'page' | 'system';

/** Returns where the denied devices can be permitted again. Returns null when none is denied. */
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
