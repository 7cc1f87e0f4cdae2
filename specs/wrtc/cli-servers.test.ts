/** `ringback sim` and `ringback demo`, and a call whose peer host crashes. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Terminal as Client } from '../contract/exchange/terminals.ts';
import { createExchange } from './exchange.ts';
import { ringback, type Terminal } from './terminal.ts';

const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

function run(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  openFiles?: number,
): Terminal {
  const terminal = ringback(words, environment, openFiles);
  undo.push(() => terminal.kill());
  return terminal;
}

const addressIn = (text: string, what: string) => new RegExp(`${what} +(http://\\S+)`).exec(text)?.[1] ?? '';

/** Opens a port for another program, until the test ends. */
async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('ringback sim', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-sim-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('prints its address, its users and a first command; Ctrl-C frees the port', async () => {
    const sim = run(['sim', '--demo', '--port', '0']);
    await sim.saw(/stop +Ctrl-C/);
    const url = addressIn(sim.out, 'exchange');
    expect(sim.out).toMatch(/users +alice, bob, carol, dave and \d+ more\n/);
    expect(sim.out).toContain(`ringback dial bob --as alice --server ${url}\n`);
    expect(sim.err).toBe('');
    expect(await rulesAt(url)).toMatchObject({ billing: false });
    // A client is connected at the end of the server.
    const answer = run(['answer', '--server', url]);
    await answer.saw(/waiting as bob/);

    sim.process.kill('SIGINT');
    expect(await sim.exited()).toBe(0);
    const again = run(['sim', '--demo', '--port', new URL(url).port]);
    await again.saw(/stop +Ctrl-C/);
  });

  test('--json prints its addresses as one object when it is ready, and nothing else', async () => {
    const sim = run(['sim', '--port', '0', '--users', 'zoe', '--json']);
    await sim.saw(/\}\n/);
    const ready = JSON.parse(sim.out) as { url: string; port: number };
    expect(ready).toEqual({
      url: `http://127.0.0.1:${ready.port}`,
      websocket: `ws://127.0.0.1:${ready.port}`,
      port: expect.any(Number),
      appId: 'ringback-demo',
      demo: false,
      tokens: { zoe: expect.any(String) },
    });
    expect((await fetch(`${ready.url}/readyz`)).status).toBe(200);
  });

  test('S06 S46 has the demo users only with --demo; --users prints the access tokens of test users', async () => {
    const sim = run(['sim', '--port', '0', '--users', 'alice', 'zoe']);
    await sim.saw(/stop +Ctrl-C/);
    const [, token = ''] = /RINGBACK_TOKEN=(\S+) ringback answer --as zoe/.exec(sim.out) ?? [];
    const server = ['--server', addressIn(sim.out, 'exchange')];
    const answer = run(['answer', '--as', 'zoe', ...server], { RINGBACK_TOKEN: token });
    await answer.saw(/waiting as zoe/);
    const [other, demo] = ['alice', 'bob'].map((user) => run(['answer', '--as', user, ...server]));
    expect([await other?.exited(), await demo?.exited()]).toEqual([2, 2]);
    expect(other?.err).toMatch(/does not admit alice.*RINGBACK_TOKEN/);
    const both = run(['sim', '--demo', '--users', 'alice']);
    expect(await both.exited()).toBe(2);
  });

  test('a taken port gives 4, its number and the remedy', async () => {
    const port = await takenPort();
    const sim = run(['sim', '--demo', '--port', String(port)]);
    expect(await sim.exited()).toBe(4);
    expect(sim.out).toBe('');
    expect(sim.err).toMatch(new RegExp(`^Port ${port} of 127.0.0.1 is taken .*--port.*\n$`));
  });

  test('F54 a database that cannot be used gives 4, its setting, its name and the reason, without its password', async () => {
    const absent = run(['sim', '--demo', '--port', '0', '--database', '/dev/null/folder/calls.db']);
    expect(await absent.exited()).toBe(4);
    expect([absent.out, absent.err]).toEqual([
      '',
      '--database: Nothing can be written to /dev/null/folder: /dev/null is not a folder.\n',
    ]);
    const torn = join(folder, 'torn.db');
    writeFileSync(torn, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5_000, 1)]));
    const damaged = run(['sim', '--demo', '--port', '0', '--database', torn]);
    expect(await damaged.exited()).toBe(4);
    expect([damaged.out, damaged.err]).toEqual([
      '',
      expect.stringMatching(
        new RegExp(`^--database: The database ${torn} cannot be used: .*; restore it from a copy.*\\.\n$`),
      ),
    ]);
    const elsewhere = run([
      'demo',
      '--port',
      '0',
      '--app-port',
      '0',
      '--database',
      'mysql://me:hunter2@127.0.0.1/calls',
    ]);
    expect(await elsewhere.exited()).toBe(2);
    expect([elsewhere.out, elsewhere.err]).toEqual([
      '',
      expect.stringMatching(/^The database must be the path of a file or an address .*\n$/),
    ]);
  });

  test('F58 too few open files for a server give 4, the limit and how to raise it', async () => {
    for (const limit of [48, 511]) {
      const few = [
        ['sim', '--demo', '--port', '0'],
        ['demo', '--port', '0', '--app-port', '0'],
      ].map((words) => run(words, {}, limit));
      for (const terminal of few) {
        expect(await terminal.exited()).toBe(4);
        expect([terminal.out, terminal.err]).toEqual([
          '',
          `The process may open ${limit} files, and a server needs 512 at least: raise its limit (ulimit -n 512).\n`,
        ]);
      }
    }
  });

  test('F58 at the limit of open files a new connection is refused, a channel continues, and later connections are accepted', async () => {
    const sim = run(['sim', '--demo', '--port', '0'], {}, 512);
    await sim.saw(/stop +Ctrl-C/);
    const url = addressIn(sim.out, 'exchange');
    const alice = await Client.signIn({ url }, 'alice');
    undo.push(() => alice.socket.terminate());
    const sockets: Socket[] = [];
    undo.push(() => sockets.forEach((socket) => socket.destroy()));
    const refused = new Promise<void>((resolve) => {
      for (let count = 0; count < 512; count += 1) {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        socket.on('error', () => undefined).once('close', () => resolve());
        sockets.push(socket);
      }
    });
    await refused;
    expect((await alice.send('heartbeat', {})).error).toBeUndefined();
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect.poll(() => fetch(`${url}/healthz`).then(({ status }) => status, String)).toBe(200);
    expect((await alice.send('heartbeat', {})).error).toBeUndefined();
    expect([alice.closeCode, sim.process.exitCode]).toEqual([undefined, null]);
  });

  test('warns when it admits other machines', async () => {
    const sim = run(['sim', '--demo', '--port', '0', '--host', '0.0.0.0']);
    await sim.saw(/stop +Ctrl-C/);
    expect(sim.err).toMatch(/^Warning: at 0\.0\.0\.0 the exchange is open to the network.*\/demo\/mailbox/);
  });

  test('an address that this machine does not have gives 4 and the option to choose another, without a warning about it', async () => {
    const [elsewhere, unknown] = ['203.0.113.5', 'no.such.invalid'].map((host) =>
      run(['sim', '--demo', '--port', '0', '--host', host]),
    );
    expect(await elsewhere?.exited()).toBe(4);
    expect(elsewhere?.err).toBe(
      'The server cannot listen at 203.0.113.5 (EADDRNOTAVAIL): choose an address of this machine with --host.\n',
    );
    expect(await unknown?.exited()).toBe(4);
    expect(unknown?.err).toMatch(/^The server cannot listen at no\.such\.invalid \(E\w+\): choose .* with --host\.\n$/);
  });

  test('an empty address is wrong usage, because it would mean every address', async () => {
    const sim = run(['sim', '--demo', '--port', '0', '--host', '']);
    expect(await sim.exited()).toBe(2);
    expect(sim.err.trim().split('\n')).toHaveLength(1);
  });
});

