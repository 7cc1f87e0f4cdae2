/** What the library needs of a browser to sign in and to be called. It has no media: the rules under test need none. */
import { WebSocket } from 'ws';

class NoConnection extends EventTarget {}

/** A refused socket of `ws` throws when nothing listens to its error. One of a browser does not. */
class QuietSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols);
    this.on('error', () => undefined);
  }
}

const events = new EventTarget();

Object.assign(globalThis, {
  window: globalThis,
  addEventListener: events.addEventListener.bind(events),
  removeEventListener: events.removeEventListener.bind(events),
  dispatchEvent: events.dispatchEvent.bind(events),
  document: Object.assign(new EventTarget(), { visibilityState: 'visible', hasFocus: () => true }),
  location: { protocol: 'http:', hostname: 'localhost' },
  RTCPeerConnection: NoConnection,
  WebSocket: QuietSocket,
});
