/**
 * Makes up for state changes wrtc does not announce.
 *
 * Its events are dispatched a little after the change, and at times with the state still the old one; no other event
 * follows then. A call whose path had healed stayed `reconnecting` until it was given up (one call in ten). So the states
 * are looked at from time to time, and a change nobody was told of is announced.
 */

/** Far below every time-out that follows from a state, and nothing to a processor. */
const LOOK_MS = 250;

type StatefulConnection = Pick<
  RTCPeerConnection,
  'connectionState' | 'iceConnectionState' | 'addEventListener' | 'dispatchEvent'
>;

/** Watches `pc` until it is closed. Call it before anybody else listens. */
export function announceMissedStates(pc: StatefulConnection): void {
  const read = () => `${pc.connectionState} ${pc.iceConnectionState}`;
  let told = read();
  const tell = () => {
    told = read();
  };
  pc.addEventListener('connectionstatechange', tell);
  pc.addEventListener('iceconnectionstatechange', tell);
  const timer = setInterval(() => {
    if (pc.connectionState === 'closed') clearInterval(timer);
    else if (read() !== told) {
      tell();
      pc.dispatchEvent(new Event('connectionstatechange'));
    }
  }, LOOK_MS);
  timer.unref();
}
