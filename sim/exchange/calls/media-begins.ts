import { acceptedLeg, isHeld, type Call } from './call.ts';
import { emitCallEvent } from './call-event.ts';
import type { Core } from '../core.ts';
import { momentOf } from '../moment.ts';

/**
 * When media begins, by what the exchange observes. Media goes from device to device, so a side that never says `connected`
 * may have it all the same.
 */

/** Whether there can be media: an offer and an answer have been passed on. */
export const canHaveMedia = (call: Call): boolean =>
  call.caller.hasDescribed && acceptedLeg(call)?.hasDescribed === true;

/** Notes that media has begun, once, and tells the host. */
export function mediaBegins(core: Core, call: Call): void {
  if (call.begunAt !== null || call.state.name === 'ringing' || call.state.name === 'ended') return;
  stopPresuming(core, call);
  call.begunAt = momentOf(core.clock);
  core.live?.changed(call);
  emitCallEvent(core, call, { kind: 'begun' });
  if (isHeld(call)) emitCallEvent(core, call, { kind: 'held' });
}

/**
 * Takes it for granted that media has begun, some time after the accept: an honest client has given up by then.
 *
 * @param least - milliseconds that both sides have at least.
 */
export function presumeMedia(core: Core, call: Call, least = 0): void {
  if (call.state.name !== 'accepted' || call.begunAt !== null || call.presumption !== null) return;
  if (!canHaveMedia(call)) return;
  const passed = core.clock.monotonic() - call.state.since.clock;
  call.presumption = core.clock.setTimeout(
    () => {
      call.presumption = null;
      core.log.warn('a call that neither side says is connected is taken to have media', { call: call.id });
      mediaBegins(core, call);
    },
    Math.max(least, core.settings.presumedMediaMs - passed),
  );
}

/** Stops waiting for media: it has begun, or the call is over. */
export function stopPresuming({ clock }: Pick<Core, 'clock'>, call: Call): void {
  if (call.presumption) clock.clearTimeout(call.presumption);
  call.presumption = null;
}
