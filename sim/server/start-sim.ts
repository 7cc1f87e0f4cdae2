import type { IncomingMessage, Server } from 'node:http';
import type { Clock } from '../../src/common/clock.ts';
import { Lifetime } from '../../src/common/lifetime.ts';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Exchange } from '../exchange/exchange.ts';
import { Log } from '../exchange/logging/log.ts';
import type { MediaPath, LogSink } from '../exchange/ports.ts';
import type { HttpResponse } from '../http/request.ts';
import { DEFAULT_SETTINGS, type ExchangeSettings, type RelaySettings } from '../exchange/settings.ts';
import { JanusRoomMediaEngine, type JanusOptions } from '../media/janus/engine.ts';
import { type ClosableEngine, LazyRoomMedia } from '../media/lazy-room-media.ts';
import { type OpenRoomPath, roomsThroughPaths } from '../media/room-paths.ts';
import type { UdpSettings } from '../media/sfu/udp-socket.ts';
import type { ProductPorts } from '../product/product-options.ts';
import { welcomePeople, type ProductPerson } from '../product/product-person.ts';
import { chooseScript, UnknownScript, type OwnScripts } from '../scripts/choose-script.ts';
import type { Script } from '../scripts/format/tree.ts';
import type { MediaPeerMaker } from '../scripts/media-peer.ts';
import { type Database, type DatabaseOptions, IN_MEMORY } from '../store/database.ts';
import { claimWorld } from '../store/claim-world.ts';
import { openClaimed } from '../store/open-store.ts';
import { LiveCallFile } from '../store/live-call-file.ts';
import { SqlStore } from '../store/sql-store.ts';
import { orUnusable } from '../store/store-error.ts';
import { admitWithin } from './admission.ts';
import { createClientAddresses } from './client-address.ts';
import { type ClusterNode, openClusterNode } from './cluster-node.ts';
import { DEFAULT_APP_ID, DEFAULT_HOST, DEFAULT_PORT } from './defaults.ts';
import { demoPeople } from './demo-people.ts';
import { allowedHostsOf, isLoopback, isWildcard, urlHost } from './allowed-hosts.ts';
import { openInstance, type ServerInstance, type InstanceOptions } from './server-instance.ts';
import { InstanceRegistry } from './instance-registry.ts';
import { createHttpServer } from './http-server.ts';
import { listen, stopListening } from './listen.ts';
import { relayCheck } from './relay/relay-check.ts';
import { createMemoryRateLimits } from './memory-rate-limits.ts';
import { guardedClock, nodeClock, nodeIds } from './node-ports.ts';
import { logAcceptFaults } from './operations/unhandled-faults.ts';
import { callsOver, within } from './operations/under-way.ts';
import type { Tracing } from './tracing/tracing.ts';
import { Gate } from './operations/gate.ts';
import { logFullDiskOnce } from './operations/log-full-disk.ts';
import { createAdmin } from './operations/admin.ts';
import { type FrontPage, frontPage } from './operations/front-page.ts';
import { Operations } from './operations/operations.ts';
import type { Service } from './operations/service-checks.ts';
import { onlyTo, webhookPoster, type WebhookPoster } from './webhook-poster.ts';
import { Turn } from './turn.ts';
import { serveWebsockets, type WebsocketEdge } from './websockets.ts';

/** The longest time in which the idle devices of a node move to others. Milliseconds. */
const MOVE_MS = 10_000;
/** The time limit for a stop. Milliseconds. */
const STOP_MS = 5_000;
/** The time that requests under way have at a stop. Milliseconds. */
const REQUESTS_MS = 1_000;

