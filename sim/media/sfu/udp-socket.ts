/**
 * The UDP sockets of an endpoint. Each endpoint has its own: a flood fills the buffer of its sender's socket alone, and
 * the system drops it once that socket is closed.
 */
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { ServerAddress } from './answer.ts';

export interface UdpSettings {
  /**
   * The addresses that clients get instead of those of this machine, such as the public one of a server behind NAT.
   * Default: 127.0.0.1 and every address of this machine.
   */
  readonly addresses?: readonly string[];
  /** The first and the last port that endpoints use. Default: the system chooses. */
  readonly ports?: readonly [first: number, last: number];
}

/** Where a packet came from, and the socket that received it. */
export interface Remote {
  readonly socket: Socket;
  readonly address: string;
  readonly port: number;
}

export interface UdpEnd {
  readonly addresses: readonly ServerAddress[];
  send(packet: Uint8Array, to: Remote): void;
  close(): void;
}

/** There is no free port in the range. */
export class NoFreePort extends Error {}

/** Opens the sockets of an endpoint. Rejects with NoFreePort when each port of the range is in use. */
export async function openUdp(
  settings: UdpSettings,
  received: (packet: Buffer, from: Remote) => void,
): Promise<UdpEnd> {
  const addresses = settings.addresses ?? localAddresses();
  const families = [...new Set(addresses.map((address) => (isIPv6(address) ? 'udp6' : 'udp4')))];
  const opened: { readonly family: string; readonly socket: Socket }[] = [];
  try {
    for (const family of families) {
      opened.push({ family, socket: await bindWithin(family === 'udp6' ? 'udp6' : 'udp4', settings.ports) });
    }
  } catch (error) {
    for (const { socket } of opened) socket.close();
    throw error;
  }
  for (const { socket } of opened) {
    // An error of a send concerns that packet alone, which counts as lost.
    socket.on('error', () => undefined);
    socket.on('message', (packet, { address, port }) => received(packet, { socket, address, port }));
  }
  const portOf = (address: string) =>
    opened.find(({ family }) => family === (isIPv6(address) ? 'udp6' : 'udp4'))?.socket.address().port ?? 0;
  let isClosed = false;
  return {
    addresses: addresses.map((address) => ({ address, port: portOf(address) })),
    send(packet, { socket, port, address }) {
      if (!isClosed) socket.send(packet, port, address);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      for (const { socket } of opened) socket.close();
    },
  };
}

/** Binds a socket to a port of the range. The search begins after the last port that was free. */
async function bindWithin(family: 'udp4' | 'udp6', ports: UdpSettings['ports']): Promise<Socket> {
  if (!ports) return bind(family, 0);
  const [first, last] = ports;
  const count = last - first + 1;
  for (let tried = 0; tried < count; tried += 1) {
    nextPort = nextPort >= first && nextPort < last ? nextPort + 1 : first;
    try {
      return await bind(family, nextPort);
    } catch {
      // The next port may be free.
    }
  }
  throw new NoFreePort(`No UDP port from ${first} to ${last} is free.`);
}

let nextPort = 0;

function bind(type: 'udp4' | 'udp6', port: number): Promise<Socket> {
  const socket = createSocket({ type, ipv6Only: type === 'udp6' });
  return new Promise((resolve, reject) => {
    socket.once('error', (error) => {
      socket.close();
      reject(error);
    });
    socket.bind(port, () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

/** Returns the addresses of this machine that clients may reach, without link-local ones. */
function localAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((entries = []) => entries);
  const reachable = all.filter(({ internal, address }) => !internal && !/^(?:fe80|169\.254\.)/i.test(address));
  return [...reachable.map(({ address }) => address), '127.0.0.1'];
}
