/** What the library needs of a browser to sign in and to be called. It has no media: the rules under test need none. */
import { WebSocket } from 'ws';

class NoConnection extends EventTarget {}
const events = new EventTarget();

Object.assign(globalThis, {
  window: globalThis,
  addEventListener: events.addEventListener.bind(events),
  removeEventListener: events.removeEventListener.bind(events),
  dispatchEvent: events.dispatchEvent.bind(events),
  document: Object.assign(new EventTarget(), { visibilityState: 'visible', hasFocus: () => true }),
  location: { protocol: 'http:', hostname: 'localhost' },
  RTCPeerConnection: NoConnection,
  WebSocket,
});
