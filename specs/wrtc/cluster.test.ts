/** `ringback cluster`: calls with real media on several nodes, with a real Redis and a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Redis } from 'ioredis';
import { scaled } from '../../tools/run/machine-factor.ts';
import { NO_REDIS_SERVER, startRedis, type TestRedis } from '../contract/shared-state/redis-server.ts';
import { makeSchema, NO_POSTGRES, type PostgresSchema } from '../contract/store/postgres-schema.ts';
import { processOfNode } from './node-processes.ts';
import { ringback, type Terminal } from './terminal.ts';

const WHY_NOT = NO_POSTGRES ?? NO_REDIS_SERVER;

/** Waits until `read` returns a value. Rejects at the deadline. */
async function until<T>(what: string, read: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const limit = performance.now() + scaled(30_000);
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    if (performance.now() > limit) throw new Error(`${what} did not happen in time`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe.skipIf(WHY_NOT !== undefined)(
  `ringback cluster${WHY_NOT === undefined ? '' : ` (skipped: ${WHY_NOT})`}`,
  () => {
    let redis: TestRedis;
    let schema: PostgresSchema;
    let cluster: Terminal;
    let reader: Redis;
    let url: string;
    const clients: Terminal[] = [];

    beforeAll(async () => {
      redis = await startRedis();
      schema = await makeSchema();
      reader = new Redis(redis.url, { lazyConnect: true });
      // A lost connection is expected: the test restarts the server.
      reader.on('error', () => undefined);
      const environment = { DATABASE_URL: schema.url, REDIS_URL: redis.url };
      cluster = ringback(
        ['cluster', '--nodes', '3', '--port', '0', '--log-level', 'info', '--drain', '60s'],
        environment,
      );
      await cluster.saw(/stop +Ctrl-C/, scaled(60_000));
      url = /exchange +(http:\S+)/.exec(cluster.out)?.[1] ?? '';
    }, scaled(90_000));

    afterAll(async () => {
      for (const client of clients) client.kill();
      cluster.process.kill('SIGINT');
      await cluster.exited().catch(() => cluster.kill());
      reader.disconnect();
      await redis.dispose();
      await schema.drop();
    }, scaled(60_000));

    const client = (...words: string[]): Terminal => {
      const terminal = ringback([...words, '--server', url]);
      clients.push(terminal);
      return terminal;
    };

    /** Resolves with the node that owns a live call. */
    const owner = () =>
      until('a call in the shared state', async () => {
        const keys = await reader.keys('*:calls n*');
        return keys[0]?.split('calls ')[1];
      });

    /** Starts a call of this length. Resolves when both sides have media. */
    async function call(seconds: number): Promise<{ readonly dial: Terminal; readonly answer: Terminal }> {
      const answer = client('answer', '--as', 'bob');
      await answer.saw(/waiting as bob/);
      const dial = client('dial', 'bob', '--as', 'alice', '--for', `${seconds}s`);
      await dial.saw(/marker ok/, scaled(30_000));
      return { dial, answer };
    }

    async function completes({ dial, answer }: Awaited<ReturnType<typeof call>>): Promise<void> {
      expect([await dial.exited(scaled(90_000)), dial.out]).toEqual([0, expect.stringContaining('completed')]);
      expect(await answer.exited()).toBe(0);
    }

    const records = () => schema.query('select end_result from ringback_calls');

    test(
      'a call goes on after its node was killed, and is in the history once',
      async () => {
        const running = await call(14);
        const name = await owner();
        process.kill(processOfNode(cluster, name), 'SIGKILL');
        await until('an adoption', () => (cluster.err.includes('a call was adopted') ? true : undefined));
        await completes(running);
        expect(await records()).toEqual([{ end_result: 'completed' }]);
        expect(await reader.keys('*:call n*')).toEqual([]);
      },
      scaled(120_000),
    );

    test(
      'a call goes on when Redis restarts without its data, and the next call begins',
      async () => {
        const running = await call(9);
        await owner();
        await redis.restart();
        await until(
          'the call in the shared state again',
          async () => (await reader.keys('*:call n*').catch(() => []))[0],
        );
        await completes(running);
        await completes(await call(2));
        expect(await records()).toHaveLength(3);
      },
      scaled(120_000),
    );

    test(
      'a node that drains waits for its call, and its other devices move',
      async () => {
        const carol = client('answer', '--as', 'carol');
        await carol.saw(/waiting as carol/);
        const running = await call(7);
        const pid = processOfNode(cluster, await owner());
        process.kill(pid, 'SIGTERM');
        await completes(running);
        await until('the end of the node', () => {
          try {
            process.kill(pid, 0);
            return undefined;
          } catch {
            return true;
          }
        });
        const dial = client('dial', 'carol', '--as', 'dave', '--for', '2s');
        expect(await dial.exited(scaled(60_000))).toBe(0);
      },
      scaled(120_000),
    );
  },
);
