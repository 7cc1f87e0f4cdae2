/** A TCP proxy in front of a service, which can refuse, be silent, or answer in another protocol. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** `closed`: connections are refused. `silent`: they are accepted, and nothing comes. `http`: each gets a page. */
export type ProxyMode = 'open' | 'closed' | 'silent' | 'http';

const PAGE =
  'HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\ncontent-length: 3\r\nconnection: close\r\n\r\nno\n';

export interface FaultyProxy {
  readonly port: number;
  /** Changes the mode. Open connections are cut. */
  set(mode: ProxyMode): Promise<void>;
  dispose(): Promise<void>;
}

/** @param target - the port of the service on loopback. */
export async function startFaultyProxy(target: number, first: ProxyMode = 'open'): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  let mode: ProxyMode = first;
  let server: Server | null = null;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const listen = async (port: number): Promise<number> => {
    const made = createServer((client) => {
      keep(client);
      if (mode === 'http') client.once('data', () => client.end(PAGE));
      if (mode !== 'open') return;
      const service = keep(connect(target, '127.0.0.1'));
      client.pipe(service).pipe(client);
      client.on('close', () => service.destroy());
      service.on('close', () => client.destroy());
    });
    server = made;
    await new Promise<void>((resolve, reject) => made.once('error', reject).listen(port, '127.0.0.1', resolve));
    return (made.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    const stopped = server;
    server = null;
    for (const socket of sockets) socket.destroy();
    if (stopped) await new Promise((resolve) => stopped.close(resolve));
  };
  const port = await listen(0);
  if (first === 'closed') await stop();
  return {
    port,
    async set(next) {
      mode = next;
      await stop();
      if (next !== 'closed') await listen(port);
    },
    dispose: stop,
  };
}
