import { CHANNEL_QUERY, PATHS } from '../../src/protocol/http.ts';
import type { FetchAnswer, FetchPort, FetchRequest } from '../../src/calls/platform/fetch.ts';
import type { Socket, SocketEvents, SocketPort } from '../../src/calls/platform/socket.ts';
import type { VirtualClock } from './clock.ts';

/** Who opens a realtime channel, as the upgrade's query says. */
export interface ChannelIdentity {
  readonly sessionToken: string;
  readonly clientId: string;
  readonly version: string;
}

/** The exchange's way back to a device. */
export interface ExchangeLink {
  send(text: string): void;
  close(code: number): void;
}

/** What the exchange makes of a channel it takes. */
export interface ExchangeConnection {
  receive(text: string): void;
  closed(): void;
}

/** What the exchange makes of one it does not take: the HTTP status of the upgrade. */
export interface ExchangeRefusal {
  readonly status: number;
}

export interface ExchangeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, parsed; undefined where there is none. Text that is not JSON stays text. */
  readonly body: unknown;
}

export interface ExchangeAnswer {
  readonly status: number;
  /** Sent as JSON; a string is sent as it is, undefined as nothing. */
  readonly body?: unknown;
  readonly redirected?: boolean;
}

/** The door of an exchange: what the network needs of it. */
export interface ExchangeDoor {
  connect(who: ChannelIdentity, link: ExchangeLink): ExchangeConnection | ExchangeRefusal;
  http(request: ExchangeRequest): Promise<ExchangeAnswer>;
}

/** One message on its way. `up` is from the device to the exchange. */
export interface Transit {
  readonly device: string;
  readonly direction: 'up' | 'down';
  readonly via: 'socket' | 'http';
  /** The command or event (`dial`, `dial_ack`), or the method and path of a request (`GET /v1/…`), or the status. */
  readonly type: string;
  readonly text: string;
  /** Of an answer to a request: its HTTP status. */
  readonly status?: number;
}

/** What becomes of a message: it is lost, takes longer (by which others overtake it), comes twice, or comes as another. */
export type Fate =
  | 'drop'
  | { readonly delayMs: number }
  | { readonly copies: number }
  | { readonly text: string }
  | undefined;

export type Rule = (message: Transit) => Fate;

export interface TraceLine extends Transit {
  /** When it was sent, milliseconds since the world began. */
  readonly at: number;
  readonly dropped: boolean;
  /** What a rule made of it; undefined where none did. */
  readonly fate: Fate;
}

/**
 * `up` works; `down` cannot be reached; `stalled` neither delivers nor closes, and delivers everything when it is `up`
 * again (a half-open socket); a number answers every upgrade with that HTTP status.
 */
export type SocketMode = 'up' | 'down' | 'stalled' | number;
export type HttpMode = 'up' | 'down' | 'stalled';

/** One way through the network from here to there, in milliseconds. */
const LATENCY_MS = 1;

/** The network of a world: any number of devices and one exchange, all in this process and on one clock. */
export class VirtualNetwork {
  readonly clock: VirtualClock;
  readonly door: ExchangeDoor;
  /** Every message sent, in order. */
  readonly trace: TraceLine[] = [];
  readonly #start: number;
  readonly #rules = new Set<Rule>();

  constructor(clock: VirtualClock, door: ExchangeDoor) {
    this.clock = clock;
    this.door = door;
    this.#start = clock.now();
  }

  /** Connects a device. */
  attach(device: string): NetworkAttachment {
    return new NetworkAttachment(this, device);
  }

  /** Adds a rule; the first that says something about a message decides. Returns the undo. */
  rule(rule: Rule): () => void {
    this.#rules.add(rule);
    return () => this.#rules.delete(rule);
  }

  /** Loses the next `times` messages of a type in a direction. Returns the undo. */
  drop(type: string, direction: Transit['direction'], times = 1): () => void {
    let left = times;
    return this.rule((message) => {
      if (message.type !== type || message.direction !== direction || left === 0) return undefined;
      left -= 1;
      return 'drop';
    });
  }

