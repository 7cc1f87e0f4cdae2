import type { Core } from '../core.ts';
import { legsOf, liveLegs, type Call } from './call.ts';
import { stopPresuming } from './media-begins.ts';

/** Another exchange has started, or has taken the call over (RFC 6455 and its registry: the service restarts). */
const CLOSE_MOVED = 1012;

/** Stops the timers of a live call, and disposes of its path. Sends nothing. */
export function stopCall(call: Call): void {
  if (call.state.name === 'ringing' || call.state.name === 'accepted') call.state.limit.cancel();
  stopPresuming(call);
  call.relayRenewal?.cancel();
  for (const leg of liveLegs(call)) leg.watch?.cancel();
  call.path?.dispose();
}

/**
 * Forgets a live call that another exchange owns now, without a record and without a signal. Its devices here connect
 * anew, and get the state of the call from its owner.
 */
export function letGoOf(
  core: Pick<Core, 'calls' | 'channels' | 'events' | 'live' | 'log' | 'router'>,
  callId: string,
): void {
  const call = core.calls.get(callId);
  if (!call || call.state.name === 'ended') return;
  stopCall(call);
  core.live?.ended(call, null);
  core.calls.forget(call);
  core.log.warn('another exchange has taken over a call of this one', { call: callId });
  core.events.emit({ kind: 'let_go', callId });
  for (const { device } of liveLegs(call)) {
    if (core.channels.has(device)) core.router.close(device, CLOSE_MOVED, 'the call has moved');
  }
  for (const userId of new Set(legsOf(call).map(({ device }) => device.userId))) {
    core.events.emit({ kind: 'presence', userId });
  }
}
