/**
 * Wrong, refusing and lying services around a server: PostgreSQL behind a proxy, coturn, Janus. At the start a line names
 * the setting. At run time requests are refused, the log has an entry, /readyz fails, and the server recovers by itself.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { type Sim, type SimOptions, startSim } from '../../sim/server/start-sim.ts';
import { scaled } from '../../tools/run/machine-factor.ts';
import { Terminal as Client } from '../contract/exchange/terminals.ts';
import { NO_REDIS_SERVER, startRedis } from '../contract/shared-state/redis-server.ts';
import { makeSchema, NO_POSTGRES } from '../contract/store/postgres-schema.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { NO_JANUS, startJanus } from './janus-server.ts';
import { ringback } from './terminal.ts';
import { NO_COTURN, testTurn } from './turn-server.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

const LIMIT = { timeout: scaled(30_000), interval: 200 };

interface Answer {
  readonly status: number;
  readonly body: any;
  readonly retryAfter: string | null;
}

async function answerTo(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const body: unknown = await response.json().catch(() => null);
  return { status: response.status, body, retryAfter: response.headers.get('retry-after') };
}

const login = (sim: Sim, u_id: string): Promise<Answer> =>
  answerTo(`${sim.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: u_id }),
  });

const readiness = async (sim: Pick<Sim, 'url'>): Promise<readonly [number, unknown]> => {
  const { status, body } = await answerTo(`${sim.url}/readyz`);
  return [status, body];
};

const READY = [200, { status: 'ready' }];
const failing = (name: string) => [503, { status: 'failing', failing: [name] }];

async function start(options: Partial<SimOptions>) {
  const log: string[] = [];
  const sim = await startSim({
    demo: true,
    port: 0,
    log: ({ level, message }) => void log.push(`${level}: ${message}`),
    ...options,
  });
  undo.push(() => sim.close());
  return { sim, log };
}

const DEPLOYMENT = {
  RINGBACK_PORT: '0',
  RINGBACK_PUBLIC_URL: 'https://calls.example',
  RINGBACK_ALLOWED_ORIGINS: 'https://app.example',
  RINGBACK_COURIER_URL: 'https://letters.example',
  RINGBACK_COURIER_SECRET: 'a-secret-of-the-deployment',
};

/** Runs a deployment. It is killed at the end of the test. */
function deployment(environment: Readonly<Record<string, string>>) {
  const running = ringback(['sim', '--config'], { ...DEPLOYMENT, ...environment });
  undo.push(() => running.kill());
  return running;
}

const urlIn = (text: string): string => /exchange +(http:\S+)/.exec(text)?.[1] ?? '';

