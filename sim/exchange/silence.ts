import { isBack, liveLegs, type Call, type Leg } from './call.ts';
import { tellOf } from './call-event.ts';
import type { Core } from './core.ts';
import { endCall } from './end-call.ts';
import { OWN_ENDINGS } from './outcomes.ts';

/**
 * Listens for the leg: one that is silent too long is gone, and the call with it (D13). Only the two sides of a call are
 * listened for; a device that just rings may sleep, and hears how it ended when it wakes.
 */
export function watch(core: Core, call: Call, leg: Leg): void {
  const silentFor = core.clock.monotonic() - leg.lastHeardAt;
  leg.watch = core.clock.setTimeout(() => {
    leg.watch = null;
    if (leg.outcome !== null) return;
    if (core.clock.monotonic() - leg.lastHeardAt < core.settings.aliveSilenceMs) watch(core, call, leg);
    else gone(core, call, leg);
  }, core.settings.aliveSilenceMs - silentFor);
}

function gone(core: Core, call: Call, leg: Leg): void {
  core.log.warn('a leg fell silent', { call: call.id, side: leg.side });
  const ending = call.state.name === 'ringing' ? OWN_ENDINGS.callerGone : OWN_ENDINGS.legGone;
  // Where a side did not come back after a restart, the former exchange was the last to see the call.
  const lost = liveLegs(call).find((one) => one.lost !== null)?.lost;
  endCall(core, call, ending, null, lost ?? undefined);
}

/** The leg was heard. */
export function heard(core: Core, call: Call, leg: Leg): void {
  leg.lastHeardAt = core.clock.monotonic();
  if (leg.lost === null) return;
  leg.lost = null;
  core.live?.changed(call);
  if (call.state.name === 'connected' && isBack(call)) tellOf(core, call, { kind: 'returned' });
}
