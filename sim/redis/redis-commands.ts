/** The connections that carry the operations of the shared state: one to a server, or one to each of a cluster. */
import { Cluster, Redis } from 'ioredis';
import { optionsOf, tlsOf, type RedisAddress, type RedisServerOptions } from './redis-address.ts';
import { SCRIPTS } from './scripts.ts';

/** The connections for operations. */
export interface RedisCommands {
  readonly client: Redis | Cluster;
  /** Sends a text to a channel. */
  publish(channel: string, text: string): Promise<unknown>;
  /**
   * Asks each server. Rejects when one does not answer within the limit, and closes its connection, so that a new one
   * is opened.
   */
  probe(): Promise<void>;
  /** Calls the listener after the connections have changed: a new one is ready, or one is closed. */
  onConnection(listener: () => void): void;
  /** Returns the options for one more connection, to a server that is connected now. */
  another(): RedisServerOptions;
  close(): void;
}

/** A closed connection is opened again after this time, twice as long after each failure. Milliseconds. */
const FIRST_RETRY_MS = 50;
/** The longest time between two attempts. Milliseconds. */
const LAST_RETRY_MS = 1_000;
/** A connection that the server does not close is destroyed after this time. Milliseconds. */
const CLOSE_MS = 100;
/** A Redis Cluster is asked for its servers at this interval. Milliseconds. */
const SERVERS_MS = 5_000;

export const retryAfter = (attempt: number): number =>
  Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(20, attempt - 1));

/** Returns the options that all connections share. Each command rejects after the limit, also one of the handshake. */
export const commonOptions = (limitMs: number) => ({
  connectTimeout: limitMs,
  commandTimeout: limitMs,
  disconnectTimeout: CLOSE_MS,
  // An operation that was sent may have happened. Sending it again would make it happen twice.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  disableClientInfo: true,
});

/** Connects to the servers of an address. Resolves at once: the connections are made and kept in the background. */
export function connectCommands(address: RedisAddress, limitMs: number): RedisCommands {
  return address.isCluster ? toCluster(address, limitMs) : toServer(address, limitMs);
}

function toServer({ servers }: RedisAddress, limitMs: number): RedisCommands {
  const options = optionsOf(servers[0]);
  const client = new Redis({
    ...options,
    ...commonOptions(limitMs),
    retryStrategy: retryAfter,
    // Operations without a connection reject at once.
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    autoPipeliningIgnoredCommands: ['ping'],
    // After a failover the name of the server leads to another one.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    scripts: SCRIPTS,
  });
  client.on('error', ignore);
  return {
    client,
    publish: (channel, text) => client.publish(channel, text),
    async probe() {
      try {
        await client.ping();
      } catch (error) {
        if (client.status === 'ready') client.disconnect(true);
        throw error;
      }
    },
    onConnection(listener) {
      client.on('ready', listener);
      client.on('close', listener);
    },
    another: () => options,
    close: () => client.disconnect(),
  };
}

function toCluster({ servers }: RedisAddress, limitMs: number): RedisCommands {
  const [first] = servers;
  const { host: _host, port: _port, ...shared } = optionsOf(first);
  const client = new Cluster(
    servers.map(({ host, port }) => ({ host, port })),
    {
      redisOptions: { ...shared, ...commonOptions(limitMs), ...(first.tls && { tls: {} }) },
      // Automatic pipelines are left out: when the servers move a key, a pipeline of writes is not sent to the new place.
      enableAutoPipelining: false,
      clusterRetryStrategy: retryAfter,
      // See `commonOptions`: a sent operation may have happened.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      slotsRefreshTimeout: limitMs,
      slotsRefreshInterval: SERVERS_MS,
      // With TLS the certificate names the host, so it is not replaced by an IP address.
      ...(first.tls && { dnsLookup: (host, callback) => callback(null, host) }),
      scripts: SCRIPTS,
    },
  );
  client.on('error', ignore);
  client.on('node error', ignore);
  let next = Math.floor(Math.random() * servers.length);
  return {
    client,
    publish: (channel, text) => client.ringbackPublish(channel, text),
    async probe() {
      if (client.status !== 'ready') throw new Error('no contact with the Redis Cluster');
      if (isIncomplete(client)) {
        // A server without a connection gets one when the cluster names its servers again.
        client.refreshSlotsCache();
        throw new Error('no connection to a server of the Redis Cluster');
      }
      await Promise.all(client.nodes('master').map(probeMaster));
    },
    onConnection(listener) {
      for (const event of ['ready', 'close', '+node', '-node']) client.on(event, listener);
    },
    another() {
      next += 1;
      const connected = client.nodes('master').filter(({ status }) => status === 'ready');
      const server =
        connected[next % Math.max(1, connected.length)]?.options ?? servers[next % servers.length] ?? first;
      const { host = first.host, port = first.port } = server;
      return { ...shared, host, port, ...(first.tls && { tls: tlsOf(host) }) };
    },
    close: () => client.disconnect(),
  };
}

/** Returns whether keys exist whose server has no connection. */
function isIncomplete(client: Cluster): boolean {
  const connected = new Set(client.nodes('master').map(({ options }) => `${options.host}:${options.port}`));
  return client.slots.length === 0 || client.slots.some(([owner = '']) => !connected.has(owner));
}

/** Asks a server whether the cluster accepts operations. A lost server of the cluster makes the others refuse them. */
async function probeMaster(master: Redis): Promise<void> {
  let info: string;
  try {
    info = await master.cluster('INFO');
  } catch (error) {
    // The cluster then asks another server where the keys are.
    master.disconnect();
    throw error;
  }
  if (!isComplete(info)) throw new Error('the Redis Cluster is not complete');
}

/** Returns whether the answer to CLUSTER INFO states that all keys have a server. */
export const isComplete = (info: string): boolean => /^cluster_state:ok\b/m.test(info);

/** The state of the connection is read from its status. The events of errors may contain addresses. */
const ignore = () => undefined;