describe.skipIf(NO_POSTGRES !== undefined)('PostgreSQL', () => {
  /** Puts a proxy in front of PostgreSQL. Returns it with the url of an own schema. */
  async function proxied(): Promise<{ readonly proxy: FaultyProxy; readonly url: string }> {
    const schema = await makeSchema();
    undo.push(() => schema.drop());
    const url = new URL(schema.url);
    const proxy = await startFaultyProxy(Number(url.port || 5432));
    undo.push(() => proxy.dispose());
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    return { proxy, url: url.href };
  }

  test.each(['closed', 'silent', 'http'] as const)(
    'S46 that is %s at the start ends the start with 4 and one line that names the setting, without the password',
    async (mode) => {
      const proxy = await startFaultyProxy(9, mode);
      undo.push(() => proxy.dispose());
      const url = `postgres://me:hunter2@127.0.0.1:${proxy.port}/calls`;
      const running = deployment({ DATABASE_URL: url, RINGBACK_DATABASE_CONNECT_MS: '500' });
      expect(await running.exited()).toBe(4);
      expect(running.err).toMatch(
        new RegExp(
          `^database\\.url \\(DATABASE_URL\\): The database postgres://127\\.0\\.0\\.1:${proxy.port}/calls cannot be used: .+\\n$`,
        ),
      );
      expect(running.err).not.toContain('hunter2');
    },
  );

  test(
    'that fails at run time: /readyz fails, requests and dials are refused, a live call goes on, and all works again without a restart',
    { timeout: scaled(120_000) },
    async () => {
      const { proxy, url } = await proxied();
      const databaseLimits = { connectMs: 500, statementMs: 1_000 };
      const { sim, log } = await start({ database: url, name: 'bad-services', databaseLimits });
      const clients = await Promise.all(['alice', 'bob', 'carol', 'dave'].map((one) => Client.signIn(sim, one)));
      for (const client of clients) undo.push(() => client.disconnect());
      const [alice, bob, carol] = clients;
      if (!alice || !bob || !carol) throw new Error('no clients');
      const media = { constraints: { audio: true, video: false }, capabilities: [] };
      const dial = (from: Client, callee_id: string) =>
        from.send('dial', { callee_id, is_video_call: false, ...media });
      expect(await readiness(sim)).toEqual(READY);
      const dialled = await dial(bob, 'alice');
      expect(dialled.error).toBeUndefined();
      const { call_id } = dialled.payload;
      await alice.send('accept', { call_id, ...media });
      for (const mode of ['closed', 'silent', 'http'] as const) {
        await proxy.set(mode);
        await expect.poll(() => readiness(sim), LIMIT).toEqual(failing('database'));
        expect(await login(sim, 'bob')).toEqual({
          status: 503,
          body: { code: 1_400_999, message: 'The server cannot reach its database. Try again.' },
          retryAfter: '5',
        });
        const refused = await dial(carol, 'dave');
        expect(refused.error).toEqual({
          code: 1_400_999,
          message: 'The server cannot decide about this call now. Try again.',
        });
        expect(sim.exchange.liveCalls.map(({ callId }) => callId)).toEqual([call_id]);
        expect((await alice.send('alive', { call_id })).error).toBeUndefined();
        expect(log.filter((line) => line === 'error: the database does not work (DATABASE_URL)')).toHaveLength(1);
        await proxy.set('open');
        await expect.poll(() => readiness(sim), LIMIT).toEqual(READY);
        expect((await login(sim, 'bob')).status).toBe(200);
        expect(log).toContain('info: the database works again (DATABASE_URL)');
        log.length = 0;
      }
      await bob.send('end', { call_id });
      expect((await dial(carol, 'dave')).error).toBeUndefined();
    },
  );
});

describe.skipIf(NO_POSTGRES !== undefined || NO_REDIS_SERVER !== undefined)('Redis', () => {
  test.each(['closed', 'silent', 'http'] as const)(
    'S46 that is %s at the start ends the start with 4 and one line that names the setting, without the password',
    async (mode) => {
      const schema = await makeSchema();
      undo.push(() => schema.drop());
      const proxy = await startFaultyProxy(9, mode);
      undo.push(() => proxy.dispose());
      const running = deployment({ DATABASE_URL: schema.url, REDIS_URL: `redis://:hunter2@127.0.0.1:${proxy.port}` });
      expect(await running.exited()).toBe(4);
      expect(running.err).toMatch(/^redis\.url \(REDIS_URL\): .+\n$/);
      expect(running.err).not.toMatch(/hunter2|127\.0\.0\.1/);
    },
  );

  test(
    'that fails at run time: /readyz fails, dials are refused, a live call goes on, and all works again without a restart',
    { timeout: scaled(120_000) },
    async () => {
      const schema = await makeSchema();
      undo.push(() => schema.drop());
      const server = await startRedis();
      undo.push(() => server.dispose());
      const url = new URL(server.url);
      const proxy = await startFaultyProxy(Number(url.port));
      undo.push(() => proxy.dispose());
      url.port = String(proxy.port);
      const { sim, log } = await start({ database: schema.url, redis: { url: url.href } });
      const clients = await Promise.all(['alice', 'bob', 'carol', 'dave'].map((one) => Client.signIn(sim, one)));
      for (const client of clients) undo.push(() => client.disconnect());
      const [alice, bob, carol] = clients;
      if (!alice || !bob || !carol) throw new Error('no clients');
      const media = { constraints: { audio: true, video: false }, capabilities: [] };
      const dial = (from: Client, callee_id: string) =>
        from.send('dial', { callee_id, is_video_call: false, ...media });
      const dialled = await dial(bob, 'alice');
      expect(dialled.error).toBeUndefined();
      const { call_id } = dialled.payload;
      await alice.send('accept', { call_id, ...media });
      for (const mode of ['closed', 'silent', 'http'] as const) {
        await proxy.set(mode);
        await expect.poll(() => readiness(sim), LIMIT).toEqual(failing('redis'));
        expect((await dial(carol, 'dave')).error?.code).toBe(1_400_999);
        expect(sim.exchange.liveCalls.map(({ callId }) => callId)).toEqual([call_id]);
        expect((await alice.send('alive', { call_id })).error).toBeUndefined();
        expect(log).toContain('error: the redis does not work (REDIS_URL)');
        await proxy.set('open');
        await expect.poll(() => readiness(sim), LIMIT).toEqual(READY);
        log.length = 0;
      }
      await expect.poll(async () => (await dial(carol, 'dave')).error, LIMIT).toBeUndefined();
      await bob.send('end', { call_id });
    },
  );
});