  /** Carries a message and records it; `lost` is told instead of `arrive` where it never arrives. */
  carry(message: Transit, arrive: (text: string) => void, lost: () => void = () => undefined): void {
    const fate = this.#fateOf(message);
    this.trace.push({ ...message, at: this.clock.now() - this.#start, dropped: fate === 'drop', fate });
    if (fate === 'drop') {
      this.clock.after(LATENCY_MS, lost);
      return;
    }
    const delay = fate && 'delayMs' in fate ? fate.delayMs : 0;
    const text = fate && 'text' in fate ? fate.text : message.text;
    const copies = fate && 'copies' in fate ? fate.copies : 1;
    for (let copy = 0; copy < copies; copy += 1) this.clock.after(LATENCY_MS + delay, () => arrive(text));
  }

  #fateOf(message: Transit): Fate {
    for (const rule of this.#rules) {
      const fate = rule(message);
      if (fate !== undefined) return fate;
    }
    return undefined;
  }
}

/** A device's place in the network: its ports, and what a test does to them. */
export class NetworkAttachment {
  readonly sockets: SocketPort;
  readonly fetch: FetchPort;
  readonly #network: VirtualNetwork;
  readonly #device: string;
  readonly #open = new Set<VirtualSocket>();
  readonly #held: Record<Transit['via'], (() => void)[]> = { socket: [], http: [] };
  #socketMode: SocketMode = 'up';
  #httpMode: HttpMode = 'up';

  constructor(network: VirtualNetwork, device: string) {
    this.#network = network;
    this.#device = device;
    this.sockets = { open: (url, events) => this.#openSocket(url, events) };
    this.fetch = (url, request) => this.#request(url, request);
  }

  /** How many sockets the device has that are not closed. */
  get openSockets(): number {
    return this.#open.size;
  }

  /** Sets how sockets fare from now on; those that are open stay open. */
  setSockets(mode: SocketMode): void {
    this.#socketMode = mode;
    if (mode === 'up') this.#release('socket');
  }

  /** Sets how HTTP requests fare from now on. */
  setHttp(mode: HttpMode): void {
    this.#httpMode = mode;
    if (mode === 'up') this.#release('http');
  }

  /** Resets every open socket: both ends see it closed with 1006. New ones may be opened. */
  dropSockets(): void {
    for (const socket of this.#open) socket.reset();
  }

  /** Cuts the device off: sockets are reset, nothing new gets through. */
  cut(): void {
    this.setSockets('down');
    this.setHttp('down');
    this.dropSockets();
  }

  /** The network is back. */
  restore(): void {
    this.setSockets('up');
    this.setHttp('up');
  }

  /** Runs `deliver` unless the way is stalled; then when it no longer is. */
  #pass(via: Transit['via'], deliver: () => void): void {
    const mode = via === 'socket' ? this.#socketMode : this.#httpMode;
    // What was held goes first: nothing overtakes it on its way out.
    const held = this.#held[via];
    if (mode === 'stalled' || held.length > 0) held.push(deliver);
    else deliver();
  }

  #release(via: Transit['via']): void {
    this.#network.clock.after(LATENCY_MS, () => {
      for (const deliver of this.#held[via].splice(0)) deliver();
    });
  }

  #openSocket(url: string, events: SocketEvents): Socket {
    const socket = new VirtualSocket(this.#network, this.#device, events, {
      pass: (deliver) => this.#pass('socket', deliver),
      gone: () => this.#open.delete(socket),
    });
    this.#open.add(socket);
    this.#network.clock.after(LATENCY_MS, () =>
      this.#pass('socket', () => socket.knock(parseUrl(url), this.#socketMode)),
    );
    return socket;
  }

  #request(url: string, { method, headers, body, signal }: FetchRequest): Promise<FetchAnswer> {
    return new Promise((resolve, reject) => {
      const target = parseUrl(url);
      const failed = () => reject(new TypeError('fetch failed'));
      if (signal.aborted) return reject(abortError());
      signal.addEventListener('abort', () => reject(abortError()));
      if (!target || this.#httpMode === 'down') return void this.#network.clock.after(LATENCY_MS, failed);
      const transit = { device: this.#device, via: 'http' } as const;
      const type = `${method} ${target.pathname}`;
      const answered = ({ status, body: said, redirected = false }: ExchangeAnswer) => {
        const text = said === undefined ? '' : typeof said === 'string' ? said : JSON.stringify(said);
        const down = { ...transit, direction: 'down', type, text, status } as const;
        const deliver = (arrived: string) => resolve({ status, redirected, text: () => Promise.resolve(arrived) });
        this.#pass('http', () => this.#network.carry(down, deliver, failed));
      };
      const arrive = (sent: string) => {
        const request = {
          method,
          path: target.pathname,
          query: Object.fromEntries(target.searchParams),
          // Header names are case-insensitive; an exchange sees them in lower case.
          headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
          body: body === undefined ? undefined : parseBody(sent),
        };
        this.#network.door.http(request).then(answered, failed);
      };
      const up = { ...transit, direction: 'up', type, text: body ?? '' } as const;
      this.#pass('http', () => this.#network.carry(up, arrive, failed));
    });
  }
}

