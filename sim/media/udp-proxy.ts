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

/**
 * Opens a proxy for `target` on the local address `host`.
 *
 * @param delayOf - called for each packet in both directions. Returns its delay in milliseconds, or null when it is
 * lost.
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
    // A datagram that cannot be delivered is lost. ICE detects that itself.
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
