import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports from which clients connect: a client could take the port before the server listens. */
const [FIRST, END] = [10_000, 32_000];

/** Returns a TCP port of the loopback address that no process uses now. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(FIRST, END);
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return port;
    } catch {
      // Another process listens there.
    } finally {
      server.close();
    }
  }
  throw new Error('no free port');
}
