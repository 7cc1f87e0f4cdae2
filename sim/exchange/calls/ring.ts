import type { Call, Leg } from './call.ts';
import type { Core } from '../core.ts';
import { resend, signal, type Delivery } from '../delivery/deliver.ts';
import { incomingDial, type DialSecrets } from './incoming-dial.ts';
import type { Side } from './outcomes.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { SignalLog } from '../delivery/signal-log.ts';

type Needs = Delivery & DialSecrets & Pick<Core, 'clock' | 'live' | 'settings'>;

export function newLeg(
  core: Pick<Core, 'clock' | 'settings'>,
  side: Side,
  device: DeviceId,
  { media, capabilities }: Pick<Leg, 'media' | 'capabilities'>,
): Leg {
  return {
    side,
    device,
    signals: new SignalLog(core.settings),
    storedSignal: 0,
    // A copy has no room to grow, which the array of a parser has.
    capabilities: capabilities.slice(),
    media,
    recording: 'none',
    onHold: false,
    connectedAt: null,
    outcome: null,
    lastHeardAt: core.clock.now(),
    lost: null,
    request: null,
    session: null,
    watch: null,
    candidates: 0,
    lastDescription: null,
    hasDescribed: false,
    summary: null,
  };
}

/** Rings a device of the callee. A device that rings already gets the dial again under the same number. */
export function ring(core: Needs, call: Call, device: DeviceId): void {
  const existing = call.calleeLegs.get(device.clientId);
  if (existing) {
    const dial = existing.signals.frames.find(({ type }) => type === 'dial');
    if (dial && existing.outcome === null) resend(core, existing, dial);
    return;
  }
  core.live?.changed(call);
  // The media and capabilities of the device are known at its accept.
  const leg = newLeg(core, 'callee', device, { media: { audio: false, video: false }, capabilities: [] });
  call.calleeLegs.set(device.clientId, leg);
  signal(core, leg, {
    cmd: 'CALL',
    type: 'dial',
    payload: incomingDial(core, call, device.clientId),
  });
}
