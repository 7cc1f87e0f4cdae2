/** `ringback doctor`: its runner, its judgements, and its output. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Check,
  type CheckResult,
  fail,
  ok,
  runChecks,
  skipped,
  warning,
  wordOf,
} from '../../../cli/doctor/check.ts';
import { judgeClock, judgeNode, listenOnce, OLDEST_NODE } from '../../../cli/doctor/machine-checks.ts';
import {
  judgeConnect,
  judgeMedia,
  judgePermissions,
  judgeScripts,
  metaPolicies,
  parsePolicies,
} from '../../../cli/doctor/page-policy.ts';
import { findLibrary, judgeLibrary, judgeSession, judgeVersion } from '../../../cli/doctor/page-library.ts';
import { holderOf, inodesOf } from '../../../cli/doctor/port-holder.ts';
import { judgeCors, judgeSecure, judgeServerClock, serverChecks } from '../../../cli/doctor/server-checks.ts';
import { judgeDisk, serviceChecks } from '../../../cli/doctor/service-checks.ts';
import { whyNoChromium } from '../../../cli/worlds/browser/chromium.ts';
import { parseOrigin, parsePage } from '../../../cli/arguments/values.ts';
import { doctor } from '../../../cli/commands/doctor.ts';
import { EXIT } from '../../../cli/exit-codes.ts';
import { doctorLines, doctorSummary } from '../../../cli/reporters/doctor.ts';
import { LIBRARY_VERSION } from '../../../src/protocol/limits.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { command } from './support/command.ts';

/** A clock whose timers fire when the test says so. */
function handClock() {
  const due: { readonly ms: number; readonly run: () => void }[] = [];
  return {
    due,
    after(ms: number, run: () => void) {
      const timer = { ms, run };
      due.push(timer);
      return { cancel: () => void due.splice(due.indexOf(timer), 1) };
    },
  };
}

