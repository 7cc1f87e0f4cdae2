/**
 * A user-space proxy for one UDP address, its target:
 *
 * source A ---> [ front ] === [ back of A ] ---> target
 * source B ---> [ front ] === [ back of B ] ---> target
 *
 * Each source that sends to the front reaches the target from its own back socket, so that replies of the target return
 * to that source. It needs no privileges, since these are plain sockets.
 */
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Clock, Timer } from '../../src/common/clock.ts';

/**
 * The most sources of one proxy. A leg has a few. Without a limit, a flood of forged sources would use up all sockets.
 */
const MOST_SOURCES = 64;

export interface UdpAddress {
  readonly address: string;
  readonly port: number;
}

export interface UdpProxy {
  /** The address at which the proxy serves the target. */
  readonly address: UdpAddress;
  /** The number of open sockets. */
  readonly sockets: number;
  close(): void;
}

/** The surroundings of a proxy. */
export interface UdpProxyOptions {
  /** The local address that the proxy listens on. */
  readonly host: string;
  readonly clock: Pick<Clock, 'after'>;
  /**
   * Called for each packet in both directions. Returns its delay in milliseconds, or null when it is lost.
   */
  readonly delayOf: () => number | null;
}

/** Opens a proxy for `target`. */
export async function openUdpProxy(target: UdpAddress, options: UdpProxyOptions): Promise<UdpProxy> {
  const sockets = new ProxySockets(options);
  const front = await sockets.bind();
  const backs = new Map<string, Promise<Socket | null>>();
  const backOf = (source: UdpAddress): Promise<Socket | null> => {
    const key = `${source.address} ${source.port}`;
    const known = backs.get(key);
    if (known) return known;
    if (backs.size >= MOST_SOURCES) return Promise.resolve(null);
    const back = sockets.bind().then(
      (socket) => socket.on('message', (packet) => sockets.send(front, packet, source)),
      () => null,
    );
    backs.set(key, back);
    return back;
  };
  front.on('message', (packet, source) => {
    void backOf(source).then((back) => back && sockets.send(back, packet, target));
  });
  const { address, port } = front.address();
  return {
    address: { address, port },
    get sockets() {
      return sockets.count;
    },
    close: () => sockets.close(),
  };
}

/** The sockets of a proxy, and the packets between them that are delayed. */
class ProxySockets {
  readonly #options: UdpProxyOptions;
  readonly #open = new Set<Socket>();
  readonly #delayed = new Set<Timer>();
  #isClosed = false;

  constructor(options: UdpProxyOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Opens a socket. Rejects when it cannot be opened, or the proxy is closed meanwhile. */
  async bind(): Promise<Socket> {
    const { host } = this.#options;
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.bind(0, host, () => {
          socket.off('error', reject);
          resolve();
        });
      });
      if (this.#isClosed) throw new Error('the proxy is closed');
    } catch (error) {
      socket.close();
      throw error;
    }
    // A datagram that cannot be delivered is lost. ICE detects that itself.
    socket.on('error', () => undefined);
    this.#open.add(socket);
    return socket;
  }

  /** Sends a packet after its delay, unless it is lost. */
  send(from: Socket, packet: Buffer, to: UdpAddress): void {
    if (!this.#open.has(from)) return;
    const delay = this.#options.delayOf();
    if (delay === null) return;
    const go = () => from.send(packet, to.port, to.address, () => undefined);
    if (delay === 0) return go();
    const timer = this.#options.clock.after(delay, () => {
      this.#delayed.delete(timer);
      go();
    });
    this.#delayed.add(timer);
  }

  /** Closes every socket. Drops the delayed packets. */
  close(): void {
    this.#isClosed = true;
    for (const timer of this.#delayed) timer.cancel();
    this.#delayed.clear();
    for (const socket of this.#open) socket.close();
    this.#open.clear();
  }
}