describe.skipIf(NO_COTURN !== undefined)('coturn', () => {
  const SECRET = 'the-secret-of-the-relay';

  test(
    'that is absent, or refuses the secret: one line of the log names the setting, /readyz fails, and recovers',
    { timeout: scaled(120_000) },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'ringback-turn-'));
      undo.push(() => rmSync(folder, { recursive: true }));
      const turn = await testTurn();
      undo.push(() => turn.stop());
      const running = deployment({
        RINGBACK_DATABASE_URL: join(folder, 'calls.db'),
        TURN_URL: turn.url,
        TURN_SECRET: SECRET,
      });
      await running.saw(/public https:\/\/calls\.example/);
      const sim = { url: urlIn(running.out) };
      await running.saw(
        /"msg":"relay 1 of 1 \(TURN_URL\) cannot be used: it (refuses the connection|does not answer)"/,
      );
      expect(await readiness(sim)).toEqual(failing('relay'));
      await turn.start('another-secret-of-a-relay');
      await running.saw(/"msg":"relay 1 of 1 \(TURN_URL\) cannot be used: it refuses the secret"/, scaled(40_000));
      expect(await readiness(sim)).toEqual(failing('relay'));
      await turn.stop();
      await turn.start(SECRET);
      await expect.poll(() => readiness(sim), { ...LIMIT, timeout: scaled(40_000) }).toEqual(READY);
      expect(running.err).not.toContain('127.0.0.1');
    },
  );
});

describe.skipIf(NO_JANUS !== undefined)('Janus', () => {
  test(
    'whose address speaks only HTTP: a line names the setting, rooms are refused, /readyz fails, and recovers',
    { timeout: scaled(90_000) },
    async () => {
      const janus = await startJanus();
      undo.push(() => janus.dispose());
      await janus.kill();
      const web = createServer((_, response) => void response.end('hello'));
      web.listen(Number(new URL(janus.url).port), '127.0.0.1');
      await once(web, 'listening');
      undo.push(() => web.close());
      const { sim, log } = await start({ janus: { urls: [janus.url], secret: null } });
      await expect
        .poll(() => log, LIMIT)
        .toEqual([expect.stringMatching(/^error: Janus server 1 of 1 \(JANUS_URL\) cannot be used: /)]);
      expect(await readiness(sim)).toEqual(failing('janus'));
      web.closeAllConnections();
      await new Promise((resolve) => web.close(resolve));
      await janus.restart();
      await expect.poll(() => readiness(sim), LIMIT).toEqual(READY);
      expect(log).toContain('info: Janus server 1 of 1 (JANUS_URL) answers again');
    },
  );
});