/** Returns a port at which no program listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function resultsOf(checks: readonly Check[], clock = handClock(), signal = new AbortController().signal) {
  const shown: CheckResult[] = [];
  const results = await runChecks(checks, { clock, signal, onResult: (result) => shown.push(result) });
  expect(shown).toEqual(results);
  return results;
}

describe('the runner', () => {
  it('reports in the order of the checks, and frees each deadline', async () => {
    const clock = handClock();
    let end = (): void => undefined;
    const slow = new Promise<void>((resolve) => (end = resolve));
    const checks = [
      { name: 'slow', run: () => slow.then(() => ok('done')) },
      { name: 'quick', run: async () => (end(), skipped('not set')) },
    ];
    expect((await resultsOf(checks, clock)).map(({ name }) => name)).toEqual(['slow', 'quick']);
    expect(clock.due).toEqual([]);
  });

  it('fails a check at its deadline, and aborts it', async () => {
    const clock = handClock();
    let signal: AbortSignal | undefined;
    const check: Check = {
      name: 'hangs',
      limitMs: 3_000,
      run: (given) => ((signal = given), new Promise(() => undefined)),
    };
    const running = resultsOf([check], clock);
    expect(clock.due.map(({ ms }) => ms)).toEqual([3_000]);
    clock.due[0]?.run();
    expect(await running).toMatchObject([{ state: 'fail', text: 'no result within 3 s' }]);
    expect(signal?.aborted).toBe(true);
  });

  it('ends at once at Ctrl-C, and reports no result of what was stopped', async () => {
    const interrupted = new AbortController();
    const running = resultsOf(
      [{ name: 'hangs', run: () => new Promise(() => undefined) }],
      handClock(),
      interrupted.signal,
    );
    interrupted.abort();
    expect(await running).toEqual([]);
  });

  it('an error is a failure without its message, which may have an address', async () => {
    const error = new TypeError('fetch failed', {
      cause: Object.assign(new Error('connect http://u:secret@host'), { code: 'ECONNREFUSED' }),
    });
    expect(wordOf(error)).toBe('ECONNREFUSED');
    const check = { name: 'broken', run: () => Promise.reject(new Error('redis://:secret@host')) };
    expect(await resultsOf([check])).toMatchObject([{ state: 'fail', text: 'the check failed: Error' }]);
  });
});

describe('this machine', () => {
  it('the oldest version of Node is that of package.json', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${OLDEST_NODE.join('.')}`);
    const oldest = ['18.20.0', '20.18.9', '20.19.0', '22.0.0'].map((version) => judgeNode(version).state);
    expect(oldest).toEqual(['fail', 'fail', 'ok', 'ok']);
  });

  it('a clock that goes back fails', () => {
    expect(judgeClock([1, 1, 2]).state).toBe('ok');
    expect(judgeClock([1, 2, 1.5]).state).toBe('fail');
  });

  it('a port that is taken has the name of its program', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await listenOnce(port)).toBe('EADDRINUSE');
    if (process.platform === 'linux') expect(await holderOf(port)).toContain(`(process ${process.pid})`);
    server.close();
    await once(server, 'close');
    expect(await listenOnce(port)).toBeNull();
  });

  it('reads only listening sockets of the port from the table of the kernel', () => {
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      '   0: 0100007F:1306 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1',
      '   1: 0100007F:1306 0100007F:9999 01 00000000:00000000 00:00000000 00000000     0        0 4712 1',
      '   2: 0100007F:1307 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1',
    ].join('\n');
    expect(inodesOf(table, 4870)).toEqual(['4711']);
  });
});

describe('services', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringback-doctor-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const check = async (environment: Record<string, string>, name: string) => {
    const found = serviceChecks(environment, nodeClock).find((one) => one.name === name);
    return found?.run(new AbortController().signal);
  };

  it('skips each service that has no setting, and names the setting', async () => {
    const results = await resultsOf(serviceChecks({}, nodeClock));
    expect(results.every(({ state }) => state === 'skipped')).toBe(true);
    expect(results.find(({ name }) => name === 'redis')?.text).toBe('REDIS_URL is not set');
  });

  it('a wrong setting is one failure that names its variable', async () => {
    const results = await resultsOf(serviceChecks({ JANUS_URL: 'http://secret.example' }, nodeClock));
    expect(results).toMatchObject([{ name: 'settings', state: 'fail' }]);
    expect(results[0]?.text).toContain('JANUS_URL');
    expect(results[0]?.text).not.toContain('secret.example');
  });

  it('creates no SQLite file, and fails a file that is none and a folder that is missing', async () => {
    const fresh = join(folder, 'calls.db');
    expect(await check({ DATABASE_URL: fresh }, 'database')).toMatchObject({ state: 'ok' });
    expect(() => readFileSync(fresh)).toThrow(/ENOENT/);
    writeFileSync(join(folder, 'text.db'), 'some other file here');
    expect(await check({ DATABASE_URL: join(folder, 'text.db') }, 'database')).toMatchObject({
      state: 'fail',
      text: 'the file is no SQLite database',
    });
    const missing = { DATABASE_URL: join(folder, 'none/calls.db') };
    expect(await check(missing, 'database')).toMatchObject({ state: 'fail' });
    expect(await check(missing, 'disk')).toMatchObject({ state: 'fail' });
  });

  it('names the setting of a service that cannot be reached, and never its password', async () => {
    // Port 9 (discard), at which no program listens.
    const environment = {
      DATABASE_URL: 'postgres://ada:pass-word@127.0.0.1:9/calls',
      REDIS_URL: 'redis://:pass-word@127.0.0.1:9',
      JANUS_URL: 'ws://127.0.0.1:9',
      JANUS_SECRET: 'pass-word',
      TURN_URL: 'turn:127.0.0.1:9?transport=tcp',
      TURN_SECRET: 'pass-word-of-the-relay',
    };
    const results = (await resultsOf(serviceChecks(environment, nodeClock))).filter(({ state }) => state !== 'skipped');
    expect(results.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'database fail',
      'redis fail',
      'turn fail',
      'janus fail',
    ]);
    expect(JSON.stringify(results)).not.toMatch(/pass-word|127\.0\.0\.1|\bada\b/);
    expect(results.map(({ fix }) => fix?.includes('_URL'))).toEqual([true, true, true, true]);
  });

  it('warns of a disk with less than 1 GiB, and fails below 100 MiB', () => {
    expect([99, 100, 1_023, 1_024].map((mib) => judgeDisk(mib).state)).toEqual(['fail', 'warning', 'warning', 'ok']);
  });
});

describe('an exchange and a page', () => {
  const page = new URL('https://app.example/');
  const api = new URL('https://calls.example/');
  const connect = (policy: string, at = page, to = api) =>
    judgeConnect(parsePolicies(policy), { page: at, api: to }).state;

  it.each([
    ['', 'ok'],
    ["script-src 'self'", 'ok'],
    ["default-src 'self'", 'fail'],
    ["default-src 'none'; connect-src https://calls.example wss://calls.example", 'ok'],
    ['connect-src https://calls.example', 'fail'],
    ['connect-src https: wss:', 'ok'],
    ['connect-src https:', 'fail'],
    ['connect-src *', 'ok'],
    ['connect-src https://*.example wss://*.example', 'ok'],
    ['connect-src https://calls.example:444 wss://calls.example', 'fail'],
    ['connect-src https://calls.example/v1/ wss://calls.example/v1/realtime', 'ok'],
    ['connect-src https://calls.example/v2/ wss://calls.example', 'fail'],
    ["connect-src *, connect-src 'self'", 'fail'],
    ["connect-src 'self'; connect-src *", 'fail'],
  ])('connect-src: %s is %s', (policy, state) => {
    expect(connect(policy)).toBe(state);
  });

  it("'self' covers requests and sockets of the page's own host, and of no other port", () => {
    expect(connect("connect-src 'self'", page, new URL('https://app.example/calls/'))).toBe('ok');
    const here = new URL('http://localhost:4871/');
    expect(connect("connect-src 'self'", here, new URL('http://localhost:4871/'))).toBe('ok');
    expect(connect("connect-src 'self'", here, new URL('http://localhost:4870/'))).toBe('fail');
  });

  it('names what to add to connect-src', () => {
    const found = judgeConnect(parsePolicies("connect-src 'self' https://calls.example"), { page, api });
    expect(found.fix).toBe('add to connect-src: wss://calls.example');
  });

  it.each([
    ["script-src 'none'", 'fail'],
    ["default-src 'none'", 'fail'],
    ["script-src 'self'", 'ok'],
    ["script-src 'nonce-r4nd0m'", 'ok'],
    ['script-src https://cdn.example', 'ok'],
    ["script-src 'unsafe-inline'", 'fail'],
  ])('script-src: %s is %s', (policy, state) => {
    expect(judgeScripts(parsePolicies(policy)).state).toBe(state);
  });

  it('media-src that blocks files of the page is a warning', () => {
    expect(judgeMedia(parsePolicies("default-src 'none'"), page).state).toBe('warning');
    expect(judgeMedia(parsePolicies("default-src 'none'; media-src 'self'"), page).state).toBe('ok');
  });

  it('reads the policies of meta elements, with either order of their attributes', () => {
    const html = `<META content="connect-src 'none'" HTTP-EQUIV='Content-Security-Policy'><meta name="x" content="connect-src *">`;
    expect(judgeConnect(metaPolicies(html), { page, api }).state).toBe('fail');
    expect(metaPolicies('<meta name="description" content="connect-src">')).toEqual([]);
  });

  it.each([
    [null, 'ok'],
    ['camera=(), microphone=(self)', 'fail'],
    ['camera=(self), microphone=("https://other.example")', 'fail'],
    ['camera=(self "https://other.example"), microphone=*', 'ok'],
    ['camera=("https://app.example"), microphone=(self), display-capture=()', 'warning'],
  ])('permissions policy: %s is %s', (header, state) => {
    expect(judgePermissions(header, page).state).toBe(state);
  });

  it('a page must be secure, and an https page needs an https exchange', () => {
    const states = (server: string, of: string | null) =>
      judgeSecure(new URL(server), of === null ? null : new URL(of));
    expect(states('https://calls.example', 'http://app.example').state).toBe('fail');
    expect(states('http://calls.example', 'https://app.example').state).toBe('fail');
    expect(states('http://calls.example', null).state).toBe('warning');
    expect(states('http://127.0.0.1:4870', 'http://localhost:3000').state).toBe('ok');
    expect(states('https://calls.example', 'https://app.example').state).toBe('ok');
  });

  it('CORS must name the origin of the page, and every header of the library', () => {
    const answer = (headers: Record<string, string>, isOk = true) =>
      judgeCors({ ok: isOk, headers: new Headers(headers) }, page.origin, ['content-type', 'x-client-id']);
    const allow = { 'access-control-allow-origin': page.origin };
    expect(answer({}).fix).toContain('"ringback sim --allow-origin https://app.example"');
    expect(() => parseOrigin('foo')).toThrow('An origin is a scheme and a host');
    expect(() => parseOrigin('https://app.test/in')).toThrow('An origin is a scheme and a host');
    expect(parseOrigin('http://localhost:3000')).toBe('http://localhost:3000');
    expect(answer(allow, false).state).toBe('fail');
    expect(answer({ ...allow, 'access-control-allow-headers': 'Content-Type' }).text).toContain('lacks x-client-id');
    expect(answer({ ...allow, 'access-control-allow-headers': 'X-Client-Id, content-type' }).state).toBe('ok');
  });

  it('finds the library in the scripts of a page, also in those that they load, and compares its version', async () => {
    const files: Record<string, string> = {
      '/main.js': 'const part = () => import("./parts/calls.js"); import("https://cdn.example/x.js")',
      '/parts/calls.js': `const v = "${LIBRARY_VERSION}", h = "x-library-version"`,
      '/old.js': 'const v = `0.9.1`, h = "x-library-version"',
    };
    const read: string[] = [];
    const judged = async (html: string) =>
      judgeLibrary(
        await findLibrary(html, page, async ({ href, pathname }) => (read.push(href), files[pathname] ?? null)),
      );
    expect(await judged('<script type="module" src="/main.js"></script>')).toMatchObject({ state: 'ok' });
    expect(read).toEqual(['https://app.example/main.js', 'https://app.example/parts/calls.js']);
    expect(await judged('<link rel=modulepreload href="/old.js">')).toMatchObject({
      state: 'warning',
      fix: expect.stringContaining('npm install ringback@latest'),
    });
    expect((await judged('<script src="/absent.js"></script>')).state).toBe('skipped');
  });

  it('compares the version of the exchange, and warns of sessions shorter than an hour', () => {
    expect(judgeVersion('1.2.3', '1.2.3').state).toBe('ok');
    expect(judgeVersion('1.2.0', '1.2.3')).toMatchObject({ state: 'warning', fix: 'npm install ringback-lab@1.2.0' });
    expect([judgeVersion(undefined, '1.2.3').state, judgeVersion('unknown', '1.2.3').state]).toEqual([
      'skipped',
      'skipped',
    ]);
    expect(judgeSession(86_400)).toEqual({ state: 'ok', text: 'a session is 24 h' });
    expect(judgeSession(300)).toMatchObject({ state: 'warning', fix: expect.stringContaining('sessionMs') });
    expect([judgeSession(3_599).state, judgeSession(3_600).state]).toEqual(['warning', 'ok']);
    expect([judgeSession(0).state, judgeSession(undefined).state]).toEqual(['fail', 'skipped']);
  });

  it('clocks that differ by more than 30 s are a warning', () => {
    const date = 'Mon, 05 Jan 2026 10:00:00 GMT';
    expect(judgeServerClock(date, Date.parse(date) + 30_000).state).toBe('ok');
    expect(judgeServerClock(date, Date.parse(date) - 31_000).state).toBe('warning');
    expect(judgeServerClock(null, 0).state).toBe('skipped');
  });
});

describe('an address that is no exchange', () => {
  const undo: (() => void)[] = [];
  afterEach(() => undo.splice(0).forEach((one) => one()));

  async function serve(type: string, text: string): Promise<string> {
    const server = createHttpServer((_, response) => response.writeHead(200, { 'content-type': type }).end(text));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    undo.push(() => server.close());
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const checked = async (server: string, page?: string) => {
    const results = await runChecks(serverChecks({ server, page }, nodeClock), {
      clock: nodeClock,
      signal: new AbortController().signal,
      onResult: () => undefined,
    });
    return new Map(results.map((result) => [result.name, result]));
  };

  it('is reported once when no program listens there, and not as a fault of a proxy', async () => {
    const results = await checked(`http://127.0.0.1:${await freePort()}`, 'http://127.0.0.1:1/');
    expect(results.get('exchange')).toMatchObject({ state: 'fail', text: 'no exchange answers (ECONNREFUSED)' });
    for (const name of ['https', 'sockets', 'server clock', 'version', 'cors'])
      expect([name, results.get(name)?.state, results.get(name)?.text]).toEqual([
        name,
        'skipped',
        'the exchange does not answer (ECONNREFUSED)',
      ]);
    // Port 1 is one of those to which no client sends.
    expect(results.get('page')?.text).toBe('the page does not answer (browsers block this port)');
    expect(JSON.stringify([...results])).not.toMatch(/TypeError|AbortError/);
  });

  it('speaks http and not https, which the checks of https say', async () => {
    const host = await serve('text/html', '<!doctype html>');
    const results = await checked(`https://${host}`);
    for (const name of ['exchange', 'https'])
      expect(results.get(name)).toMatchObject({
        state: 'fail',
        text: 'the server there speaks http, not https',
        fix: expect.stringContaining(`http://${host}`),
      });
    expect(results.get('sockets')?.state).toBe('skipped');
  });

  it('answers as an API, which is no page', async () => {
    const host = await serve('application/json', '{}');
    const results = await checked(`http://${host}`, `http://${host}/users`);
    expect(results.get('page')).toMatchObject({ state: 'fail', text: 'application/json is no page of HTML' });
    expect(results.get('connect-src')?.state).toBe('skipped');
  });
});

it('a CHROMIUM_PATH that is no program is named', () => {
  expect(whyNoChromium({ CHROMIUM_PATH: '/nope' })).toBe(
    'CHROMIUM_PATH is /nope, which is no program: correct or remove it',
  );
  expect(whyNoChromium({})).toContain('no Chromium found');
});

describe('the command', () => {
  it('--page needs --server, and takes no password and no query', async () => {
    await expect(command(doctor, '--page', 'https://app.example')).rejects.toMatchObject({ exitCode: EXIT.usage });
    expect(() => parsePage('https://ada:pass-word@app.example')).toThrow(/without a user and a password/);
    expect(parsePage('https://app.example/in?token=1#2')).toBe('https://app.example/in');
  });

  it('--json prints one object, and exits with 4 when a check fails', async () => {
    const { out, code } = await command(doctor, '--server', `http://127.0.0.1:${await freePort()}`, '--json');
    const report = JSON.parse(out) as { ok: boolean; counts: { fail: number }; checks: CheckResult[] };
    expect([code, report.ok]).toEqual([EXIT.environment, false]);
    expect(report.checks.find(({ name }) => name === 'exchange')).toMatchObject({
      state: 'fail',
      text: 'no exchange answers (ECONNREFUSED)',
    });
    expect(report.checks.find(({ name }) => name === 'cors')).toMatchObject({ state: 'skipped' });
  });

  it('prints a line for each check, and what removes a failure', () => {
    const results = [
      { name: 'udp', ...ok('packets pass') },
      { name: 'disk', ...warning('little', 'make space') },
      { name: 'redis', ...fail('no answer', 'start Redis') },
    ];
    expect(results.map(doctorLines).join('')).toBe(
      [
        'ok       udp            packets pass',
        'warning  disk           little',
        '                        fix: make space',
        'fail     redis          no answer',
        '                        fix: start Redis',
        '',
      ].join('\n'),
    );
    expect(doctorSummary(results)).toBe('1 ok, 1 warning, 1 fail, 0 skipped\n');
  });
});
