import { acceptedLeg, isHeld, type Call } from './call.ts';
import { emitCallEvent } from './call-event.ts';
import type { Core } from '../core.ts';
import { momentOf } from './live-call.ts';

/** The parts that record and presume media. */
type Needs = Pick<Core, 'clock' | 'events' | 'live' | 'log' | 'settings'>;

/**
 * When media begins as the exchange observes it. Media flows between the devices, so a side that never sends
 * `connected` may still have it.
 */

/** Returns whether media is possible: an offer and an answer have been relayed. */
export const canHaveMedia = (call: Call): boolean =>
  call.caller.hasDescribed && acceptedLeg(call)?.hasDescribed === true;

/** Records once that media has begun, and emits it to the host. */
export function mediaBegins(core: Needs, call: Call): void {
  if (call.begunAt !== null || call.state.name === 'ringing' || call.state.name === 'ended') return;
  stopPresuming(call);
  call.begunAt = momentOf(core.clock);
  core.live?.changed(call);
  emitCallEvent(core, call, { kind: 'begun' });
  if (isHeld(call)) emitCallEvent(core, call, { kind: 'held' });
}

/**
 * Presumes after a time from the accept that media has begun. A client that follows the protocol has given up by then.
 *
 * @param least - the shortest time that both sides get, milliseconds.
 */
export function presumeMedia(core: Needs, call: Call, least = 0): void {
  if (call.state.name !== 'accepted' || call.begunAt !== null || call.presumption !== null) return;
  if (!canHaveMedia(call)) return;
  const passed = core.clock.now() - call.state.since.clock;
  call.presumption = core.clock.after(Math.max(least, core.settings.presumedMediaMs - passed), () => {
    call.presumption = null;
    core.log.warn('media is presumed: neither side reported a connection', { call: call.id });
    mediaBegins(core, call);
  });
}

/** Stops the presumption of media: it has begun, or the call is over. */
export function stopPresuming(call: Call): void {
  call.presumption?.cancel();
  call.presumption = null;
}
