/**
 * A page that observes the library: its sockets, connections, devices, sounds and output. The built library has no
 * ports to observe, so the objects that it finds in its page are replaced.
 */
import { connectionReceiving, logLine } from '../../../../sim/scenario/actor/observed-device.ts';
import type { ObservableDevice } from '../../../../sim/scenario/actor/observable-device.ts';
import type { MachineName } from '../../../../sim/scenario/trace/machines.ts';
import type { FaultOf } from '../../../../sim/faults/vocabulary.ts';
import type { Untimed } from '../../../../src/trace/events.ts';
import { toneMicrophone } from './tone-microphone.ts';
import type { PageState } from '../../../../src/calls/platform/page.ts';

type DeviceFault = FaultOf<'device'>;

export class ObservedPage implements ObservableDevice {
  readonly #name: string;
  readonly #note: (event: Untimed) => void;
  readonly #connections = new Set<RTCPeerConnection>();
  readonly #tracks = new Set<MediaStreamTrack>();
  readonly #looping = new Map<HTMLMediaElement, string>();
  readonly #failures = new Map<DeviceFault['what'], DeviceFault['error']>();
  #channel: 'closed' | 'open' = 'closed';
  readonly #states = new Map<string, string>();
  readonly #ownElements = new Set<HTMLMediaElement>();
  #page: PageState = 'active';
  #skew = 0;

  /**
   * @param tone - the tone of its microphone, hertz.
   * @param sends - called before anything is sent: with the text of a frame, or the method, path and body of a request.
   */
  constructor(name: string, tone: number, note: (event: Untimed) => void, sends: (text: string) => void) {
    this.#name = name;
    this.#note = note;
    this.#replaceSockets(sends);
    this.#replaceFetch(sends);
    this.#replaceConnections();
    this.#replaceDevices(toneMicrophone(tone));
    this.#replaceAudio();
    this.#replaceSounds();
    this.#readConsole();
    this.#replacePage();
  }

  get channel(): 'closed' | 'open' {
    return this.#channel;
  }

  stateOf(machine: MachineName): string | undefined {
    return this.#states.get(machine);
  }

