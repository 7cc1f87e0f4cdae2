/** `ringback doctor` against a running exchange, with pages whose policies are right and wrong. */
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { CheckResult } from '../../cli/doctor/check.ts';
import { EXIT } from '../../cli/exit-codes.ts';
import { LIBRARY_VERSION } from '../../src/protocol/limits.ts';
import { NO_JANUS, startJanus } from './janus-server.ts';
import { ringback, type Terminal } from './terminal.ts';
import { NO_COTURN, testTurn } from './turn-server.ts';

const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Terminal {
  const terminal = ringback(words, environment);
  undo.push(() => terminal.kill());
  return terminal;
}

/** Serves a page with these headers. Returns its address. */
async function servePage(headers: OutgoingHttpHeaders, html = '<!doctype html><title>Host</title>'): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, headers).end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function startSim(...options: readonly string[]): Promise<string> {
  const sim = run(['sim', '--demo', '--port', '0', ...options]);
  await sim.saw(/stop +Ctrl-C/);
  return /exchange +(http:\S+)/.exec(sim.out)?.[1] ?? '';
}

/** Runs the command with --json. Returns its exit code, and its checks by name. */
async function doctor(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const terminal = run(['doctor', '--json', ...words], environment);
  const code = await terminal.exited(60_000);
  const { checks } = JSON.parse(terminal.out) as { checks: CheckResult[] };
  return { code, checks: new Map(checks.map((check) => [check.name, check])), out: terminal.out };
}

describe('ringback doctor', () => {
  test('all is well with an exchange of this machine and a page whose policies name it', async () => {
    const server = await startSim();
    const headers = {
      'content-security-policy': `default-src 'self'; connect-src ${server} ${server.replace('http', 'ws')}`,
      'permissions-policy': 'camera=(self), microphone=(self)',
    };
    const page = await servePage(headers, `<script>["x-library-version", "${LIBRARY_VERSION}"]</script>`);
    const { code, checks } = await doctor(['--server', server, '--page', page]);
    expect([...checks.values()].filter(({ state }) => state !== 'ok')).toEqual([]);
    expect([...checks.keys()]).toEqual(
      expect.arrayContaining(['exchange', 'sockets', 'cors', 'connect-src', 'version', 'session', 'library']),
    );
    expect(code).toBe(EXIT.ok);
  });

  test('a page with a wrong policy fails, and the line names what to add', async () => {
    const server = await startSim();
    const page = await servePage(
      { 'content-security-policy': `connect-src ${server}`, 'permissions-policy': 'camera=(), microphone=(self)' },
      `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">`,
    );
    const { code, checks } = await doctor(['--server', server, '--page', page]);
    expect(checks.get('connect-src')).toMatchObject({
      state: 'fail',
      fix: `add to connect-src: ${server.replace('http', 'ws')}`,
    });
    expect(checks.get('script-src')?.state).toBe('fail');
    expect(checks.get('permissions')).toMatchObject({ state: 'fail', fix: 'send Permissions-Policy: camera=(self)' });
    expect(checks.get('cors')?.state).toBe('ok');
    expect(code).toBe(EXIT.environment);
  });

  test('the fix of a refused origin permits it', async () => {
    const page = ['--page', 'https://app.invalid/'];
    const refused = await doctor(['--server', await startSim(), ...page]);
    expect(refused.checks.get('cors')).toMatchObject({
      state: 'fail',
      fix: expect.stringContaining('"ringback sim --allow-origin https://app.invalid"'),
    });
    const server = await startSim('--allow-origin', 'https://app.invalid');
    expect((await doctor(['--server', server, ...page])).checks.get('cors')?.state).toBe('ok');
    // Its own app stays permitted.
    expect((await fetch(`${server}/demo/users`, { headers: { origin: server } })).status).toBe(200);
  });

  test('a server that is no exchange fails: its requests, its sockets and its preflight', async () => {
    const server = (await servePage({ 'content-type': 'text/html' })).slice(0, -1);
    const { code, checks } = await doctor(['--server', server, '--page', `${server}/`]);
    const failing = [...checks.values()].filter(({ state }) => state === 'fail').map(({ name }) => name);
    expect(failing).toEqual(['exchange', 'sockets', 'cors']);
    expect(code).toBe(EXIT.environment);
  });

  test('the media engine connects on loopback, and services are named without their passwords', async () => {
    const { checks, out } = await doctor([], { REDIS_URL: 'redis://:pass-word@127.0.0.1:9' });
    expect(checks.get('engine')).toMatchObject({ state: 'ok' });
    expect(checks.get('udp')).toMatchObject({ state: 'ok' });
    expect(checks.get('redis')).toMatchObject({ state: 'fail' });
    expect(out).not.toContain('pass-word');
  });

  test('Ctrl-C ends it at once', async () => {
    // A server that accepts connections, and says nothing.
    const silent = createTcpServer();
    const accepted = new Promise<void>((resolve) => silent.once('connection', () => resolve()));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    undo.push(() => void silent.close());
    const terminal = run(['doctor', '--server', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`]);
    await accepted;
    terminal.process.kill('SIGINT');
    expect(await terminal.exited(8_000)).toBe(EXIT.interrupted);
  });
});

describe('ringback doctor with services of this machine', () => {
  const SECRET = 'a secret of the relay';

  test('a PostgreSQL and a Redis answer', async (context) => {
    const { DATABASE_URL: database, REDIS_URL: redis } = process.env;
    if (!database || !redis) context.skip('DATABASE_URL and REDIS_URL name no servers');
    const { checks } = await doctor([], { DATABASE_URL: database ?? '', REDIS_URL: redis ?? '' });
    expect(checks.get('database')).toMatchObject({ state: 'ok', text: 'PostgreSQL answers (DATABASE_URL)' });
    expect(checks.get('disk')).toMatchObject({ state: 'skipped', text: 'the database is not on this machine' });
    expect(checks.get('redis')).toMatchObject({
      state: 'ok',
      text: 'Redis answers, accepts writes, scripts and channels (REDIS_URL)',
    });
  });

  test('a coturn allocates with the secret of the exchange, and fails with another one', async (context) => {
    if (NO_COTURN !== undefined) context.skip(NO_COTURN);
    const relay = await testTurn();
    undo.push(() => relay.stop());
    await relay.start(SECRET);
    const turn = async (secret: string) =>
      (await doctor([], { TURN_URL: relay.url, TURN_SECRET: secret })).checks.get('turn');
    expect(await turn(SECRET)).toMatchObject({ state: 'ok', text: 'each relay allocates (TURN_URL)' });
    expect(await turn('another secret of the relay')).toMatchObject({
      state: 'fail',
      fix: expect.stringContaining('TURN_SECRET'),
    });
  });

  test('a Janus answers with its secret, and fails with another one', async (context) => {
    if (NO_JANUS !== undefined) context.skip(NO_JANUS);
    const janus = await startJanus(0, SECRET);
    undo.push(() => janus.dispose());
    const answer = async (secret: string) =>
      (await doctor([], { JANUS_URL: janus.url, JANUS_SECRET: secret })).checks.get('janus');
    expect(await answer(SECRET)).toMatchObject({ state: 'ok', text: 'each Janus server answers (JANUS_URL)' });
    expect(await answer('another secret of the relay')).toMatchObject({ state: 'fail' });
  });
});