export interface SimOptions {
  /** Default 4870. 0 lets the system choose. */
  readonly port?: number;
  /** Default 127.0.0.1: this machine alone. */
  readonly host?: string;
  /** The users at the start. Default: in demo mode the users of the demo world, else none. */
  readonly users?: Iterable<ProductPerson>;
  /** The application id that logins must send. Default `ringback-demo`. */
  readonly appId?: string;
  /**
   * Whether this is a demo: `users` sign in without a password, and any page reads the letters that carry codes.
   * Neither the host nor the database implies it: every start must set it. The server refuses a database that was
   * made in the other mode.
   */
  readonly demo: boolean;
  /**
   * Whether calls and messages cost coins. Never true where a client chooses a script, since its users have no coins.
   * Default: false.
   */
  readonly billing?: boolean;
  /**
   * The path of a SQLite file, or a URL of PostgreSQL. It stores calls, push tokens and summaries. An application has
   * one exchange: a file refuses a second one, and PostgreSQL makes it log a warning. Default `:memory:`, which ends
   * with the exchange.
   */
  readonly database?: string;
  /** The limits of PostgreSQL. Default: 10 connections, 10 s for a statement, 5 s for a connection. */
  readonly databaseLimits?: Pick<DatabaseOptions, 'connections' | 'statementMs' | 'connectMs'>;
  /**
   * The name of this exchange among those that share the database. Live calls are stored under it during a restart,
   * so it must be the same at each start. Default: the name of the machine and the port. Not used with a database in
   * memory.
   */
  readonly name?: string;
  /**
   * The hosts that webhooks of calls may be posted to: a host, for the ports 80 and 443, or a host with a port.
   * Default: none, since a caller names the URL, and other services listen on this machine.
   */
  readonly webhookHosts?: readonly string[];
  /**
   * The Redis of a cluster: this server is one of its nodes. It has one address, or several of one Redis Cluster,
   * separated by commas. The database must be PostgreSQL, and the same for all nodes. Default: the server is alone.
   */
  readonly redis?: { readonly url: string };
  /** The relay that clients get credentials for. Default: none. */
  readonly relay?: RelaySettings;
  /** Whether the server checks that the relay works: `/readyz` is 503 while it does not. Default: false. */
  readonly relayCheck?: boolean;
  /** Returns the path for the media of a call. Default: media goes directly. */
  readonly mediaPath?: (callId: string) => MediaPath;
  /** Returns the path for the media of an endpoint of a room. Default: media goes directly. Not used with Janus. */
  readonly roomMediaPath?: OpenRoomPath;
  /** The addresses and ports at which clients reach the media of rooms. Default: those of this machine, any port. */
  readonly roomUdp?: UdpSettings;
  /** The Janus servers for the media of rooms. Default: the server forwards it by itself. */
  readonly janus?: Pick<JanusOptions, 'urls' | 'secret'>;
  /** The ports of the product: push, courier, reviewer, payments and payouts. Default: simulated ones. */
  readonly ports?: ProductPorts;
  /** The clock and its timers. Default: this machine's clock. */
  readonly clock?: Clock;
  /** Receives the log, masked. Default: the log is discarded. */
  readonly log?: LogSink;
  /** The time after which the exchange ends a ring, whatever limit the caller set. Milliseconds. */
  readonly ringTimeoutMs?: number;
  /** Any other setting of the exchange. */
  readonly settings?: Partial<ExchangeSettings>;
  /** Host names of the server besides `host` and those of this machine. */
  readonly allowedHosts?: readonly string[];
  /** The only origins whose pages may send requests. Default: those of this machine, on any port. */
  readonly allowedOrigins?: readonly string[];
  /** Whether pages that the server serves itself may send requests, at any of its addresses. Default: false. */
  readonly allowsOwnPages?: boolean;
  /**
   * The proxies whose header `X-Forwarded-For` names the client: addresses, or networks as `10.0.0.0/8`. Default:
   * none; the client is the other end of the connection.
   */
  readonly trustedProxies?: readonly string[];
  /**
   * The factor for limits by address of loopback addresses. Default 100. Set 1 if a proxy on this machine is not
   * trusted.
   */
  readonly loopbackFactor?: number;
  /** The server's URL as clients see it, for links to pictures. Default: from host and port. */
  readonly publicUrl?: string;
  /**
   * The scripts that clients may choose; only in demo mode or on loopback. A script that a client chooses runs in a
   * separate demo world, in memory. Default: none.
   */
  readonly scripts?: ScriptOptions;
  /**
   * Whether programs of this machine may list users and live calls, and `/` has a page. Never true for a deployment,
   * where a proxy of this machine passes on the requests of others. Default: false.
   */
  readonly showsItself?: boolean;
  /** The version of the tools, which the server shows with itself. Default: `unknown`. */
  readonly version?: string;
  /** Whether the users of the demo world answer messages; this needs a script. Default: false. */
  readonly demoBots?: boolean;
  /**
   * The bearer token that permits reading `/metrics`. Default: only clients of this machine that came through no
   * proxy may read them.
   */
  readonly metricsToken?: string;
  /** The traces of the server. The owner closes them after the server. Default: none. */
  readonly tracing?: Tracing;
  /** Whether new dials are refused above the maximum rate. False in a benchmark of that rate. Default: true. */
  readonly refusesAboveRate?: boolean;
  /** The interval at which sockets are pinged. Milliseconds, default 6 s. */
  readonly pingMs?: number;
  /** The server closes a client that has this much unread data. Bytes, default 1 MiB. */
  readonly bufferedBytes?: number;
}

