import { legsOf } from '../calls/call.ts';
import type { Core } from '../core.ts';

/** Revokes the sessions that a user's devices had at the former exchange, also for the next start. */
export function revokeBridges(core: Core, userId: string): void {
  core.bridges.revoke(userId);
  for (const call of core.calls.liveWith(userId)) {
    for (const leg of legsOf(call)) if (leg.device.userId === userId) leg.session = null;
    if (legsOf(call).some(({ device }) => device.userId === userId)) core.live?.changed(call);
  }
}
