/** Redis servers for tests: processes with their own folder, ports and password, without rights and without a copy on disk. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { freePort } from '../../unit/support/free-port.ts';

/** The reason why tests that start Redis are skipped. Undefined when they run. */
export const NO_REDIS_SERVER = spawnSync('redis-server', ['--version']).error
  ? 'Redis is not installed: apt-get install redis-server'
  : undefined;

/** The reason why tests of a given Redis are skipped. Undefined when they run. */
export const NO_REDIS = process.env['REDIS_URL'] ? undefined : 'REDIS_URL names no Redis to test with';

const newPassword = () => randomBytes(9).toString('hex');

export interface TestRedis {
  /** The address, with the password. */
  readonly url: string;
  readonly port: number;
  /** The port for the other servers of a Redis Cluster. */
  readonly bus: number;
  readonly password: string;
  /** Kills the process, as the end of its machine would. Its data is lost. */
  kill(): Promise<void>;
  /** Starts the process again with the same ports, without data. */
  restart(): Promise<void>;
  /** Stops the process from answering, without its end, or lets it go on. */
  freeze(isFrozen: boolean): void;
  /** Kills the process and removes its folder. */
  dispose(): Promise<void>;
}

/** Starts a server. @param settings - more of its settings, for example `['--maxmemory', '1mb']`. */
export async function startRedis(settings: readonly string[] = [], password = newPassword()): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-redis-'));
  // Root starts the server without rights, so the folder is open to other users. It holds no data.
  chmodSync(folder, 0o777);
  const common = ['--bind', '127.0.0.1', '--dir', folder, '--requirepass', password, '--masterauth', password];
  const withoutDisk = ['--save', '', '--appendonly', 'no', '--databases', '4'];
  const { port, bus, args, child: first } = await startAtFreePort([...common, ...withoutDisk, ...settings]);
  let child = first;
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    ...{ port, bus, password, kill },
    restart: async () => {
      await kill();
      child = await run(args);
    },
    freeze: (isFrozen) => void child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
    dispose: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a server at ports that are free. Another process may take one of them first, and then others are tried. */
async function startAtFreePort(settings: readonly string[]) {
  let failure: unknown;
  for (let tries = 0; tries < 3; tries += 1) {
    const [port, bus] = [await freePort(), await freePort()];
    const args = ['--port', String(port), '--cluster-port', String(bus), ...settings];
    try {
      return { port, bus, args, child: await run(args) };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

export interface TestRedisCluster {
  /** The addresses of all servers, with commas. */
  readonly url: string;
  readonly servers: readonly TestRedis[];
  dispose(): Promise<void>;
}

const SLOTS = 16_384;
const MASTERS = 3;

/**
 * Starts a Redis Cluster of three masters.
 *
 * @param nodeTimeoutMs - the time after which the servers agree that one is lost. Long, so that a busy machine loses none.
 */
export async function startRedisCluster(nodeTimeoutMs = 60_000): Promise<TestRedisCluster> {
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(nodeTimeoutMs)];
  const password = newPassword();
  const servers = await Promise.all(Array.from({ length: MASTERS }, () => startRedis(settings, password)));
  const dispose = async () => void (await Promise.all(servers.map((server) => server.dispose())));
  const clients = servers.map(({ url }) => new Redis(url));
  try {
    const share = SLOTS / MASTERS;
    for (const [at, client] of clients.entries()) {
      await client.cluster('SET-CONFIG-EPOCH', at + 1);
      await client.cluster('ADDSLOTSRANGE', Math.ceil(at * share), Math.ceil((at + 1) * share) - 1);
    }
    // A server takes no epoch after it has met another one.
    for (const [at, client] of clients.entries()) {
      for (const [other, { port, bus }] of servers.entries()) {
        if (other > at) await client.call('CLUSTER', 'MEET', '127.0.0.1', port, bus);
      }
    }
    const inTime = limited('the Redis Cluster was not formed in time');
    for (const client of clients) while (!isComplete(await client.cluster('INFO'))) inTime();
  } catch (error) {
    await dispose();
    throw error;
  } finally {
    for (const client of clients) client.disconnect();
  }
  return { url: servers.map(({ url }) => url).join(','), servers, dispose };
}

/** Adds a server that takes over when a master is lost. The cluster's `dispose` does not end it. */
export async function startReplica(of: TestRedis, nodeTimeoutMs: number): Promise<TestRedis> {
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(nodeTimeoutMs)];
  const replica = await startRedis(settings, of.password);
  const [client, master] = [new Redis(replica.url), new Redis(of.url)];
  try {
    await client.call('CLUSTER', 'MEET', '127.0.0.1', of.port, of.bus);
    const id = await master.cluster('MYID');
    const inTime = limited('the replica was not added in time');
    // The servers learn of each other one after another.
    while (!String(await client.cluster('NODES')).includes(id)) inTime();
    await client.cluster('REPLICATE', id);
    while (!(await client.info('replication')).includes('master_link_status:up')) inTime();
  } catch (error) {
    await replica.dispose();
    throw error;
  } finally {
    client.disconnect();
    master.disconnect();
  }
  return replica;
}

/** Waits until a replica has everything that its master has written so far. Redis confirms a write before that. */
export async function replicated(of: TestRedis, replica: TestRedis): Promise<void> {
  const [master, copy] = [new Redis(of.url), new Redis(replica.url)];
  const offset = async (client: Redis, name: string) =>
    Number(new RegExp(`${name}:(\\d+)`).exec(await client.info('replication'))?.[1] ?? -1);
  try {
    const written = await offset(master, 'master_repl_offset');
    const inTime = limited('the replica did not follow in time');
    while ((await offset(copy, 'slave_repl_offset')) < written) inTime();
  } finally {
    master.disconnect();
    copy.disconnect();
  }
}

/** Returns a function that throws after a time limit. */
function limited(reason: string): () => void {
  const end = performance.now() + scaled(20_000);
  return () => {
    if (performance.now() > end) throw new Error(reason);
  };
}

const isComplete = (info: string): boolean =>
  /^cluster_state:ok\b/m.test(info) && info.includes(`cluster_size:${MASTERS}\r`);

/** Starts the process, and waits until it listens. It ends with the process of the test. */
async function run(args: readonly string[]): Promise<ChildProcess> {
  const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups'];
  const child = spawn(
    'setpriv',
    [...(process.getuid?.() === 0 ? asNobody : []), '--no-new-privs', '--pdeathsig=KILL', 'redis-server', ...args],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`Redis did not start: ${reason}\n${output}`));
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      fail('it did not listen in time');
    }, scaled(15_000));
    const read = (data: Buffer) => {
      if (output.length < 100_000) output += data.toString();
      if (!output.includes('Ready to accept connections')) return;
      clearTimeout(limit);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(limit);
      fail(`it ended with ${code}`);
    });
  });
  return child;
}