export interface ScriptOptions {
  /** Scripts from files, besides those that are built in. */
  readonly own: OwnScripts;
  /** The script for clients that choose none. Default: none. */
  readonly main?: string;
  /** Creates simulated users with media, who sign in at this URL with this application id. */
  readonly parties: (at: { readonly url: string; readonly appId: string }) => MediaPeerMaker;
}

/** A running exchange. */
export interface Sim {
  /** The URL of the exchange: `http://127.0.0.1:4870`. */
  readonly url: string;
  readonly port: number;
  readonly exchange: Exchange;
  /** Opens a session for a user without a proof. Returns the access token with which the user's clients log in. */
  accessTokenOf(userId: string): Promise<string>;
  /**
   * Refuses new work, so that a stop interrupts less: `/readyz` answers 503, dials and logins are refused, calls go
   * on. Resolves when no call is live, at the latest after `ms` milliseconds.
   */
  drain(ms: number): Promise<void>;
  /**
   * Stops: closes every socket and the port, within five seconds. Calls go on if the database outlives the exchange,
   * else they end. A second stop has no effect.
   */
  close(): Promise<void>;
}

/**
 * Starts the exchange with its product server, on one port. A start that fails stops the parts that had started.
 * @throws ListenError when the port is taken (code EADDRINUSE) or must not be used; StoreError when the database
 *   cannot be used; UnknownScript when the main script is unknown, or this server may not play scripts.
 */
export async function startSim(options: SimOptions): Promise<Sim> {
  const given = options.clock ?? nodeClock;
  const sink = options.log ? logFullDiskOnce(options.log, given) : null;
  const log = new Log(sink, given);
  const users = usersAndScript(options);
  const lifetime = new Lifetime((error) => log.error('a part of the server did not stop', { error }));
  try {
    return await startParts({ options, sink, log, clock: guardedClock(given, log), users, lifetime });
  } catch (error) {
    await lifetime.dispose();
    throw error;
  }
}

/** The surroundings in which the parts of a server start. */
interface Start {
  readonly options: SimOptions;
  /** Null when the log is discarded. */
  readonly sink: LogSink | null;
  readonly log: Log;
  readonly clock: Clock;
  readonly users: ReturnType<typeof usersAndScript>;
  /** Stops the parts, in an order in which no promise is made that is not stored. */
  readonly lifetime: Lifetime;
}

/** Starts the parts of a server, each on the lifetime. */
async function startParts(start: Start): Promise<Sim> {
  const { options, log, clock, lifetime } = start;
  const gate = new Gate();
  const operations = lifetime.add(
    new Operations({
      clock,
      log,
      about: {
        version: options.version ?? 'unknown',
        sessionMs: options.settings?.sessionMs ?? DEFAULT_SETTINGS.sessionMs,
      },
      ...(options.metricsToken === undefined ? {} : { metricsToken: options.metricsToken }),
    }),
  );
  const opened = await openStore(start, operations);
  const poster = lifetime.add(webhookPoster(onlyTo(options.webhookHosts ?? [])));
  const node = await joinCluster(start, opened);
  const edge = edgeOf(options, log, node);
  const { roomMedia, isMediaUp } = openRoomMedia(start);
  const { server, port, url } = await startListening(start, edge, { gate, operations });
  const main = await startInstances(start, {
    ...opened,
    port,
    url,
    edge,
    poster,
    server,
    turn: new Turn(),
    gate,
    operations,
    roomMedia,
    isMediaUp,
    node,
  });
  // Requests under way are answered before any part stops.
  lifetime.add({ dispose: async () => void (await within(REQUESTS_MS, operations.requests.settled())) });
  return {
    url,
    port,
    exchange: main.exchange,
    accessTokenOf: (userId) => main.accessTokenOf(userId),
    async drain(ms) {
      if (operations.phase !== 'ready') return;
      operations.phase = 'draining';
      main.drain(Math.min(MOVE_MS, ms / 2));
      gate.refuseLogins();
      await callsOver(main.exchange, clock, ms);
    },
    async close() {
      if (operations.phase === 'stopped') return;
      operations.dispose();
      gate.close();
      if (await within(STOP_MS, lifetime.dispose())) return;
      log.error('the server did not stop in time: unwritten data is lost', { ms: STOP_MS });
      await stopListening(server);
    },
  };
}

