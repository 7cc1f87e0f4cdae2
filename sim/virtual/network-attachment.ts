import type { FetchAnswer, FetchPort, FetchRequest } from '../../src/calls/platform/fetch.ts';
import type { Socket, SocketEvents, SocketPort } from '../../src/calls/platform/socket.ts';
import { type Answer, type Message, parseBody, textOf } from '../faults/message.ts';
import type { ExchangeAnswer } from './exchange-door.ts';
import { type Carrier, LATENCY_MS } from './transit.ts';
import { identityOf, VirtualSocket } from './virtual-socket.ts';

/**
 * How the device's sockets work.
 * - `up`: normal.
 * - `down`: unreachable.
 * - `stalled`: neither delivers nor closes, and delivers everything when it is `up` again (a half-open socket).
 * - `unanswered`: stalls new sockets only.
 * - `silent`: accepts new sockets and stalls all traffic.
 * - A number: answers every upgrade with that HTTP status.
 */
export type SocketMode = 'up' | 'down' | 'stalled' | 'unanswered' | 'silent' | number;
export type HttpMode = 'up' | 'down' | 'stalled';

/** The kinds of traffic between a device and the exchange. */
type Traffic = 'upgrade' | 'frame' | 'http';

/** A device's connection to the network: its ports, and the controls of a test. */
export class NetworkAttachment {
  readonly sockets: SocketPort;
  readonly fetch: FetchPort;
  readonly #network: Carrier;
  readonly #device: string;
  readonly #open = new Set<VirtualSocket>();
  readonly #held: Record<Traffic, (() => void)[]> = { upgrade: [], frame: [], http: [] };
  #socketMode: SocketMode = 'up';
  #httpMode: HttpMode = 'up';
  /** The delay of each frame on a slow line. Frames keep their order. Milliseconds. */
  #slowness = 0;
  #freeAt = 0;
  /** The URL of the device's last socket. */
  #address: URL | undefined;

  constructor(network: Carrier, device: string) {
    this.#network = network;
    this.#device = device;
    this.sockets = { open: (url, events) => this.#openSocket(url, events) };
    this.fetch = (url, request) => this.#request(url, request);
  }

  /** The number of the device's sockets that are not closed. */
  get openSockets(): number {
    return this.#open.size;
  }

  /** The node at the other end of the newest channel. Undefined without a channel, and with one node. */
  get node(): string | undefined {
    return [...this.#open].at(-1)?.node;
  }

  /** Sets how sockets work from now on. Open sockets stay open. */
  setSockets(mode: SocketMode): void {
    this.#socketMode = mode;
    if (mode !== 'up') return;
    this.#release('upgrade');
    this.#release('frame');
  }

  /** Sets how HTTP requests work from now on. */
  setHttp(mode: HttpMode): void {
    this.#httpMode = mode;
    if (mode === 'up') this.#release('http');
  }

  /** Delays each frame by `ms` milliseconds, in both directions. */
  setSlowness(ms: number): void {
    this.#slowness = ms;
  }

  /** Closes every open socket: both ends see the code. Default: 1006, a reset. New sockets may be opened. */
  dropSockets(code = 1006): void {
    for (const socket of this.#open) socket.reset(code);
  }

  /** Makes every open socket half-open permanently. New sockets work. */
  deadenSockets(): void {
    for (const socket of this.#open) socket.deaden();
  }

  /** Disconnects the device: sockets are reset, and nothing new passes. */
  cut(): void {
    this.setSockets('down');
    this.setHttp('down');
    this.dropSockets();
  }

  /** Restores the network. */
  restore(): void {
    this.setSockets('up');
    this.setHttp('up');
  }

  /** Sends a forged frame to the device, or in its name to the exchange. */
  forge(direction: Message['direction'], text: string): void {
    for (const socket of this.#open) {
      if (direction === 'down') socket.deliver(text);
      else socket.send(text);
    }
  }

  /** Opens a channel with the device's session from another tab. Returns a function that closes it. */
  openTwin(): () => void {
    if (!this.#address) return () => undefined;
    let isOpen = true;
    let taken: ExchangeAnswer | undefined;
    const close = () => {
      if (isOpen && taken && !('status' in taken)) taken.closed();
      isOpen = false;
    };
    const take = (answer: ExchangeAnswer) => {
      taken = answer;
      if (!isOpen && !('status' in answer)) answer.closed();
    };
    const answer = this.#network.door.connect(identityOf(this.#address), {
      send: () => undefined,
      close,
      reset: close,
    });
    if (answer instanceof Promise) void answer.then(take);
    else take(answer);
    return close;
  }

  /** Runs `deliver` now, or when this traffic is no longer stalled. */
  #pass(traffic: Traffic, deliver: () => void): void {
    // Held messages go first, so that the order is kept.
    const held = this.#held[traffic];
    if (this.#isStalled(traffic) || held.length > 0) held.push(deliver);
    else deliver();
  }

  #isStalled(traffic: Traffic): boolean {
    if (traffic === 'http') return this.#httpMode === 'stalled';
    return this.#socketMode === 'stalled' || this.#socketMode === (traffic === 'upgrade' ? 'unanswered' : 'silent');
  }

  #release(traffic: Traffic): void {
    this.#network.clock.after(LATENCY_MS, () => {
      for (const deliver of this.#held[traffic].splice(0)) deliver();
    });
  }

