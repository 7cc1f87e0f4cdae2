import { isBack, liveLegs, type Call, type Leg } from './call.ts';
import { emitCallEvent } from './call-event.ts';
import type { Core } from '../core.ts';
import { endCall } from './end-call.ts';
import { OWN_ENDINGS } from './outcomes.ts';

/** How often a leg is looked at: by at most so much a stall of the event loop counts as silence. Milliseconds. */
const LOOK_MS = 10_000;
/** A look that comes later than this was held up by a stall of the event loop. Milliseconds. */
const LATE_MS = 1_000;

/**
 * Listens for the leg: one that is silent too long is gone, and the call with it (D13). Only the two sides of a call are
 * listened for; a device that just rings may sleep, and hears how it ended when it wakes.
 */
export function watch(core: Core, call: Call, leg: Leg): void {
  const left = core.settings.aliveSilenceMs - silenceOf(core, leg);
  lookAfter(core, call, leg, Math.min(LOOK_MS, left));
}

function lookAfter(core: Core, call: Call, leg: Leg, ms: number): void {
  const due = core.clock.monotonic() + ms;
  leg.watch = core.clock.setTimeout(() => {
    leg.watch = null;
    if (leg.outcome !== null) return;
    const late = core.clock.monotonic() - due;
    if (late > LATE_MS) {
      // While the loop stood still no leg could be heard. What came meanwhile is read after the timers that are due.
      leg.lastHeardAt += late;
      return lookAfter(core, call, leg, LATE_MS);
    }
    if (silenceOf(core, leg) < core.settings.aliveSilenceMs) watch(core, call, leg);
    else gone(core, call, leg);
  }, ms);
}

const silenceOf = ({ clock }: Core, { lastHeardAt }: Leg): number => clock.monotonic() - lastHeardAt;

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
  if (call.begunAt !== null && isBack(call)) emitCallEvent(core, call, { kind: 'returned' });
}