type SocketState = 'connecting' | 'open' | 'closing' | 'closed';

interface Wire {
  readonly pass: (deliver: () => void) => void;
  readonly gone: () => void;
}

/** One websocket, both ends of it. */
class VirtualSocket implements Socket {
  readonly #network: VirtualNetwork;
  readonly #device: string;
  readonly #events: SocketEvents;
  readonly #wire: Wire;
  #state: SocketState = 'connecting';
  #connection: ExchangeConnection | undefined;
  /** Nothing more reaches the exchange. */
  #isGone = false;

  constructor(network: VirtualNetwork, device: string, events: SocketEvents, wire: Wire) {
    this.#network = network;
    this.#device = device;
    this.#events = events;
    this.#wire = wire;
  }

  /** The upgrade reaches the exchange. */
  knock(url: URL | undefined, mode: SocketMode): void {
    if (this.#state !== 'connecting') return;
    if (typeof mode === 'number') return this.#end(1006, mode);
    if (!url || mode !== 'up' || url.pathname !== PATHS.channel) return this.#end(1006);
    // The exchange may speak before connect has returned: after the door is passed, not before.
    const accepted = this.#network.door.connect(identityOf(url), {
      send: (text) => this.#deliver(text),
      close: (code) => this.#network.clock.after(LATENCY_MS, () => this.#wire.pass(() => this.#end(code))),
    });
    if ('status' in accepted) return this.#end(1006, accepted.status);
    this.#connection = accepted;
    this.#network.clock.after(LATENCY_MS, () =>
      this.#wire.pass(() => {
        if (this.#state !== 'connecting') return;
        this.#state = 'open';
        this.#events.opened();
      }),
    );
  }

  /** As a browser's: an error while connecting, no effect once closing. */
  send(text: string): void {
    if (this.#state === 'connecting') throw new DOMException('Still in CONNECTING state.', 'InvalidStateError');
    if (this.#state !== 'open') return;
    const up = { device: this.#device, direction: 'up', via: 'socket', type: typeOf(text), text } as const;
    const connection = this.#connection;
    // What was sent before a close still arrives; what is under way when the path breaks does not.
    this.#wire.pass(() => this.#network.carry(up, (sent) => !this.#isGone && connection?.receive(sent)));
  }

  close(code = 1005): void {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    const wasConnecting = this.#state === 'connecting';
    this.#state = 'closing';
    const connection = this.#connection;
    this.#connection = undefined;
    this.#network.clock.after(LATENCY_MS, () => {
      this.#isGone = true;
      connection?.closed();
    });
    this.#network.clock.after(2 * LATENCY_MS, () => this.#end(wasConnecting ? 1006 : code));
  }

  /** The path under the socket is gone. */
  reset(): void {
    this.#end(1006);
  }

  #deliver(text: string): void {
    const down = { device: this.#device, direction: 'down', via: 'socket', type: typeOf(text), text } as const;
    const arrive = (sent: string) => {
      if (this.#state === 'open') this.#events.received(sent);
    };
    this.#wire.pass(() => this.#network.carry(down, arrive));
  }

  #end(code: number, status?: number): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#isGone = true;
    const connection = this.#connection;
    this.#connection = undefined;
    this.#wire.gone();
    if (connection) this.#network.clock.after(LATENCY_MS, () => connection.closed());
    this.#events.closed(code, status);
  }
}

const abortError = () => new DOMException('This operation was aborted', 'AbortError');

function parseUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function identityOf({ searchParams }: URL): ChannelIdentity {
  const of = (name: string) => searchParams.get(name) ?? '';
  return {
    sessionToken: of(CHANNEL_QUERY.sessionToken),
    clientId: of(CHANNEL_QUERY.clientId),
    version: of(CHANNEL_QUERY.version),
  };
}

function typeOf(text: string): string {
  const frame = parseBody(text);
  return typeof frame === 'object' && frame !== null && 'type' in frame ? String(frame.type) : '?';
}