  #passFrame(deliver: () => void): void {
    const { clock } = this.#network;
    this.#freeAt = Math.max(this.#freeAt, clock.now() + this.#slowness);
    const wait = this.#freeAt - clock.now();
    if (wait > 0) clock.after(wait, () => this.#pass('frame', deliver));
    else this.#pass('frame', deliver);
  }

  #openSocket(url: string, events: SocketEvents): Socket {
    const address = parseUrl(url);
    this.#address = address;
    const socket = new VirtualSocket(this.#network, this.#device, events, {
      upgrade: () => {
        const mode = this.#network.door.isDown ? 'down' : this.#socketMode;
        return mode === 'down' || typeof mode === 'number' ? mode : 'up';
      },
      passUpgrade: (deliver) => this.#pass('upgrade', deliver),
      pass: (deliver) => this.#passFrame(deliver),
      gone: () => this.#open.delete(socket),
    });
    this.#open.add(socket);
    this.#network.clock.after(LATENCY_MS, () => this.#pass('upgrade', () => socket.knock(address)));
    return socket;
  }

  #request(url: string, { method, headers, body, signal }: FetchRequest): Promise<FetchAnswer> {
    return new Promise((resolve, reject) => {
      const target = parseUrl(url);
      const failed = () => reject(new TypeError('fetch failed'));
      if (signal.aborted) return reject(abortError());
      signal.addEventListener('abort', () => reject(abortError()));
      if (!target || this.#httpMode === 'down') return void this.#network.clock.after(LATENCY_MS, failed);
      const transit = { device: this.#device, via: 'http', type: `${method} ${target.pathname}` } as const;
      const finish = (answer: Answer) =>
        resolve({
          status: answer.status,
          redirected: answer.redirected ?? false,
          text: () => Promise.resolve(textOf(answer)),
        });
      const answered = (answer: Answer) => {
        const { status, node } = answer;
        const from = node === undefined ? {} : { node };
        const down = { ...transit, direction: 'down', text: textOf(answer), status, ...from } as const;
        const arrive = (arrived: string) => finish({ ...answer, body: arrived });
        this.#pass('http', () => this.#network.carry(down, { arrive, lost: failed, answered: finish }));
      };
      const arrive = (sent: string) => {
        if (this.#network.door.isDown) return failed();
        const request = {
          method,
          path: target.pathname,
          query: Object.fromEntries(target.searchParams),
          // Header names are case-insensitive. An exchange sees them in lower case.
          headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
          body: body === undefined ? undefined : parseBody(sent),
        };
        this.#network.door.http(request).then(answered, failed);
      };
      const up = { ...transit, direction: 'up', text: body ?? '' } as const;
      this.#pass('http', () => this.#network.carry(up, { arrive, lost: failed, answered }));
    });
  }
}

const abortError = () => new DOMException('This operation was aborted', 'AbortError');

function parseUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
