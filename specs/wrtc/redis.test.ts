/** The shared state on a Redis that ends, restarts, stops answering or is none. */
import { createServer as createHttpServer, type Server } from 'node:http';
import { connect, createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/common/clock.ts';
import { StateUnreachable, type SharedState } from '../../sim/cluster/shared-state.ts';
import { checkRedis } from '../../sim/redis/check-redis.ts';
import { openRedisState } from '../../sim/redis/redis-state.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import { scaled } from '../../tools/run/machine-factor.ts';
import {
  NO_REDIS_SERVER,
  startRedis,
  startRedisCluster,
  replicated,
  startReplica,
  type TestRedis,
} from '../contract/shared-state/redis-server.ts';
import { freePort } from '../unit/support/free-port.ts';

const LIMIT = scaled(500);
const LIFE = 60_000;
/** After this time the servers of a Redis Cluster agree that one is lost. Milliseconds. */
const NODE_TIMEOUT = scaled(1_000);

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function aRedis(settings?: readonly string[]): Promise<TestRedis> {
  const redis = await startRedis(settings);
  ends.push(() => redis.dispose());
  return redis;
}

async function open(url: string): Promise<SharedState> {
  const state = await openRedisState({ url, application: 'test', clock: nodeClock, limitMs: LIMIT });
  ends.push(() => state.close());
  return state;
}

/** Waits until `holds`, and rejects after a limit. */
async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + scaled(20_000);
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns the error of an operation, and how long it took. */
async function failureOf(operation: Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const start = performance.now();
  const error = await operation.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { error, ms: performance.now() - start };
}

/** Collects the texts of a channel at one node, and sends texts from another one. */
async function aChannel(from: SharedState, to: SharedState) {
  const texts: string[] = [];
  await to.subscribe('channel', (text) => texts.push(text));
  return {
    /** Resolves when a text arrives that was sent after this call. */
    async carries(name: string): Promise<void> {
      await until(async () => {
        await from.publish('channel', name).catch(() => undefined);
        return texts.includes(name);
      }, `${name} arrives`);
    },
  };
}

const skipped = NO_REDIS_SERVER !== undefined;
if (skipped) console.warn(`skipped: ${NO_REDIS_SERVER}`);

describe.skipIf(skipped)('the shared state on a Redis that fails', () => {
  test('rejects operations while Redis is gone, and goes on after its restart, without data', async () => {
    const redis = await aRedis();
    const [one, two] = [await open(redis.url), await open(redis.url)];
    const changes: boolean[] = [];
    one.onReachable((isReachable) => changes.push(isReachable));
    const channel = await aChannel(two, one);
    await one.set('key', 'value', LIFE);
    await one.append('list', ['entry'], 10, LIFE);
    await redis.kill();
    await until(() => !one.isReachable && !two.isReachable, 'both learn it');
    for (const operation of [one.get('key'), one.append('list', ['lost'], 1, LIFE), one.publish('channel', 'lost')]) {
      const { error, ms } = await failureOf(operation);
      expect(error).toBeInstanceOf(StateUnreachable);
      expect(ms).toBeLessThan(LIMIT + scaled(500));
    }
    await expect(one.subscribe('other', () => undefined)).rejects.toBeInstanceOf(StateUnreachable);
    await redis.restart();
    await until(() => one.isReachable && two.isReachable, 'both are connected again');
    expect(changes).toEqual([false, true]);
    await channel.carries('after the restart');
    expect([await one.get('key'), (await two.list('list')).last]).toEqual([null, 0]);
    expect(await two.append('list', ['new'], 10, LIFE)).toBe(1);
  });

  test('rejects within the limit while Redis does not answer, and goes on when it does', async () => {
    const redis = await aRedis();
    const [one, two] = [await open(redis.url), await open(redis.url)];
    const channel = await aChannel(two, one);
    await one.set('key', 'value', LIFE);
    redis.freeze(true);
    const running = await Promise.all(Array.from({ length: 50 }, () => failureOf(one.get('key'))));
    for (const { error, ms } of running) {
      expect(error).toBeInstanceOf(StateUnreachable);
      expect(ms).toBeLessThan(LIMIT + scaled(500));
    }
    expect(one.isReachable).toBe(false);
    const { ms } = await failureOf(one.get('key'));
    expect(ms).toBeLessThan(LIMIT + scaled(500));
    // The other node asks nothing, and learns it from its own probe.
    await until(() => !two.isReachable, 'the other node learns it');
    redis.freeze(false);
    await until(() => one.isReachable && two.isReachable, 'both are connected again');
    expect(await two.get('key')).toBe('value');
    await channel.carries('after the pause');
  });

  test('opens without a Redis, and is reachable when it has started', async () => {
    const redis = await aRedis();
    await redis.kill();
    const start = performance.now();
    const state = await open(redis.url);
    expect(state.isReachable).toBe(false);
    expect(performance.now() - start).toBeLessThan(LIMIT + scaled(500));
    await redis.restart();
    await until(() => state.isReachable, 'it is connected');
    await state.set('key', 'value', LIFE);
  });

  test('is unreachable while Redis refuses writes, and names no secret', async () => {
    const [primary, redis] = [await aRedis(), await aRedis()];
    const state = await open(redis.url);
    const control = await open(primary.url);
    expect([state.isReachable, control.isReachable]).toEqual([true, true]);
    await setting(redis, ['replicaof', '127.0.0.1', String(primary.port)]);
    await until(() => !state.isReachable, 'it refuses writes');
    const { error } = await failureOf(state.set('key', 'value', LIFE));
    expect(error).toBeInstanceOf(StateUnreachable);
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(new RegExp(`${redis.password}|${redis.port}`));
    await setting(redis, ['replicaof', 'no', 'one']);
    await until(() => state.isReachable, 'it accepts writes');
  });

  test('calls the state unreachable while its memory is full', async () => {
    const redis = await aRedis();
    const state = await open(redis.url);
    await setting(redis, ['config', 'set', 'maxmemory', '1']);
    await expect(state.set('key', 'value', LIFE)).rejects.toEqual(
      new StateUnreachable('Redis refused the operation: OOM'),
    );
    expect(state.isReachable).toBe(false);
    await setting(redis, ['config', 'set', 'maxmemory', '0']);
    await until(() => state.isReachable, 'it accepts writes');
  });

  test('opens other connections when those of a network die without a word', async () => {
    const redis = await aRedis();
    const network = await aNetwork(redis.port);
    const [one, two] = [await open(network.url(redis)), await open(redis.url)];
    const channel = await aChannel(two, one);
    const changes: boolean[] = [];
    one.onReachable((isReachable) => changes.push(isReachable));
    network.forgetConnections();
    await until(() => changes.length === 2, 'it connects anew');
    expect(changes).toEqual([false, true]);
    await one.set('key', 'value', LIFE);
    await channel.carries('over other connections');
  });

  test('follows the address to the server that accepts writes after a failover', async () => {
    const [old, replica] = [await aRedis(), await aRedis()];
    const network = await aNetwork(old.port);
    // Both servers have the password of the first.
    await setting(replica, ['config', 'set', 'requirepass', old.password]);
    const state = await open(network.url(old));
    network.lead(replica.port);
    await setting(old, ['replicaof', '127.0.0.1', String(replica.port)]);
    await until(() => !state.isReachable, 'the old server refuses writes');
    await until(() => state.isReachable, 'it writes at the other server');
    await state.set('key', 'value', LIFE);
  });

  test('tells its listeners that texts may be lost when only the subscriptions are cut', async () => {
    const redis = await aRedis();
    const [one, two] = [await open(redis.url), await open(redis.url)];
    const channel = await aChannel(two, one);
    const changes: boolean[] = [];
    one.onReachable((isReachable) => changes.push(isReachable));
    await setting(redis, ['client', 'kill', 'type', 'pubsub']);
    await until(() => changes.length === 2, 'it subscribes anew');
    expect(changes).toEqual([false, true]);
    await channel.carries('after the cut');
  });

  test('leaves no connection and no timer behind, whatever state Redis is in', async () => {
    const redis = await aRedis();
    const { clock, pending } = aCountingClock();
    const start = () => openRedisState({ url: redis.url, application: 'test', clock, limitMs: LIMIT });
    const resources = () => process.getActiveResourcesInfo().filter((kind) => /Timeout|TCP/.test(kind)).length;
    const before = resources();
    const close = async (state: SharedState) => {
      const running = failureOf(state.get('key'));
      await state.close();
      expect((await running).error).toBeInstanceOf(StateUnreachable);
      expect(pending()).toBe(0);
      await until(() => resources() <= before, `${resources()} resources are closed, as ${before} were before`);
    };
    const busy = await start();
    await Promise.all(Array.from({ length: 20 }, () => busy.set('key', 'value', LIFE)));
    await close(busy);
    const frozen = await start();
    redis.freeze(true);
    await close(frozen);
    await close(await start());
    redis.freeze(false);
    const lost = await start();
    await redis.kill();
    await until(() => !lost.isReachable, 'it learns it');
    await close(lost);
    await close(await start());
  });
});

describe.skipIf(skipped)('the shared state on a Redis Cluster that fails', () => {
  test.each(['is killed and restarts', 'does not answer for a time'])('goes on when each server %s', async (how) => {
    const cluster = await startRedisCluster(NODE_TIMEOUT);
    ends.push(() => cluster.dispose());
    const [one, two] = [await open(cluster.url), await open(cluster.url)];
    const channel = await aChannel(two, one);
    const keys = Array.from({ length: 30 }, (_, at) => `key ${at}`);
    for (const server of cluster.servers) {
      if (how.startsWith('is killed')) await server.kill();
      else server.freeze(true);
      const answers = await Promise.all(keys.map((key) => failureOf(one.set(key, 'value', LIFE))));
      for (const { error, ms } of answers) {
        if (error !== null) expect(error).toBeInstanceOf(StateUnreachable);
        expect(ms).toBeLessThan(LIMIT + scaled(500));
      }
      await until(() => !one.isReachable && !two.isReachable, 'both learn that a part is gone');
      if (how.startsWith('is killed')) await server.restart();
      else server.freeze(false);
      await until(() => one.isReachable && two.isReachable, 'both reach all servers again');
      for (const key of keys) await one.set(key, 'value', LIFE);
      await channel.carries(`after server ${server.port}`);
    }
  });
});

describe.skipIf(skipped)('the shared state on a Redis Cluster with a replica', () => {
  test.each(['is killed', 'stops answering'])('goes on at the replica when its master %s', async (how) => {
    const cluster = await startRedisCluster(NODE_TIMEOUT);
    ends.push(() => cluster.dispose());
    const [master] = cluster.servers;
    if (!master) throw new Error('there are three');
    const replica = await startReplica(master, NODE_TIMEOUT);
    ends.push(() => replica.dispose());
    const [one, two] = [await open(cluster.url), await open(cluster.url)];
    const channel = await aChannel(two, one);
    const keys = Array.from({ length: 30 }, (_, at) => `key ${at}`);
    for (const key of keys) await one.set(key, 'value', LIFE);
    await replicated(master, replica);
    if (how === 'is killed') await master.kill();
    else master.freeze(true);
    await until(() => !one.isReachable, 'it learns that a part is gone');
    await until(() => one.isReachable && two.isReachable, 'it reaches the replica');
    expect(await Promise.all(keys.map((key) => two.get(key)))).toEqual(keys.map(() => 'value'));
    await channel.carries('after the failover');
  });
});

/** Returns a clock that counts the timers which have neither fired nor been cancelled. */
function aCountingClock(): { readonly clock: Clock; readonly pending: () => number } {
  const timers = new Set<object>();
  const clock: Clock = {
    ...nodeClock,
    after(ms, run) {
      const timer = nodeClock.after(ms, () => {
        timers.delete(timer);
        run();
      });
      timers.add(timer);
      return {
        cancel: () => {
          timers.delete(timer);
          timer.cancel();
        },
      };
    },
  };
  return { clock, pending: () => timers.size };
}

/** Starts a proxy to a server, as a network whose connections can die without a word. */
async function aNetwork(to: number) {
  let port = to;
  const carried = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, other] of [
      [near, far],
      [far, near],
    ] as const) {
      carried.add(from);
      from.on('error', () => undefined);
      from.on('data', (data) => carried.has(from) && other.write(data));
      from.on('close', () => carried.has(from) && other.destroy());
    }
  });
  const listens = await listening(proxy);
  return {
    /** Returns the address of a server behind the proxy. */
    url: ({ password }: TestRedis) => `redis://:${password}@127.0.0.1:${listens}`,
    /** Carries nothing more over the present connections, and leaves them open. */
    forgetConnections: () => carried.clear(),
    /** Leads new connections to another port. */
    lead: (other: number) => {
      port = other;
    },
  };
}

