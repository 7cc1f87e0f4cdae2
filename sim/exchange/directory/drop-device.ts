import { CLOSE_SESSION_OVER } from '../../../src/protocol/close-codes.ts';
import { isSide } from '../calls/call.ts';
import type { Core } from '../core.ts';
import { endCall } from '../calls/end-call.ts';
import { OWN_ENDINGS } from '../calls/outcomes.ts';
import type { DeviceId } from './sessions.ts';

/**
 * Ends the session of a device: its socket, and the calls it is a side of. A call that only rings there rings on
 * elsewhere.
 */
export function dropDevice(core: Core, device: DeviceId): void {
  for (const { call, leg } of core.calls.liveOf(device)) {
    if (isSide(call, leg)) endCall(core, call, OWN_ENDINGS.stopped, null);
  }
  const link = core.devices.link(device);
  core.outbox.send(() => link?.close(CLOSE_SESSION_OVER, 'the session is over'));
}
