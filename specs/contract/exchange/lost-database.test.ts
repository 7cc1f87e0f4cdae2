/** Connections to PostgreSQL that break within a statement. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startSim } from '../../../sim/server/start-sim.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { migratedSchema, NO_POSTGRES } from '../store/postgres-schema.ts';
import { answerOf, Terminal } from './terminals.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

/** A proxy between a server and its PostgreSQL. */
async function startProxy(databaseUrl: string) {
  const upstream = new URL(databaseUrl);
  const open = new Set<Socket>();
  let resets = false;
  let count = 0;
  const proxy = createServer((near) => {
    const far = connect(Number(upstream.port) || 5432, upstream.hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => open.delete(socket));
    }
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    far.pipe(near);
    near.on('data', (bytes) => {
      if (!resets) {
        far.write(bytes);
        return;
      }
      count += 1;
      near.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  undo.push(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });
  const url = new URL(databaseUrl);
  [url.hostname, url.port] = ['127.0.0.1', String((proxy.address() as AddressInfo).port)];
  return {
    url: url.href,
    /** Resets each connection that sends something from now on. */
    reset(isReset: boolean): void {
      resets = isReset;
    },
    get resets(): number {
      return count;
    },
  };
}

describe.skipIf(NO_POSTGRES !== undefined)('S46 F55 ERR-1400999 a connection that is reset within a statement', () => {
  it('is answered with 503, and the next request is answered', async () => {
    const schema = await migratedSchema();
    undo.push(() => schema.drop());
    const proxy = await startProxy(schema.url);
    const sim = await startSim({ demo: true, port: 0, database: proxy.url });
    undo.push(() => sim.close());
    const alice = await Terminal.signIn(sim, 'alice');
    const history = () => fetch(`${sim.url}/v1/users/alice/calls`, { headers: alice.headers });
    expect((await history()).status).toBe(200);
    proxy.reset(true);
    const refused = await history();
    expect(proxy.resets).toBeGreaterThan(0);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await answerOf(refused)).body).toMatchObject({ code: ErrorCode.ERR_SERVER_INTERNAL_ERROR });
    proxy.reset(false);
    await expect.poll(async () => (await history()).status, { timeout: 10_000 }).toBe(200);
  });
});
