import type { Core } from '../core.ts';
import type { KeptCall } from '../store.ts';
import { legsOf, liveLegs } from './call.ts';
import { begunCallOf } from './call-event.ts';
import { restoreCall } from './restore-call.ts';

/**
 * Continues a call of a node that has died. The devices of the call that are connected get its state.
 *
 * @returns false when it cannot be read: another version wrote it.
 */
export function adoptCall(core: Core, kept: KeptCall): boolean {
  if (core.calls.get(kept.callId)) return true;
  try {
    restoreCall(core, kept);
  } catch (error) {
    core.log.error('a call that was kept cannot be read', { call: kept.callId, error });
    return false;
  }
  const call = core.calls.get(kept.callId);
  if (!call) return false;
  // The node may have sent signals that the shared state never got. Devices would ignore others with their numbers.
  for (const leg of legsOf(call)) leg.signals.skip();
  const begun = begunCallOf(call);
  if (begun) core.events.emit({ kind: 'adopted', ...begun });
  const users = new Set([call.callerUser.user_id, call.calleeUser.user_id]);
  for (const userId of users) core.events.emit({ kind: 'presence', userId });
  const devices = [...users].flatMap((userId) =>
    core.devices.clientsOf(userId).map((clientId) => ({ userId, clientId })),
  );
  // A device that connected before the adoption is not up to date, and rings again if the call still rings.
  for (const device of devices) for (const one of core.participations) one.welcome(device);
  core.log.info('a call was adopted', { call: call.id, sides: liveLegs(call).length });
  return true;
}