/** Opens the database, alone where it must be. It closes after the last write of every part. */
async function openStore({ options, log, lifetime }: Start, { metrics }: Operations) {
  const { database, claim } = await openClaimed(
    options.database ?? IN_MEMORY,
    log,
    {
      ...options.databaseLimits,
      onStatement: (ms) => metrics.stored(ms),
      now: () => nodeClock.now(),
      after: (ms, run) => nodeClock.after(ms, run),
    },
    options.redis !== undefined,
  );
  // The nodes of a cluster share their live calls.
  const isApart = database.file !== null && options.redis === undefined;
  const store = new SqlStore(database, isApart ? new LiveCallFile(database.file) : null);
  lifetime.add({
    async dispose() {
      await lifetime.settled();
      await store.close();
      await claim.release();
    },
  });
  await orUnusable(database.name, () => claimWorld(database, options.demo));
  return { database, store };
}

/** Joins the cluster. Returns null when this server is alone. */
async function joinCluster(
  { options, log, clock, lifetime }: Start,
  { database, store }: { readonly database: Database; readonly store: SqlStore },
): Promise<ClusterNode | null> {
  if (!options.redis) return null;
  const { settings, ringTimeoutMs, loopbackFactor } = options;
  return openClusterNode({
    url: options.redis.url,
    appId: appIdOf(options),
    ...{ clock, log, database, store, lifetime },
    ...(options.tracing ? { tracing: options.tracing } : {}),
    settings: { ...settings, ...(ringTimeoutMs === undefined ? {} : { ringTimeoutMs }) },
    ...(loopbackFactor === undefined ? {} : { loopbackFactor }),
  });
}

/** The media of rooms, and whether its servers answer. Null for the engine of the server. */
interface OpenedMedia {
  readonly roomMedia: ClosableEngine;
  readonly isMediaUp: (() => boolean) | null;
}

/** Opens the media of rooms, for every instance. The engine of the server is loaded with the first endpoint. */
function openRoomMedia({ options, log, clock, lifetime }: Start): OpenedMedia {
  if (options.janus) {
    const janus = new JanusRoomMediaEngine({ ...options.janus, owner: ownerOf(options), clock, log });
    lifetime.add({ dispose: () => janus.close() });
    // The server does not wait: calls work without Janus, and each server that does not answer is in the log.
    void janus.start();
    return { roomMedia: janus, isMediaUp: () => janus.isUp };
  }
  const engine = new LazyRoomMedia(async () => {
    const { Sfu } = await import('../media/sfu/sfu.ts');
    return new Sfu({ clock, log, ...(options.roomUdp ? { udp: options.roomUdp } : {}) });
  });
  lifetime.add({ dispose: () => engine.close() });
  const roomMedia = options.roomMediaPath ? roomsThroughPaths(engine, options.roomMediaPath) : engine;
  return { roomMedia, isMediaUp: null };
}

/** Returns a name of the server that is the same at each start, unlike that of every other server. */
const ownerOf = ({ name, port = DEFAULT_PORT, publicUrl = '', ...options }: SimOptions): string =>
  [appIdOf(options), publicUrl, name ?? (port === 0 ? nodeIds.uuid() : `${hostname()}:${port}`)].join(' ');

/** The parts that requests and sockets share. */
type Edge = Pick<WebsocketEdge, 'allowedHosts' | 'log' | 'addresses' | 'rateLimits'>;

function edgeOf({ host = DEFAULT_HOST, ...options }: SimOptions, log: Log, node: ClusterNode | null): Edge {
  return {
    allowedHosts: allowedHostsOf(host, options.allowedHosts, options.allowedOrigins, options.allowsOwnPages),
    log,
    addresses: createClientAddresses(options.trustedProxies),
    rateLimits:
      node?.rateLimits ??
      createMemoryRateLimits(options.loopbackFactor === undefined ? {} : { loopbackFactor: options.loopbackFactor }),
  };
}

