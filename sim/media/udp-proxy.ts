/**
 * A user-space stand-in for one UDP address, its target:
 *
 *     source A ---> [ front ] === [ back of A ] ---> target
 *     source B ---> [ front ] === [ back of B ] ---> target
 *
 * Whoever sends to the front reaches the target from a socket of his own, so that the target's replies find the way back
 * to him. Needs no privileges: these are plain sockets.
 */
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';

/** Sources one proxy serves; a leg has a handful. Without a bound, a flood of made-up sources would eat every socket. */
const MOST_SOURCES = 64;

export interface UdpAddress {
  readonly address: string;
  readonly port: number;
}

export interface UdpProxy {
  /** Where the target is reached through the proxy. */
  readonly address: UdpAddress;
  /** Sockets open now. */
  readonly sockets: number;
  close(): void;
}

/**
 * Opens a proxy for `target` on the local address `host`.
 *
 * @param delayOf asked for each packet, both ways: milliseconds until it goes on, or null where it is lost.
 */
export async function openUdpProxy(target: UdpAddress, host: string, delayOf: () => number | null): Promise<UdpProxy> {
  const backs = new Map<string, Promise<Socket | null>>();
  const open = new Set<Socket>();
  let closed = false;

  const bind = async (): Promise<Socket> => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    open.add(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(0, host, () => {
        socket.off('error', reject);
        resolve();
      });
    }).catch((error: unknown) => {
      open.delete(socket);
      socket.close();
      throw error;
    });
    // A datagram that cannot be delivered is a lost datagram; ICE sees that for itself.
    socket.on('error', () => undefined);
    return socket;
  };

  const send = (from: Socket, packet: Buffer, to: UdpAddress) => {
    if (closed || !open.has(from)) return;
    const delay = delayOf();
    if (delay === null) return;
    const go = () => {
      if (open.has(from)) from.send(packet, to.port, to.address, () => undefined);
    };
    if (delay === 0) go();
    else setTimeout(go, delay).unref();
  };

  const front = await bind();

  const backOf = (source: UdpAddress): Promise<Socket | null> => {
    const key = `${source.address} ${source.port}`;
    const known = backs.get(key);
    if (known) return known;
    if (backs.size >= MOST_SOURCES) return Promise.resolve(null);
    const back = bind().then(
      (socket) => {
        if (closed) {
          socket.close();
          return null;
        }
        socket.on('message', (packet) => send(front, packet, source));
        return socket;
      },
      () => null,
    );
    backs.set(key, back);
    return back;
  };

  front.on('message', (packet, source) => {
    void backOf(source).then((back) => back && send(back, packet, target));
  });

  const { address, port } = front.address();
  return {
    address: { address, port },
    get sockets() {
      return open.size;
    },
    close() {
      if (closed) return;
      closed = true;
      for (const socket of open) socket.close();
      open.clear();
    },
  };
}