/** Sends a command with a separate connection. */
async function setting(redis: Pick<TestRedis, 'url'>, command: [string, ...string[]]): Promise<void> {
  const { Redis } = await import('ioredis');
  const client = new Redis(redis.url);
  const [name, ...rest] = command;
  await client.call(name, ...rest);
  client.disconnect();
}

/** Starts a server that is no Redis, and returns its port. */
async function listening(server: Server | NetServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe.skipIf(skipped)('the check of the address of Redis', () => {
  const check = (url: string) => checkRedis(url, { clock: nodeClock, limitMs: LIMIT });
  const line = (problem: string) => `redis.url (REDIS_URL): ${problem}`;

  test('finds nothing wrong with a Redis and with a Redis Cluster, also when one address leads nowhere', async () => {
    const redis = await aRedis();
    expect(await check(redis.url)).toBeNull();
    const cluster = await startRedisCluster();
    ends.push(() => cluster.dispose());
    expect(await check(cluster.url)).toBeNull();
    const [first] = cluster.servers;
    expect(await check(`redis://:${first?.password}@127.0.0.1:${await freePort()},${cluster.url}`)).toBeNull();
    expect(await check(first?.url ?? '')).toBe(
      line('address 1 is a server of a Redis Cluster: name several of its servers, with commas'),
    );
    expect(await check(`${redis.url},${redis.url}`)).toBe(line('address 1 is not a server of a Redis Cluster'));
  });

  test('names what is wrong with a login', async () => {
    const { port, password, url } = await aRedis();
    expect(await check(`redis://127.0.0.1:${port}`)).toBe(line('address 1 requires a password'));
    const wrong = await check(`redis://:wrong-${password}@127.0.0.1:${port}`);
    expect(wrong).toBe(line('the user or the password of address 1 is wrong'));
    await setting({ url }, ['acl', 'setuser', 'reader', 'on', `>${password}`, '~*', '+@read', '+info']);
    expect(await check(`redis://reader:${password}@127.0.0.1:${port}`)).toBe(
      line('the user of address 1 lacks the right to write, to run scripts, or to use channels'),
    );
    // The rights of docs/deployment.md, first without that to read the time in a script.
    const rights = ['+@read', '+@write', '+@connection', '+@pubsub', '+@scripting', '+info'];
    const user = ['acl', 'setuser', 'ringback', 'on', `>${password}`, '~ringback:*', '&ringback:*'] as const;
    await setting({ url }, [...user, ...rights]);
    const own = `redis://ringback:${password}@127.0.0.1:${port}`;
    expect(await check(own)).toBe(
      line('the user of address 1 lacks the right to write, to run scripts, or to use channels'),
    );
    await setting({ url }, [...user, '+time']);
    expect(await check(own)).toBeNull();
    const state = await open(own);
    await state.subscribe('channel', () => undefined);
    await state.publish('channel', 'text');
    expect(await state.charge('bucket', { burst: 2, perSecond: 1 }, 1)).toBe(0);
    expect(await state.count('window', { most: 2, lifeMs: LIFE }, 1)).toBe(0);
    expect(await state.append('list', ['entry'], 10, LIFE)).toBe(1);
    expect(await state.changeFields('fields', { set: { a: '1' }, lifeMs: LIFE })).toBe(true);
    expect(await state.setAbsent('claim', 'one', LIFE)).toBeNull();
    await state.remove(['claim']);
  });

  test("names a right that a script lacks, in Valkey's words too", async () => {
    const refusal = "-ERR ACL failure in script: User ringback has no permissions to run the 'time' command\r\n";
    const server = await listening(createServer((socket) => socket.on('data', () => socket.write(refusal))));
    expect(await check(`redis://127.0.0.1:${server}`)).toBe(
      line('the user of address 1 lacks the right to write, to run scripts, or to use channels'),
    );
  });

  test('names a server that refuses writes', async () => {
    const [primary, replica] = [await aRedis(), await aRedis()];
    await setting(replica, ['replicaof', '127.0.0.1', String(primary.port)]);
    expect(await check(replica.url)).toBe(
      line('address 1 is a read-only replica: name the server that accepts writes'),
    );
    const full = await aRedis(['--maxmemory', '1', '--maxmemory-policy', 'noeviction']);
    expect(await check(full.url)).toBe(line('address 1 refuses writes, because its memory is full'));
  });

  test('names an incomplete Redis Cluster, and servers that it announces and that cannot be reached', async () => {
    const cluster = await startRedisCluster();
    ends.push(() => cluster.dispose());
    const [first, , third] = cluster.servers;
    third?.freeze(true);
    expect(await check(`${first?.url},${first?.url}`)).toBe(
      line('a server that the Redis Cluster announces cannot be reached from here'),
    );
    third?.freeze(false);
    const alone = await aRedis(['--cluster-enabled', 'yes']);
    expect(await check(`${alone.url},${alone.url}`)).toBe(line('the Redis Cluster of address 1 is not complete'));
  });

  test('names a host that does not exist, and a port at which no server listens', async () => {
    const secret = 'user:secret';
    const unknown = await check(`redis://${secret}@no-such-host.invalid:6379`);
    expect(unknown).toMatch(
      /^redis\.url \(REDIS_URL\): the host name of address 1 (is not known|cannot be looked up now)$/,
    );
    expect(await check(`redis://${secret}@127.0.0.1:${await freePort()}`)).toBe(line('no server listens at address 1'));
  });

  test('names servers that are no Redis', async () => {
    const http = await listening(createHttpServer((_, response) => response.end('hello')));
    expect(await check(`redis://127.0.0.1:${http}`)).toMatch(
      /: address 1 (is no Redis|closes the connection: it is no Redis)/,
    );
    const silent = await listening(createServer(() => undefined));
    expect(await check(`redis://127.0.0.1:${silent}`)).toBe(
      line(`address 1 accepts the connection, but does not answer as Redis within ${LIMIT} ms`),
    );
    const closing = await listening(createServer((socket) => socket.destroy()));
    expect(await check(`redis://127.0.0.1:${closing}`)).toBe(
      line('address 1 closes the connection: it is no Redis, or it expects TLS (rediss://)'),
    );
    const { port, password } = await aRedis();
    expect(await check(`rediss://:${password}@127.0.0.1:${port}`)).toBe(
      line(`address 1 does not answer with TLS within ${LIMIT} ms: without TLS it is redis:// instead of rediss://`),
    );
  });
});
