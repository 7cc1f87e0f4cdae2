/** The configuration of a deployment: its values, their sources, and the message for each fault. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { servicesOfEnvironment } from '../../../cli/services.ts';
import { VARIABLES } from '../../../sim/server/configuration/environment.ts';
import { ConfigurationError, readConfiguration } from '../../../sim/server/configuration/read-configuration.ts';
import { simOptionsOf } from '../../../sim/server/configuration/sim-options.ts';
import { startSim } from '../../../sim/server/start-sim.ts';
import { createWebhookCourier } from '../../../sim/server/webhook-courier.ts';

const folder = mkdtempSync(join(tmpdir(), 'ringback-configuration-'));
afterAll(() => rmSync(folder, { recursive: true }));
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0)) await one();
});

const SECRET = 'a-secret-of-the-deployment';
let files = 0;
function aFile(text: string): string {
  const path = join(folder, `${(files += 1)}.yaml`);
  writeFileSync(path, text);
  return path;
}

const WHOLE = `
publicUrl: https://calls.example
allowedOrigins: [https://app.example]
database: { url: ${join(folder, 'calls.db')} }
courier: { url: https://letters.example/post, secret: ${SECRET} }
`;

const read = (text: string | undefined, environment: Record<string, string> = {}) =>
  readConfiguration({ file: text === undefined ? undefined : aFile(text), environment });

function faultsOf(text: string | undefined, environment: Record<string, string> = {}): readonly string[] {
  try {
    read(text, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}

describe('a configuration', () => {
  it('is complete with an address, the origin of the app, a database and a courier; the rest has defaults', () => {
    expect(read(WHOLE)).toMatchObject({
      ...{ host: '127.0.0.1', port: 4870, billing: true, logLevel: 'warn', drainMs: 5_000 },
      ...{ webhookHosts: [], trustedProxies: [], allowedHosts: [] },
    });
    expect(faultsOf(undefined)).toEqual([
      'publicUrl (RINGBACK_PUBLIC_URL): is missing',
      'allowedOrigins (RINGBACK_ALLOWED_ORIGINS): is missing',
      'database: is missing',
      'courier: is missing',
    ]);
  });

  it('S46 reports every fault at once, one in a line, and repeats no value', () => {
    const wrong = `
publicUrl: http://calls.example
allowedOrigins: [https://app.example/path]
port: 70000
demo: true
trustedProxies: [proxy.example]
database: { url: "mysql://me:hunter2@db/calls", connections: 1 }
courier: { url: http://letters.example, secret: hunter2 }
webhookHosts: ["hooks.example:8443", "hooks.example:99999"]
logLevel: loud
janus: { urls: ["http://janus.example", "ws://me:hunter2@janus.example"] }
`;
    const faults = faultsOf(wrong, { RINGBACK_DRAIN_MS: 'soon', RINGBACK_DATABSE_URL: 'x' });
    expect(faults.toSorted()).toEqual(
      [
        'RINGBACK_DATABSE_URL: there is no such variable',
        'publicUrl (RINGBACK_PUBLIC_URL): must be an https address',
        'allowedOrigins.0 (RINGBACK_ALLOWED_ORIGINS): must be an origin like https://app.example, without a path',
        'port (RINGBACK_PORT): must be from 0 to 65535',
        'trustedProxies.0 (RINGBACK_TRUSTED_PROXIES): must be an IP address or a network like 10.0.0.0/8',
        'database.url (RINGBACK_DATABASE_URL): must be the path of a file, or postgres://…',
        'database.connections (RINGBACK_DATABASE_CONNECTIONS): must be at least 2',
        'courier.url (RINGBACK_COURIER_URL): must be an https address',
        'courier.secret (RINGBACK_COURIER_SECRET): must have at least 16 characters',
        'webhookHosts.1 (RINGBACK_WEBHOOK_HOSTS): must be a host, with a port of at most 65535',
        'janus.urls.0 (JANUS_URL): must be an address like wss://janus.example:8989',
        'janus.urls.1 (JANUS_URL): must have no user and no password: set janus.secret',
        `logLevel (RINGBACK_LOG_LEVEL): must be one of debug, info, warn, error, silent`,
        'drainMs (RINGBACK_DRAIN_MS): must be a number of milliseconds',
        'demo: there is no such setting',
      ].toSorted(),
    );
    expect(faults.join()).not.toContain('hunter2');
  });

  it('can come from the environment alone, which has priority over the file', () => {
    const environment = {
      RINGBACK_PUBLIC_URL: 'https://other.example',
      RINGBACK_ALLOWED_ORIGINS: 'https://app.example, https://beta.example',
      RINGBACK_DATABASE_URL: 'postgres://db/calls',
      RINGBACK_DATABASE_CONNECTIONS: '20',
      RINGBACK_COURIER_URL: 'https://letters.example',
      RINGBACK_COURIER_SECRET_FILE: aFile(`${SECRET}\n`),
      RINGBACK_BILLING: 'false',
      JANUS_URL: 'ws://one.example:8188, wss://two.example',
      JANUS_SECRET_FILE: aFile(`${SECRET}\n`),
      // Other programs may have such names.
      JANUS_HOME: '/opt/janus',
    };
    const expected = {
      janus: { urls: ['ws://one.example:8188', 'wss://two.example'], secret: SECRET },
      publicUrl: 'https://other.example',
      allowedOrigins: ['https://app.example', 'https://beta.example'],
      database: { url: 'postgres://db/calls', connections: 20 },
      courier: { url: 'https://letters.example', secret: SECRET },
      billing: false,
    };
    expect(read(undefined, environment)).toMatchObject(expected);
    expect(read(WHOLE, environment)).toMatchObject(expected);
  });

  it('a list of Janus servers is not empty and has no server twice, and a secret needs a list', () => {
    expect(faultsOf(WHOLE, { JANUS_URL: ' , ' })).toEqual(['janus.urls (JANUS_URL): must name a server']);
    expect(faultsOf(WHOLE, { JANUS_URL: 'ws://a,ws://a' })).toEqual([
      'janus.urls (JANUS_URL): must name each server once',
    ]);
    expect(faultsOf(WHOLE, { JANUS_SECRET: SECRET })).toEqual(['janus.urls (JANUS_URL): is missing']);
    expect(faultsOf(WHOLE, { JANUS_URL: 'ws://a', JANUS_URL_FILE: '/x' })).toEqual([
      'JANUS_URL_FILE: JANUS_URL is set as well',
    ]);
  });

  it('the ports of rooms are a range, and their addresses are IP addresses', () => {
    const environment = { RINGBACK_ROOM_PORTS: '40000-40999', RINGBACK_ROOM_ADDRESSES: '203.0.113.7, 2001:db8::7' };
    expect(simOptionsOf(read(WHOLE, environment)).roomUdp).toEqual({
      ports: [40_000, 40_999],
      addresses: ['203.0.113.7', '2001:db8::7'],
    });
    expect(simOptionsOf(read(WHOLE)).roomUdp).toBeUndefined();
    for (const [ports, fault] of [
      ['40000', 'must be a range like 40000-40999'],
      ['40999-40000', 'must be within 1024-65535'],
      ['80-90', 'must be within 1024-65535'],
      ['40000-70000', 'must be within 1024-65535'],
    ] as const) {
      expect(faultsOf(WHOLE, { RINGBACK_ROOM_PORTS: ports })).toEqual([`rooms.ports (RINGBACK_ROOM_PORTS): ${fault}`]);
    }
    expect(faultsOf(WHOLE, { RINGBACK_ROOM_ADDRESSES: 'calls.example' })).toEqual([
      'rooms.addresses.0 (RINGBACK_ROOM_ADDRESSES): must be an IP address',
    ]);
  });

  it('S46 has a secret by a variable or a file, not by both; a missing file is a fault', () => {
    const both = { RINGBACK_COURIER_SECRET: SECRET, RINGBACK_COURIER_SECRET_FILE: aFile(SECRET) };
    // The line of a file ends in a line break.
    expect(read(WHOLE, { RINGBACK_BILLING_FILE: aFile('false\n') })).toMatchObject({ billing: false });
    expect(faultsOf(WHOLE, both)).toEqual(['RINGBACK_COURIER_SECRET_FILE: RINGBACK_COURIER_SECRET is set as well']);
    expect(faultsOf(WHOLE, { RINGBACK_RELAY_SECRET_FILE: '/no/such/file' })[0]).toBe(
      'RINGBACK_RELAY_SECRET_FILE: the file cannot be read',
    );
    expect(() => readConfiguration({ file: '/no/such/file', environment: {} })).toThrow('the file cannot be read');
    expect(faultsOf('publicUrl: [')[0]).toMatch(/\.yaml:1:\d+: this is neither YAML nor JSON$/);
    expect(faultsOf('- a list')[0]).toMatch(/must be a list of settings by name$/);
  });

  it('takes the names that platforms set: DATABASE_URL, REDIS_URL, TURN_URL and TURN_SECRET', () => {
    const plain = {
      RINGBACK_PUBLIC_URL: 'https://calls.example',
      RINGBACK_ALLOWED_ORIGINS: 'https://app.example',
      RINGBACK_COURIER_URL: 'https://letters.example',
      RINGBACK_COURIER_SECRET: SECRET,
      DATABASE_URL: 'postgres://db/calls',
      REDIS_URL_FILE: aFile('rediss://:hunter2@one.example:6379, rediss://two.example\n'),
      TURN_URL: 'turn:relay.example:3478, turns:relay.example:443',
      TURN_SECRET: SECRET,
    };
    expect(simOptionsOf(read(undefined, plain))).toMatchObject({
      database: 'postgres://db/calls',
      redis: { url: 'rediss://:hunter2@one.example:6379, rediss://two.example' },
      relay: { urls: ['turn:relay.example:3478', 'turns:relay.example:443'], secret: SECRET },
    });
    // The own name may repeat the value.
    expect(faultsOf(undefined, { ...plain, RINGBACK_DATABASE_URL: 'postgres://db/calls' })).toEqual([]);
  });

  it('S46 refuses two names of one setting with different values, and names the variable that is set', () => {
    const postgres = WHOLE.replace(join(folder, 'calls.db'), 'postgres://db/calls');
    expect(faultsOf(postgres, { RINGBACK_DATABASE_URL: 'postgres://a/b', DATABASE_URL: 'postgres://c/d' })).toEqual([
      'RINGBACK_DATABASE_URL, DATABASE_URL: have different values: set one of them',
    ]);
    expect(faultsOf(postgres, { DATABASE_URL: 'mysql://db/calls' })).toEqual([
      'database.url (DATABASE_URL): must be the path of a file, or postgres://…',
    ]);
    expect(faultsOf(postgres, { TURN_URL: 'https://relay.example', TURN_SECRET: SECRET })).toEqual([
      'relay.urls.0 (TURN_URL): must be an address like turn:relay.example:3478',
    ]);
    expect(faultsOf(postgres, { TURN_URL: 'turn:relay.example' })).toEqual([
      'relay.secret (RINGBACK_RELAY_SECRET): is missing',
    ]);
  });

  it('S46 the address of Redis is one server or one cluster, and needs a database that all nodes share', () => {
    const postgres = WHOLE.replace(join(folder, 'calls.db'), 'postgres://db/calls');
    const faultOfRedis = (url: string) =>
      faultsOf(postgres, { REDIS_URL: url }).map((fault) => fault.replace('redis.url (REDIS_URL): ', ''));
    for (const url of ['redis://cache', 'redis://cache:6379/3', 'rediss://me:hunter2@[::1]:7000', 'redis://a,b:7001'])
      expect(faultOfRedis(url)).toEqual([]);
    for (const url of ['cache', 'http://hunter2@cache', 'redis://', 'redis://cache/db', 'redis://hunter2@cache?db=1'])
      expect(faultOfRedis(url)).toEqual([expect.stringMatching(/^address 1 (?!.*hunter2)/)]);
    expect(faultOfRedis('redis://a/1,redis://b')).toEqual(['a Redis Cluster has only database 0']);
    expect(faultsOf(WHOLE, { REDIS_URL: 'redis://cache' })).toEqual([
      'redis.url (REDIS_URL): needs a PostgreSQL in database.url, which all nodes share',
    ]);
  });

  it('ignores what Kubernetes sets for a service of this name, and nothing else', () => {
    const links = {
      RINGBACK_PORT: 'tcp://10.0.0.11:4870',
      RINGBACK_SERVICE_HOST: '10.0.0.11',
      RINGBACK_SERVICE_PORT: '4870',
      RINGBACK_SERVICE_PORT_HTTP: '4870',
      RINGBACK_PORT_4870_TCP: 'tcp://10.0.0.11:4870',
      RINGBACK_PORT_4870_TCP_PROTO: 'tcp',
      RINGBACK_PORT_4870_TCP_PORT: '4870',
      RINGBACK_PORT_4870_TCP_ADDR: '10.0.0.11',
      RINGBACK_METRICS_PORT: 'udp://10.0.0.12:9100',
    };
    expect(read(`${WHOLE}\nport: 5000`, links).port).toBe(5_000);
    expect(read(WHOLE, { ...links, RINGBACK_PORT: '5001' }).port).toBe(5_001);
    expect(faultsOf(WHOLE, { RINGBACK_PORT: 'http://10.0.0.11' })).toEqual(['port (RINGBACK_PORT): must be a number']);
    expect(faultsOf(WHOLE, { RINGBACK_METRICS_PORT: '9100' })).toEqual([
      'RINGBACK_METRICS_PORT: there is no such variable',
    ]);
  });

  it('has a setting for every variable', () => {
    const names = Object.values(VARIABLES).flatMap(({ name, plain = name }) => [name, plain]);
    const environment = Object.fromEntries(names.map((name) => [name, '']));
    expect(faultsOf(undefined, environment).filter((fault) => fault.includes('no such'))).toEqual([]);
  });

  it('S04 S43 starts a server that is no demo, plays no scripts and posts no webhook to its own machine', async () => {
    const log: string[] = [];
    const options = simOptionsOf(read(`${WHOLE}\nport: 0\nmetricsToken: ${SECRET}`));
    expect(options).toMatchObject({
      demo: false,
      allowedHosts: ['calls.example'],
      webhookHosts: [],
      loopbackFactor: 1,
    });
    const sim = await startSim({ ...options, log: ({ message }) => void log.push(message) });
    undo.push(() => sim.close());
    const statusOf = async (path: string) => (await fetch(`${sim.url}${path}`)).status;
    const paths = ['/demo/users', '/demo/mailbox', '/scripts', '/scripts/busy/v1/x', '/metrics'];
    expect(await Promise.all(paths.map(statusOf))).toEqual([404, 404, 404, 404, 403]);
  });

  it('sells no coins without a payment provider: the card of the sandbox is declined, and no payment is simulated', async () => {
    const payments = simOptionsOf(read(WHOLE)).ports?.payments;
    const order = { orderNo: 'RB1', amount: 100, method: 'card', cardNumber: '4242424242424242' } as const;
    expect(await payments?.begin(order)).toEqual({ status: 'failed', failure: 'declined' });
    expect(await payments?.status('RB1')).toEqual({ status: 'failed', failure: 'declined' });
    expect(payments?.play).toBeNull();
  });
});

describe('the services of sim, demo and load', () => {
  const all = {
    DATABASE_URL: 'postgres://db/calls',
    REDIS_URL: 'redis://cache',
    TURN_URL: 'turn:relay.example',
    TURN_SECRET: SECRET,
    JANUS_URL: 'ws://janus.example:8188',
  };

  it('are embedded without variables', () => {
    expect(servicesOfEnvironment(undefined, { RINGBACK_PORT: '1', RINGBACK_UNKNOWN: 'x' })).toEqual({
      options: { database: ':memory:' },
      line: '',
      databaseSetting: '--database',
    });
  });

  it('come from the same variables as those of a deployment, and a line names the variables', () => {
    expect(servicesOfEnvironment(undefined, all)).toEqual({
      options: {
        database: 'postgres://db/calls',
        redis: { url: 'redis://cache' },
        relay: { urls: ['turn:relay.example'], secret: SECRET },
        relayCheck: true,
        janus: { urls: ['ws://janus.example:8188'], secret: null },
      },
      line: 'services  REDIS_URL, DATABASE_URL, TURN_URL, TURN_SECRET, JANUS_URL\n',
      databaseSetting: 'DATABASE_URL',
    });
  });

  it('--database replaces DATABASE_URL, which is not read then', () => {
    expect(servicesOfEnvironment('calls.db', { DATABASE_URL: 'mysql://db' })).toEqual({
      options: { database: 'calls.db' },
      line: '',
      databaseSetting: '--database',
    });
  });

  it('S46 end the command with a line for each fault, which repeats no value', () => {
    const wrong = { DATABASE_URL: 'mysql://hunter2@db', JANUS_URL: 'http://janus', REDIS_URL: 'hunter2' };
    expect(() => servicesOfEnvironment(undefined, wrong)).toThrow(
      [
        'redis.url (REDIS_URL): address 1 is no URL: expected redis://USER:PASSWORD@HOST:PORT, rediss:// for TLS, or several of them with commas for a Redis Cluster',
        'database.url (DATABASE_URL): must be the path of a file, or postgres://…',
        'janus.urls.0 (JANUS_URL): must be an address like wss://janus.example:8989',
      ].join('\n'),
    );
  });
});

describe('the courier of a deployment', () => {
  const letter = { to: '+886912345678', about: 'login', code: '123456', at: 1 } as const;

  it('posts each letter with its secret, and follows no redirect', async () => {
    const asked: [unknown, RequestInit | undefined][] = [];
    const fetch: typeof globalThis.fetch = async (url, init) => {
      asked.push([url, init]);
      return new Response(null, { status: 204 });
    };
    await createWebhookCourier({ url: 'https://letters.example/post', secret: SECRET, fetch }).deliver(letter);
    const [[url, init] = []] = asked;
    expect([url, init?.method, init?.redirect, init?.headers]).toEqual([
      'https://letters.example/post',
      'POST',
      'manual',
      { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` },
    ]);
    expect(JSON.parse(String(init?.body))).toEqual(letter);
  });

  it('reports that a letter was refused, without its content', async () => {
    const fetch: typeof globalThis.fetch = async () => new Response('123456', { status: 302 });
    const courier = createWebhookCourier({ url: 'https://letters.example', secret: SECRET, fetch });
    await expect(courier.deliver(letter)).rejects.toThrow(/^The courier's service answered 302\.$/);
  });
});
