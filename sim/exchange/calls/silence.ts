import { isBack, isSide, liveLegs, type Call, type Leg } from './call.ts';
import { emitCallEvent } from './call-event.ts';
import type { Core } from '../core.ts';
import { endUnasked, type EndNeeds } from './end-call.ts';
import { letGoOf } from './let-go.ts';
import { OWN_ENDINGS } from './outcomes.ts';

/** The parts that record a sign of life. */
export type HeardNeeds = Pick<Core, 'clock' | 'events' | 'live'>;

/** The interval of checks of a leg, milliseconds. A stall of the event loop counts as silence for at most this long. */
const LOOK_MS = 10_000;
/** The delay of a check that shows a stall of the event loop, milliseconds. */
const LATE_MS = 1_000;

/**
 * Watches a leg. When it is silent for too long, its side and the call end (D13). Only the two sides of a call are
 * watched. A device that only rings may sleep, and learns the ending when it wakes.
 */
export function watch(core: EndNeeds, call: Call, leg: Leg): void {
  const left = core.settings.aliveSilenceMs - silenceOf(core, leg);
  lookAfter(core, call, leg, Math.min(LOOK_MS, left));
}

function lookAfter(core: EndNeeds, call: Call, leg: Leg, ms: number): void {
  const due = core.clock.now() + ms;
  leg.watch = core.clock.after(ms, () => {
    leg.watch = null;
    if (leg.outcome !== null) return;
    const late = core.clock.now() - due;
    if (late > LATE_MS) {
      // During the stall no leg could be heard. Frames from that time are read after the timers that are due.
      leg.lastHeardAt += late;
      return lookAfter(core, call, leg, LATE_MS);
    }
    if (isHeard(core, leg)) watch(core, call, leg);
    else if (isVouchedFor(core, call, leg)) stay(core, call, leg);
    else gone(core, call, leg);
  });
}

const silenceOf = ({ clock }: Pick<Core, 'clock'>, { lastHeardAt }: Leg): number => clock.now() - lastHeardAt;

/**
 * Returns whether the other side shows that the call goes on. Media flows between the devices, so a node that is cut off
 * from the others does not stop it. The other side would report that the media is lost.
 */
function isVouchedFor(core: EndNeeds, call: Call, leg: Leg): boolean {
  if (call.state.name !== 'connected' || core.cluster?.mayBeUnheard?.(leg.device) !== true) return false;
  return liveLegs(call).some((one) => one !== leg && isSide(call, one) && isHeard(core, one));
}

/** Looks again later. The silent node may have ended the call, or may have it now: this one then forgets it. */
function stay(core: EndNeeds, call: Call, leg: Leg): void {
  lookAfter(core, call, leg, LOOK_MS);
  core.cluster?.ownsCall?.(call.id).then(
    (isOwner) => {
      if (!isOwner) letGoOf(core, call.id);
    },
    // Without an answer of the other nodes the call goes on here.
    () => undefined,
  );
}

const isHeard = (core: EndNeeds, leg: Leg): boolean => silenceOf(core, leg) < core.settings.aliveSilenceMs;

function gone(core: EndNeeds, call: Call, leg: Leg): void {
  core.log.warn('a leg fell silent', { call: call.id, side: leg.side });
  const ending = call.state.name === 'ringing' ? OWN_ENDINGS.callerGone : OWN_ENDINGS.legGone;
  // When a side did not reconnect after a restart, the former exchange saw the call last.
  const lost = liveLegs(call).find((one) => one.lost !== null)?.lost;
  endUnasked(core, call, ending, {
    ...(lost ? { at: lost } : {}),
    isDue: () => {
      if (leg.outcome !== null) return false;
      if (!isHeard(core, leg)) return true;
      watch(core, call, leg);
      return false;
    },
    again: () => lookAfter(core, call, leg, LOOK_MS),
  });
}

/** Records that the leg sent something. */
export function heard(core: HeardNeeds, call: Call, leg: Leg): void {
  leg.lastHeardAt = core.clock.now();
  if (leg.lost === null) return;
  leg.lost = null;
  core.live?.changed(call);
  if (call.begunAt !== null && isBack(call)) emitCallEvent(core, call, { kind: 'returned' });
}
