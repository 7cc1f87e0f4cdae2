import { CLOSE_SESSION_OVER } from '../../../src/protocol/close-codes.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from './sessions.ts';

/** Ends the login of a device: its socket, and its part in everything. */
export function dropDevice(core: Pick<Core, 'participations' | 'router' | 'waiting'>, device: DeviceId): void {
  endParts(core, device);
  core.router.close(device, CLOSE_SESSION_OVER, 'the session is over');
}

/** Ends the part of a device in everything, also in what its waiting commands would begin. */
export function endParts(
  { participations, waiting }: Pick<Core, 'participations' | 'waiting'>,
  device: DeviceId,
): void {
  waiting.loginEnded(device);
  for (const one of participations) one.dropDevice(device);
}

/** Revokes the sessions that a user's devices had at the former exchange, also for the next start. */
export function revokeBridges(
  { participations, bridges }: Pick<Core, 'bridges' | 'participations'>,
  userId: string,
): void {
  bridges.revoke(userId);
  for (const one of participations) one.revokeFormerLogins(userId);
}
