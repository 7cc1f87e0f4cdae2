import { CHANNEL_QUERY, PATHS } from '../../src/protocol/http.ts';
import type { Socket, SocketEvents } from '../../src/calls/platform/socket.ts';
import type { ChannelIdentity, ExchangeAnswer, ExchangeConnection } from './exchange-door.ts';
import { type Carrier, Lane, LATENCY_MS, parseBody, textOf, type Transit } from './transit.ts';

type SocketState = 'connecting' | 'open' | 'closing' | 'closed';

/** What of the way between a device and the exchange a socket needs to know. */
export interface Wire {
  /** How the upgrade fares: `up` it reaches the exchange, `down` nobody is there, a number is the status it is refused with. */
  readonly upgrade: () => 'up' | 'down' | number;
  /** Lets the upgrade, or its answer, through: now, or when the way is free. */
  readonly passUpgrade: (deliver: () => void) => void;
  /** Lets a frame through: now, or when the way is free. */
  readonly pass: (deliver: () => void) => void;
  readonly gone: () => void;
}

/** One websocket, both ends of it. */
export class VirtualSocket implements Socket {
  readonly #network: Carrier;
  readonly #device: string;
  readonly #events: SocketEvents;
  readonly #wire: Wire;
  readonly #lanes = { up: new Lane(), down: new Lane() };
  #state: SocketState = 'connecting';
  #connection: ExchangeConnection | undefined;
  /** Nothing more reaches the exchange. */
  #isGone = false;
  /** Half-open: each end thinks it open, and hears nothing of the other. */
  #isDead = false;

  constructor(network: Carrier, device: string, events: SocketEvents, wire: Wire) {
    this.#network = network;
    this.#device = device;
    this.#events = events;
    this.#wire = wire;
  }

  /** The upgrade reaches the exchange. */
  knock(url: URL | undefined): void {
    if (this.#state !== 'connecting') return;
    const upgrade = this.#wire.upgrade();
    if (typeof upgrade === 'number') return this.#end(1006, upgrade);
    if (!url || upgrade === 'down' || url.pathname !== PATHS.channel) return this.#end(1006);
    // The exchange may speak before connect has returned: after the door is passed, not before.
    const accepted = this.#network.door.connect(identityOf(url), {
      send: (text) => this.deliver(text),
      close: (code) =>
        this.#network.clock.after(LATENCY_MS, () =>
          this.#wire.passUpgrade(() => {
            if (!this.#isDead) this.#end(code);
          }),
        ),
    });
    if ('status' in accepted) return this.#end(1006, accepted.status);
    this.#connection = accepted;
    this.#network.clock.after(LATENCY_MS, () =>
      this.#wire.passUpgrade(() => {
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
    const connection = this.#connection;
    // What was sent before a close still arrives; what is under way when the path breaks does not.
    const arrive = (sent: string) => {
      if (!this.#isGone) connection?.receive(sent);
    };
    const up = this.#transit('up', text);
    const answered = (answer: ExchangeAnswer) => this.deliver(textOf(answer));
    this.#wire.pass(() => {
      if (!this.#isDead) this.#network.carry(up, { lane: this.#lanes.up, arrive, answered });
    });
  }

  /** Makes the socket half-open for good: neither end hears of the other, not even of its close. */
  deaden(): void {
    this.#isDead = true;
  }

  close(code = 1005): void {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    const wasConnecting = this.#state === 'connecting';
    this.#state = 'closing';
    const connection = this.#connection;
    this.#connection = undefined;
    this.#network.clock.after(LATENCY_MS, () => {
      this.#isGone = true;
      if (!this.#isDead) connection?.closed();
    });
    this.#network.clock.after(2 * LATENCY_MS, () => this.#end(wasConnecting ? 1006 : code));
  }

  /** The path under the socket is gone: both ends see it closed; or something on the way closes it, with this code. */
  reset(code = 1006): void {
    this.#end(code);
  }

  /** A frame comes down to the device. */
  deliver(text: string): void {
    const arrive = (sent: string) => {
      if (this.#state === 'open' && !this.#isDead) this.#events.received(sent);
    };
    this.#wire.pass(() => this.#network.carry(this.#transit('down', text), { lane: this.#lanes.down, arrive }));
  }

  #transit(direction: Transit['direction'], text: string): Transit {
    return { device: this.#device, direction, via: 'socket', type: typeOf(text), text };
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

/** Who opens a channel, as the query of its address says. */
export function identityOf({ searchParams }: URL): ChannelIdentity {
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
