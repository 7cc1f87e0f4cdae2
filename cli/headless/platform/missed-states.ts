/**
 * Announces state changes that wrtc does not announce.
 *
 * wrtc dispatches its events a little after the change, and sometimes with the old state. No other event follows then.
 * One call in ten stayed `reconnecting` after its path had healed, until the library gave up. This watcher polls the
 * states, and dispatches an event for each missed change.
 */
import type { Clock } from '../../../src/common/clock.ts';

/** Far below every time-out that follows from a state, and cheap for the processor. */
const LOOK_MS = 250;

type StatefulConnection = Pick<
  RTCPeerConnection,
  'connectionState' | 'iceConnectionState' | 'addEventListener' | 'dispatchEvent'
>;

/** Watches `pc` until it is closed. Call it before any other listener is added. */
export function announceMissedStates(pc: StatefulConnection, clock: Pick<Clock, 'every'>): void {
  const read = () => `${pc.connectionState} ${pc.iceConnectionState}`;
  let dispatched = read();
  const dispatch = () => {
    dispatched = read();
  };
  pc.addEventListener('connectionstatechange', dispatch);
  pc.addEventListener('iceconnectionstatechange', dispatch);
  const timer = clock.every(LOOK_MS, () => {
    if (pc.connectionState === 'closed') timer.cancel();
    else if (read() !== dispatched) {
      dispatch();
      pc.dispatchEvent(new Event('connectionstatechange'));
    }
  });
}
