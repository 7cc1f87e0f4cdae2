import { CHANNEL_QUERY, PATHS } from '../../src/protocol/http.ts';
import type { Socket, SocketEvents } from '../../src/calls/platform/socket.ts';
import { Lane } from '../faults/fault-engine.ts';
import { type Answer, type Message, textOf, typeOf } from '../faults/message.ts';
import type { ChannelIdentity, ExchangeAnswer, ExchangeConnection } from './exchange-door.ts';
import { type Carrier, LATENCY_MS } from './transit.ts';

type SocketState = 'connecting' | 'open' | 'closing' | 'closed';

/** The state of the network between a device and the exchange, as a socket needs it. */
export interface Wire {
  /**
   * Returns the outcome of the upgrade: `up` it reaches the exchange, `down` the exchange is unreachable, a number is
   * the status of a refusal.
   */
  readonly upgrade: () => 'up' | 'down' | number;
  /** Delivers the upgrade or its answer: now, or when the way is free. */
  readonly passUpgrade: (deliver: () => void) => void;
  /** Delivers a frame: now, or when the way is free. */
  readonly pass: (deliver: () => void) => void;
  readonly gone: () => void;
}

/** One websocket, with both ends. */
export class VirtualSocket implements Socket {
  readonly #network: Carrier;
  readonly #device: string;
  readonly #events: SocketEvents;
  readonly #wire: Wire;
  readonly #lanes = { up: new Lane(), down: new Lane() };
  #state: SocketState = 'connecting';
  #connection: ExchangeConnection | undefined;
  /** Whether nothing more reaches the exchange. */
  #isGone = false;
  /** Half-open: each end believes that it is open, and receives nothing from the other. */
  #isDead = false;

  constructor(network: Carrier, device: string, events: SocketEvents, wire: Wire) {
    this.#network = network;
    this.#device = device;
    this.#events = events;
    this.#wire = wire;
  }

  /** The node that accepted it. Undefined before, and with one node. */
  get node(): string | undefined {
    return this.#connection?.node;
  }

  /** Delivers the upgrade to the exchange. */
  knock(url: URL | undefined): void {
    if (this.#state !== 'connecting') return;
    const upgrade = this.#wire.upgrade();
    if (typeof upgrade === 'number') return this.#end(1006, upgrade);
    if (!url || upgrade === 'down' || url.pathname !== PATHS.channel) return this.#end(1006);
    // The exchange may send before connect has returned: its frames are delivered after the upgrade.
    const answer = this.#network.door.connect(identityOf(url), {
      send: (text) => this.deliver(text),
      close: (code) =>
        this.#network.clock.after(LATENCY_MS, () =>
          this.#wire.passUpgrade(() => {
            if (!this.#isDead) this.#end(code);
          }),
        ),
      reset: () => this.reset(),
    });
    if (answer instanceof Promise) void answer.then((accepted) => this.#answered(accepted));
    else this.#answered(answer);
  }

  /** Receives the answer of the exchange to the upgrade. */
  #answered(accepted: ExchangeAnswer): void {
    if ('status' in accepted) return this.#end(1006, accepted.status);
    // The device gave up while the exchange decided.
    if (this.#state !== 'connecting') return accepted.closed();
    this.#connection = accepted;
    this.#network.clock.after(LATENCY_MS, () =>
      this.#wire.passUpgrade(() => {
        if (this.#state !== 'connecting') return;
        this.#state = 'open';
        this.#events.opened();
      }),
    );
  }

  /** Sends as a browser does: throws while connecting, has no effect once closing. */
  send(text: string): void {
    if (this.#state === 'connecting') throw new DOMException('Still in CONNECTING state.', 'InvalidStateError');
    if (this.#state !== 'open') return;
    const connection = this.#connection;
    // What was sent before a close still arrives. What is in transit when the path breaks does not.
    const arrive = (sent: string) => {
      if (!this.#isGone) connection?.receive(sent);
    };
    const up = this.#message('up', text);
    const answered = (answer: Answer) => this.deliver(textOf(answer));
    this.#wire.pass(() => {
      if (!this.#isDead) this.#network.carry(up, { lane: this.#lanes.up, arrive, answered });
    });
  }

  /** Makes the socket half-open permanently: neither end receives anything from the other, not even its close. */
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

  /** Closes both ends: the path is gone, or something on the way closed it with this code. */
  reset(code = 1006): void {
    this.#end(code);
  }

  /** Delivers a frame to the device. */
  deliver(text: string): void {
    const arrive = (sent: string) => {
      if (this.#state === 'open' && !this.#isDead) this.#events.received(sent);
    };
    this.#wire.pass(() => this.#network.carry(this.#message('down', text), { lane: this.#lanes.down, arrive }));
  }

  #message(direction: Message['direction'], text: string): Message {
    const { node } = this;
    return {
      device: this.#device,
      direction,
      via: 'socket',
      type: typeOf(text),
      text,
      ...(node === undefined ? {} : { node }),
    };
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

/** Returns the identity of a client that opens a channel, from the query of its URL. */
export function identityOf({ searchParams }: URL): ChannelIdentity {
  const of = (name: string) => searchParams.get(name) ?? '';
  return {
    sessionToken: of(CHANNEL_QUERY.sessionToken),
    clientId: of(CHANNEL_QUERY.clientId),
    version: of(CHANNEL_QUERY.version),
  };
}