/** Opens the port. Links contain it, so the server listens before it is ready. Until then the gate answers. */
async function startListening(
  { options, log, clock, lifetime }: Start,
  edge: Edge,
  { gate, operations }: { readonly gate: Gate; readonly operations: Operations },
) {
  const { host = DEFAULT_HOST, port: wanted = DEFAULT_PORT, tracing, showsItself = false } = options;
  const admin = createAdmin(() => operations.shown);
  const shown = (request: IncomingMessage) =>
    answered(admin(request) ?? frontPage(request, () => frontPageOf(options, url)));
  const server = createHttpServer({
    ...edge,
    admit: admitWithin(edge.rateLimits, (head) => gate.admit(head)),
    answer: (request) =>
      operations.requests.track(
        tracing ? tracing.http(request, () => gate.http(request)) : (async () => gate.http(request))(),
      ),
    onFailed: (answer) => operations.failed(answer),
    explain: (error) => operations.explain(error),
    probe: (request) => operations.probe(request) ?? (showsItself ? shown(request) : undefined),
  });
  const port = await listen(server, wanted, host);
  lifetime.add({ dispose: () => stopListening(server) });
  logAcceptFaults(server, log, clock);
  const url = `http://${urlHost(isWildcard(host) ? DEFAULT_HOST : host)}:${port}`;
  return { server, port, url };
}

const frontPageOf = ({ version = 'unknown', appId = DEFAULT_APP_ID, scripts }: SimOptions, url: string): FrontPage => ({
  version,
  appId,
  url,
  hasScripts: scripts !== undefined,
});

const answered = (answer: HttpResponse | undefined) => (answer ? Promise.resolve(answer) : undefined);

/** The parts that the instances of a server need. */
interface Around extends OpenedMedia {
  readonly database: Database;
  readonly store: SqlStore;
  readonly port: number;
  readonly url: string;
  readonly edge: Edge;
  readonly poster: WebhookPoster;
  readonly server: Server;
  /** The turns of the event loop. */
  readonly turn: Turn;
  readonly gate: Gate;
  readonly operations: Operations;
  /** This server as a node of a cluster. Null when it is alone. */
  readonly node: ClusterNode | null;
}

/** Starts the main instance, opens the gate to it, and serves sockets. Returns the instance. */
async function startInstances(start: Start, around: Around): Promise<ServerInstance> {
  const { options, users, lifetime } = start;
  const { database, store, edge, gate, operations, node } = around;
  const openAt = instanceOpener(start, around);
  const exchangeName = node?.name ?? (database.outlives ? (options.name ?? `${hostname()}:${around.port}`) : undefined);
  const main = lifetime.add(
    openAt('', users.mainScript, {
      store: node?.exchange.store ?? store,
      database,
      ...(node ? { node } : {}),
      ...(exchangeName === undefined ? {} : { exchangeName }),
      ...(options.billing === undefined ? {} : { billing: options.billing }),
      hasDemoBots: options.demoBots === true,
    }),
  );
  await orUnusable(database.name, () => main.ready());
  const instances = new InstanceRegistry({
    main,
    appId: appIdOf(options),
    userIds: users.userIds,
    own: options.scripts?.own ?? null,
    open: (script, path, mark) =>
      openAt(path, script, { people: users.scriptPeople, isDemo: true, token: () => `${mark}${nodeIds.token()}` }),
  });
  gate.open(instances);
  const websockets = lifetime.add(
    serveWebsockets(around.server, {
      ...edge,
      turn: around.turn,
      find: (path, query) => instances.find(path, query),
      ...(options.pingMs === undefined ? {} : { pingMs: options.pingMs }),
      ...(options.bufferedBytes === undefined ? {} : { bufferedBytes: options.bufferedBytes }),
    }),
  );
  // The exchange stores its state before it asks clients to reconnect later. So the instances stop before the sockets.
  lifetime.add({
    async dispose() {
      await instances.dispose();
      await main.settled();
    },
  });
  const { exchange, notifiedOf } = main;
  operations.ready({ exchange, notifiedOf, websockets, services: servicesOf(start, around) });
  return main;
}