describe('the services of the environment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-services-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('sim stores in the database of DATABASE_URL and says so; --database replaces it; a wrong address starts nothing', async () => {
    const path = join(folder, 'from-environment.db');
    const sim = run(['sim', '--demo', '--port', '0'], { DATABASE_URL: path });
    await sim.saw(/stop +Ctrl-C/);
    expect(sim.out).toMatch(/^services +DATABASE_URL$/m);
    expect(existsSync(path)).toBe(true);
    const other = run(['sim', '--demo', '--port', '0', '--database', ':memory:'], { DATABASE_URL: 'mysql://db' });
    await other.saw(/stop +Ctrl-C/);
    expect(other.out).not.toMatch(/services/);
    for (const words of [
      ['sim', '--demo', '--port', '0'],
      ['demo', '--port', '0', '--app-port', '0'],
      ['load', '--rate', '1', '--duration', '1s'],
    ]) {
      const wrong = run(words, { DATABASE_URL: 'mysql://db' });
      expect(await wrong.exited()).toBe(2);
      expect([wrong.out, wrong.err]).toEqual([
        '',
        'database.url (DATABASE_URL): must be the path of a file, or postgres://…\n',
      ]);
    }
  });
});

describe('ringback sim --config', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const environment = {
    RINGBACK_PORT: '0',
    RINGBACK_PUBLIC_URL: 'https://calls.example',
    RINGBACK_ALLOWED_ORIGINS: 'https://app.example',
    RINGBACK_DATABASE_URL: join(folder, 'calls.db'),
    RINGBACK_COURIER_URL: 'https://letters.example',
    RINGBACK_COURIER_SECRET: 'a-secret-of-the-deployment',
  };

  test('S46 a configuration with faults starts nothing: 2, and a line for each of them', async () => {
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, 'port: high\nlogLevel: loud\n');
    const sim = run(['sim', '--config', file]);
    expect(await sim.exited()).toBe(2);
    expect(sim.out).toBe('');
    expect(sim.err.trim().split('\n')).toHaveLength(6);
    const both = run(['sim', '--demo', '--config', file]);
    expect(await both.exited()).toBe(2);
  });

  test('S46 a JANUS_URL that is no address starts nothing; one that refuses is a line of the log, and the server runs', async () => {
    const wrong = run(['sim', '--config'], { ...environment, JANUS_URL: 'http://janus.example' });
    expect(await wrong.exited()).toBe(2);
    expect(wrong.err).toMatch(/^.*janus\.urls\.0 \(JANUS_URL\): must be an address like wss:\S+\n$/);
    // Port 9 (discard), at which no program listens.
    const refusing = run(['sim', '--config'], { ...environment, JANUS_URL: 'ws://127.0.0.1:9' });
    await refusing.saw(/public https:\/\/calls\.example/);
    await expect
      .poll(() => refusing.err)
      .toMatch(/"msg":"Janus server 1 of 1 \(JANUS_URL\) cannot be used: .*ECONNREFUSED/);
    const ready = await fetch(`${addressIn(refusing.out, 'exchange')}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'failing', failing: ['janus'] }]);
    refusing.process.kill('SIGTERM');
    expect(await refusing.exited()).toBe(0);
    expect(refusing.err.trim().split('\n')).toHaveLength(1);
  });

  test('F59 S43 runs a deployment: no demo, ready until SIGTERM, which ends it with 0; a second process is refused', async () => {
    const sim = run(['sim', '--config'], environment);
    await sim.saw(/public https:\/\/calls\.example/);
    const url = addressIn(sim.out, 'exchange');
    const statuses = await Promise.all(
      ['/readyz', '/demo/users', '/scripts'].map(async (path) => (await fetch(`${url}${path}`)).status),
    );
    expect(statuses).toEqual([200, 404, 404]);
    const second = run(['sim', '--config'], environment);
    expect(await second.exited()).toBe(4);
    expect(second.err).toMatch(/is open in another exchange/);
    sim.process.kill('SIGTERM');
    expect(await sim.exited()).toBe(0);
    expect(sim.err).toBe('');
  });
});

// Needs the built app (npm run build), as the command itself does.
/** The rules of the platform, as its product server sends them. */
const rulesAt = async (url: string): Promise<unknown> => (await fetch(`${url}/meta/rules`)).json();

describe('ringback demo', () => {
  test('starts both servers, prints three users and a dial; Ctrl-C ends both', async () => {
    const demo = run(['demo', '--port', '0', '--app-port', '0']);
    await demo.saw(/stop +Ctrl-C/);
    const [app, exchange] = [addressIn(demo.out, 'open'), addressIn(demo.out, 'exchange')];
    expect(demo.out).toMatch(/sign in +as alice, bob or carol/);
    expect(demo.out).toContain(`npx ringback dial alice --as bob --server ${exchange}\n`);
    expect(await (await fetch(app)).text()).toContain('<html');
    expect(await (await fetch(`${app}/config.js`)).text()).toContain(exchange);
    expect(await rulesAt(exchange)).toMatchObject({ billing: true });

    demo.process.kill('SIGINT');
    expect(await demo.exited()).toBe(0);
    for (const url of [app, exchange]) await expect(fetch(url)).rejects.toThrow();
  });

  test('a taken port is named, with the option that selects another', async () => {
    const port = String(await takenPort());
    const [exchange, app] = [run(['demo', '--port', port]), run(['demo', '--port', '0', '--app-port', port])];
    expect(await exchange.exited()).toBe(4);
    expect(exchange.err).toMatch(new RegExp(`^Port ${port} .* with --port, .*\n$`));
    expect(await app.exited()).toBe(4);
    expect(app.err).toMatch(new RegExp(`^Port ${port} .* with --app-port, .*\n$`));
  });
});

test('a peer host that crashes in a call gives one line and 29; Ctrl-C ends the other side at the latest', async () => {
  const exchange = await createExchange();
  undo.push(() => exchange.close());
  const environment = { RINGBACK_SERVER: exchange.url };
  const answer = run(['answer'], environment);
  await answer.saw(/waiting/);
  const dial = run(['dial', 'bob', '--for', '60s'], environment);
  await dial.saw(/in {2}audio tone/);
  const host = readFileSync(`/proc/${dial.process.pid}/task/${dial.process.pid}/children`, 'utf8').trim();
  process.kill(Number(host), 'SIGSEGV');
  expect(await dial.exited()).toBe(29);
  expect(dial.err).toBe('The peer host crashed in the call (SIGSEGV). Its result is unknown.\n');
  answer.process.kill('SIGINT');
  expect(await answer.exited()).toBe(130);
});

test('a command that cannot be loaded gives one line and 70, without a stack', async () => {
  const module = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
  const refuse = "if (name.includes('chunks/dial-')) throw new Error('no such file');";
  const hooks = module(`export async function resolve(name, context, next) { ${refuse} return next(name, context); }`);
  const register = module(`import { register } from 'node:module'; register(${JSON.stringify(hooks)});`);
  const dial = run(['dial', 'bob'], { NODE_OPTIONS: `--import ${register}` });
  expect(await dial.exited()).toBe(70);
  expect(dial.err).toMatch(/^ringback failed: .*no such file.*\n$/);
});