  get ownElements(): readonly HTMLMediaElement[] {
    return [...this.#ownElements];
  }

  createElement(kind: 'audio' | 'video'): HTMLMediaElement {
    return Object.assign(document.createElement(kind), { autoplay: true });
  }

  connectionReceiving(track: MediaStreamTrack): RTCPeerConnection | undefined {
    return connectionReceiving(this.#connections, track);
  }

  get openPeerConnections(): number {
    return count(this.#connections, ({ connectionState }) => connectionState !== 'closed');
  }

  get liveTracks(): number {
    return count(this.#tracks, ({ readyState }) => readyState === 'live');
  }

  get looping(): string | undefined {
    return [...this.#looping.values()][0];
  }

  get page(): string {
    return this.#page;
  }

  /** Makes opening this device fail with an error of the browser. Without an error, it works again. */
  failDevice(what: DeviceFault['what'], error: DeviceFault['error'] | undefined): void {
    if (error === undefined) this.#failures.delete(what);
    else this.#failures.set(what, error);
  }

  /** Sets the wall clock. */
  skewWall(ms: number): void {
    this.#skew += ms;
  }

  /** Moves the page to another lifecycle state, and dispatches the events of a browser. */
  go(state: PageState): void {
    const former = this.#page;
    this.#page = state;
    const dispatch = (target: EventTarget, event: Event) => target.dispatchEvent(event);
    if (state === 'terminated') return void dispatch(window, new PageTransitionEvent('pagehide', { persisted: false }));
    if (former === 'frozen') dispatch(document, new Event('resume'));
    if (former === 'terminated') dispatch(window, new PageTransitionEvent('pageshow', { persisted: true }));
    dispatch(document, new Event('visibilitychange', { bubbles: true }));
    dispatch(window, new Event(state === 'active' ? 'focus' : 'blur'));
    if (state === 'frozen') dispatch(document, new Event('freeze'));
  }

  /** Restores the network, and dispatches the event of a browser. */
  goOnline(): void {
    window.dispatchEvent(new Event('online'));
  }

  #replaceSockets(sends: (text: string) => void): void {
    const note = (what: 'open' | 'close', code?: number) => {
      this.#channel = what === 'open' ? 'open' : 'closed';
      this.#note({ kind: 'socket', device: this.#name, what, ...(code === undefined ? {} : { code }) });
    };
    globalThis.WebSocket = class extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols);
        // Added before the listeners of the library, which come later.
        this.addEventListener('open', () => note('open'));
        this.addEventListener('close', ({ code }) => note('close', code));
      }

      override send(data: string): void {
        if (this.readyState === this.OPEN) sends(data);
        super.send(data);
      }
    };
  }

  #replaceFetch(sends: (text: string) => void): void {
    const { fetch } = globalThis;
    globalThis.fetch = (input, init = {}) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
      sends(`${init.method ?? 'GET'} ${pathname} ${typeof init.body === 'string' ? init.body : ''}`);
      return fetch(input, init);
    };
  }

  #replaceConnections(): void {
    const connections = this.#connections;
    globalThis.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        connections.add(this);
      }
    };
  }

  #replaceDevices(withTone: ReturnType<typeof toneMicrophone>): void {
    const opened = (stream: MediaStream): MediaStream => {
      for (const track of stream.getTracks()) this.#tracks.add(track);
      return stream;
    };
    const check = (what: DeviceFault['what'], isWanted: unknown) => {
      const error = isWanted ? this.#failures.get(what) : undefined;
      if (error !== undefined) throw new DOMException(`${what}: ${error}`, error);
    };
    const { mediaDevices } = navigator;
    const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
    const getDisplayMedia = mediaDevices.getDisplayMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints = {}) => {
      check('audio', constraints.audio);
      check('video', constraints.video);
      const tracks = (await getUserMedia(constraints)).getTracks();
      return opened(new MediaStream(tracks.map((track) => (track.kind === 'audio' ? withTone(track) : track))));
    };
    mediaDevices.getDisplayMedia = async (constraints) => {
      check('display', true);
      return opened(await getDisplayMedia(constraints));
    };
    // The replacement of a device: a black canvas, and silence.
    const { captureStream } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.captureStream = function (...rate) {
      return opened(captureStream.apply(this, rate));
    };
    globalThis.MediaStreamAudioDestinationNode = class extends MediaStreamAudioDestinationNode {
      constructor(context: AudioContext, options?: AudioNodeOptions) {
        super(context, options);
        opened(this.stream);
      }
    };
  }

  #replaceAudio(): void {
    const elements = this.#ownElements;
    globalThis.Audio = class extends Audio {
      constructor(source?: string) {
        super(source);
        elements.add(this);
      }
    };
  }

  /** The sounds of the library are recordings here. Their addresses end in their names. */
  #replaceSounds(): void {
    const { play, pause } = HTMLMediaElement.prototype;
    const nameOf = ({ src }: HTMLMediaElement) => /^data:audio.*#(\w+)$/.exec(src)?.[1];
    const note = (what: 'play' | 'stop', name: string) => this.#note({ kind: 'sound', device: this.#name, what, name });
    const looping = this.#looping;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      const name = nameOf(this);
      if (name !== undefined) {
        if (this.loop) looping.set(this, name);
        note('play', name);
      }
      return play.call(this);
    };
    HTMLMediaElement.prototype.pause = function (this: HTMLMediaElement) {
      const name = nameOf(this);
      if (name !== undefined) {
        looping.delete(this);
        note('stop', name);
      }
      pause.call(this);
    };
  }

  #readConsole(): void {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      const print = console[level].bind(console);
      console[level] = (...values: unknown[]) => {
        print(...values);
        const event = logLine(this.#name, String(values[0]));
        if (!event) return;
        if (event.kind === 'state') this.#states.set(event.machine, event.to);
        this.#note(event);
      };
    }
  }

  #replacePage(): void {
    const now = Date.now.bind(Date);
    Date.now = () => now() + this.#skew;
    Object.defineProperty(document, 'visibilityState', {
      get: () => (this.#page === 'hidden' || this.#page === 'frozen' ? 'hidden' : 'visible'),
    });
    document.hasFocus = () => this.#page === 'active';
  }
}

const count = <T>(all: Iterable<T>, holds: (one: T) => boolean): number => [...all].filter(holds).length;