/** The check of a relay makes an allocation, so it runs less often. Milliseconds. */
const RELAY_CHECK = { everyMs: 15_000, limitMs: 30_000, isSlow: true };

/** Returns what the server needs besides itself. Relays and Janus have lines of their own in the log. */
function servicesOf({ options, log, clock }: Start, { database, isMediaUp, node }: Around): readonly Service[] {
  const { relay, relayCheck: isRelayChecked = false } = options;
  const isMediaReady = async (): Promise<void> => {
    if (isMediaUp?.() === false) throw new Error('no Janus server answers');
  };
  return [
    {
      name: 'database',
      setting: database.isShared ? 'DATABASE_URL' : 'database.url',
      check: () => sql`select 1`.execute(database.db),
    },
    ...(node ? [{ name: 'redis' as const, setting: 'REDIS_URL', check: () => node.link.hasState() }] : []),
    ...(isMediaUp ? [{ name: 'janus' as const, setting: null, check: isMediaReady, everyMs: 0 }] : []),
    ...(relay && isRelayChecked
      ? [{ name: 'relay' as const, setting: null, check: relayCheck({ relay, clock, log }), ...RELAY_CHECK }]
      : []),
  ];
}

const appIdOf = ({ appId = DEFAULT_APP_ID }: SimOptions): string => appId;

/** Returns the users of the server, with those of the demo world whose ids are free. */
function withDemoPeople(people: readonly ProductPerson[]): ProductPerson[] {
  const taken = new Set(people.map(({ u_id }) => u_id));
  return [...people, ...demoPeople().filter(({ u_id }) => !taken.has(u_id))];
}

/**
 * Returns the users of the server and of its script worlds, and the script that is played to every client.
 * @throws UnknownScript when the script is unknown, or this server may not play scripts.
 */
function usersAndScript({ users, demo: isDemo, scripts, host = DEFAULT_HOST }: SimOptions) {
  const people = welcomePeople(users ?? (isDemo ? demoPeople() : []), isDemo);
  const scriptPeople = isDemo ? people : welcomePeople(withDemoPeople(people), true);
  const userIds = scriptPeople.map(({ u_id }) => u_id);
  if (scripts && !isDemo && !isLoopback(host)) {
    throw new UnknownScript(`Scripts are for tests: at ${host} they are played in demo mode only.`);
  }
  const mainScript = scripts?.main === undefined ? null : chooseScript(scripts.main, scripts.own, userIds);
  return { people, scriptPeople, userIds, mainScript };
}

type OpenAt = (path: string, script: Script | null, more: Partial<InstanceOptions>) => ServerInstance;

/** Returns the function that opens an instance below a path. The metrics count the refusals of each. */
function instanceOpener(
  { options, sink, clock, users }: Pick<Start, 'options' | 'sink' | 'clock' | 'users'>,
  {
    url,
    edge,
    poster,
    turn,
    operations,
    roomMedia,
  }: Pick<Around, 'url' | 'edge' | 'poster' | 'turn' | 'operations' | 'roomMedia'>,
): OpenAt {
  const { scripts } = options;
  const appId = appIdOf(options);
  const shared = {
    people: users.people,
    log: sink,
    clock,
    endOfTurn: () => turn.end(),
    rateLimits: edge.rateLimits,
    postWebhook: poster.post,
    roomMedia,
    isDemo: options.demo,
    explain: (error: unknown) => operations.explain(error),
    ...(options.refusesAboveRate === false ? {} : { isOverloaded: () => operations.isOverloaded }),
  };
  return (path, script, more) => {
    const instance = openInstance({
      ...shared,
      apiUrl: `${(options.publicUrl ?? url).replace(/\/+$/, '')}${path}`,
      settings: {
        ...options.settings,
        appId,
        relay: options.relay ?? null,
        ...(options.ringTimeoutMs === undefined ? {} : { ringTimeoutMs: options.ringTimeoutMs }),
      },
      ...(options.mediaPath ? { mediaPath: options.mediaPath } : {}),
      ...(options.ports ? { ports: options.ports } : {}),
      ...(script && scripts ? { played: { script, parties: scripts.parties({ url: `${url}${path}`, appId }) } } : {}),
      ...more,
    });
    operations.countRefusals(instance.exchange);
    return options.tracing?.instance(instance) ?? instance;
  };
}
