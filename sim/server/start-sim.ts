import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Exchange } from '../exchange/exchange.ts';
import { Log } from '../exchange/logging/log.ts';
import type { MediaPath } from '../exchange/calls/media-path.ts';
import type { Clock, LogSink } from '../exchange/ports.ts';
import type { ExchangeSettings, RelaySettings } from '../exchange/settings.ts';
import type { Courier } from '../product/accounts/courier.ts';
import type { PayoutDesk } from '../product/points/payout-desk.ts';
import type { Reviewer } from '../product/verification/reviewer.ts';
import type { PaymentProvider } from '../product/wallet/payment-provider.ts';
import { welcomePeople, type ProductPerson } from '../product/product-person.ts';
import type { PushSettings } from '../push/push-settings.ts';
import { chooseScript, UnknownScript, type OwnScripts } from '../scripts/choose-script.ts';
import type { Script } from '../scripts/format/tree.ts';
import type { MediaPeerMaker } from '../scripts/media-peer.ts';
import type { DatabaseOptions } from '../store/database.ts';
import { claimWorld } from '../store/claim-world.ts';
import { openClaimed } from '../store/open-store.ts';
import { SqlStore } from '../store/sql-store.ts';
import { orUnusable } from '../store/store-error.ts';
import { IN_MEMORY } from '../store/in-memory.ts';
import { admitWithin } from './admit-within.ts';
import { createClientAddresses } from './client-address.ts';
import { DEFAULT_APP_ID, DEFAULT_HOST, DEFAULT_PORT } from './defaults.ts';
import { demoPeople } from './demo-people.ts';
import { doorsOf, isLoopback, isWildcard, urlHost } from './allowed-hosts.ts';
import { openInstance, type ServerInstance, type InstanceOptions } from './server-instance.ts';
import { InstanceRegistry } from './instance-registry.ts';
import { createHttpServer, type Answer } from './http-server.ts';
import { listen, stopListening } from './listen.ts';
import { createMemoryRateLimits } from './memory-rate-limits.ts';
import { guardedClock, nodeClock, nodeIds } from './node-ports.ts';
import { logAcceptFaults } from './operations/accept-faults.ts';
import { admitNoLogin, callsOver, RESTARTING } from './operations/drain.ts';
import { logFullDiskOnce } from './operations/log-full-disk.ts';
import { Operations } from './operations/operations.ts';
import { within } from './operations/under-way.ts';
import { onlyTo, webhookPoster } from './webhook-poster.ts';
import { serveWebsockets } from './websockets.ts';
import { ErrorCode } from '../../src/protocol/errors.ts';

/** A stop takes no longer. Milliseconds. */
const STOP_MS = 5_000;
/** Requests that are being answered at a stop have this long. Milliseconds. */
const REQUESTS_MS = 1_000;

export interface SimOptions {
  /** Default 4870; 0 lets the system choose. */
  readonly port?: number;
  /** Default 127.0.0.1: this machine alone. */
  readonly host?: string;
  /** The users the server is started with. Default: in demo mode the people of the demo world, else none. */
  readonly users?: Iterable<ProductPerson>;
  /** The application id that logins must name. Default `ringback-demo`. */
  readonly appId?: string;
  /**
   * Whether this is a demo: `users` sign in without a password, and any page reads the letters that carry codes. Every start
   * says so itself; neither the host nor the database implies it. A database is refused that a server of the other kind made.
   */
  readonly demo: boolean;
  /** Whether calls and messages cost coins; never where a client chooses a script, since its users have none. Default: they do not. */
  readonly billing?: boolean;
  /**
   * Where calls, those that go on and those that ended, push tokens and summaries are kept: the path of a SQLite file, or a
   * url of PostgreSQL. An application has one exchange: a file refuses a second one, and a PostgreSQL has it warn. Default `:memory:`, gone with the exchange.
   */
  readonly database?: string;
  /** The limits of a PostgreSQL. Default: 10 connections, 10 s a statement, 5 s a connection. */
  readonly databaseLimits?: Pick<DatabaseOptions, 'connections' | 'statementMs' | 'connectMs'>;
  /**
   * The name of this exchange among those that share the database, the same each time it starts: under it the calls are kept
   * that go on while it restarts. Default: the name of the machine and the port. Not used where the database is in memory.
   */
  readonly name?: string;
  /**
   * Where webhooks of calls may be posted: a host, for the ports 80 and 443, or a host with a port. Default: nowhere, since a caller
   * names the url, and other services listen on this machine.
   */
  readonly webhookHosts?: readonly string[];
  /** How messages are pushed to devices. Default: to the push services of browsers. */
  readonly push?: PushSettings;
  /** A relay to hand out credentials for. Default none. */
  readonly relay?: RelaySettings;
  /** Leads the media of each call. Default: media goes directly. */
  readonly mediaPath?: (callId: string) => MediaPath;
  /** Carries codes to phones and e-mails. Default: in a demo a mailbox that anybody may read, else nobody. */
  readonly courier?: Courier;
  /** Decides on identities. Default: a simulated one, which takes a minute. */
  readonly reviewer?: Reviewer;
  /** Takes payments. Default: a sandbox, in which no real money is paid. */
  readonly payments?: PaymentProvider;
  /** Looks at redemptions and pays them out. Default: a simulated one, which takes a minute for each step. */
  readonly payoutDesk?: PayoutDesk;
  /** Tells the time, and when it has passed. Default: this machine's clock. */
  readonly clock?: Clock;
  /** Takes the log, masked. Default: nobody does. */
  readonly log?: LogSink;
  /** The exchange gives up a ring after this, whatever the callers' own limit is. Milliseconds. */
  readonly ringTimeoutMs?: number;
  /** Any other setting of the exchange. */
  readonly settings?: Partial<ExchangeSettings>;
  /** Names the server is reached by besides `host` and this machine's. */
  readonly allowedHosts?: readonly string[];
  /** The only origins whose pages may ask. Default: those of this machine, on any port. */
  readonly allowedOrigins?: readonly string[];
  /**
   * The proxies whose header `X-Forwarded-For` names the client: addresses, or networks as `10.0.0.0/8`. Default none: the client is
   * the other end of the connection.
   */
  readonly trustedProxies?: readonly string[];
  /** By so much the limits by address are higher for loopback addresses. Default 100; 1 where a proxy on this machine is not trusted. */
  readonly loopbackFactor?: number;
  /** The server's address as others see it, for links to pictures. Default: from host and port. */
  readonly publicUrl?: string;
  /**
   * The scripts that clients may choose, and those who play them; only in demo mode or on loopback. A script that a client
   * chooses is played in a demo world of its own, in memory. Default: none are played.
   */
  readonly scripts?: ScriptOptions;
  /** Whether the people of the demo world answer messages; they need a script. Default: they do not. */
  readonly town?: boolean;
  /** Who has it as a bearer token may read `/metrics`. Default: clients of this machine that came through no proxy. */
  readonly metricsToken?: string;
  /** How often sockets are pinged. Milliseconds, default 6 s. */
  readonly pingMs?: number;
  /** A client that lets this much wait for it is cut off. Bytes, default 1 MiB. */
  readonly bufferedBytes?: number;
}

export interface ScriptOptions {
  /** Scripts of files, beside those that are built in. */
  readonly own: OwnScripts;
  /** The script for clients that choose none. Default: none. */
  readonly main?: string;
  /** Makes people with media, who sign in at this address with this application id. */
  readonly parties: (at: { readonly url: string; readonly appId: string }) => MediaPeerMaker;
}

/** A running exchange. */
export interface Sim {
  /** Where it answers: `http://127.0.0.1:4870`. */
  readonly url: string;
  readonly port: number;
  readonly exchange: Exchange;
  /** Opens a session for a user without any proof, and returns the access token with which the user's clients log in. */
  accessTokenOf(userId: string): Promise<string>;
  /**
   * Begins nothing new, so that a stop breaks less: `/readyz` says 503, dials and logins are refused, calls go on. Resolves when no
   * call goes on any more, at the latest after `ms` milliseconds.
   */
  drain(ms: number): Promise<void>;
  /**
   * Stops: closes every socket and the port, within five seconds. Calls go on, where the database outlives the exchange; else
   * they end. A second stop does nothing.
   */
  close(): Promise<void>;
}

/**
 * Starts the exchange with its product server, on one port.
 *
 * @throws ListenError when the port is taken (code EADDRINUSE) or may not be used; StoreError when the database cannot be
 *   used; UnknownScript when there is no script as the one to be played to everybody, or scripts may not be played here.
 */
export async function startSim(options: SimOptions): Promise<Sim> {
  const { port: wanted = DEFAULT_PORT, host = DEFAULT_HOST } = options;
  const sink = logFullDiskOnce(options.log ?? (() => undefined), options.clock ?? nodeClock);
  const isDemo = options.demo;
  const people = welcomePeople(options.users ?? (isDemo ? demoPeople() : []), isDemo);
  const scriptPeople = isDemo ? people : welcomePeople(withDemoPeople(people), true);
  const log = new Log(sink, options.clock ?? nodeClock);
  const clock = guardedClock(options.clock ?? nodeClock, log);
  const userIds = scriptPeople.map(({ u_id }) => u_id);
  const { scripts } = options;
  if (scripts && !isDemo && !isLoopback(host)) {
    throw new UnknownScript(`Scripts are for tests: at ${host} they are played in demo mode only.`);
  }
  const mainScript = scripts?.main === undefined ? null : chooseScript(scripts.main, scripts.own, userIds);
  const allowedHosts = doorsOf(host, options.allowedHosts, options.allowedOrigins);
  const addresses = createClientAddresses(options.trustedProxies);
  const rateLimits = createMemoryRateLimits(
    options.loopbackFactor === undefined ? {} : { loopbackFactor: options.loopbackFactor },
  );

  // Links carry the port, so it must be known first; a client that asks before everything stands gets 503.
  const starting: Answer = { status: 503, body: { code: ErrorCode.ERR_REQUEST_FAILED, message: 'Starting.' } };
  let open: Pick<InstanceRegistry, 'admit' | 'http'> = { admit: () => Promise.resolve(starting), http: () => starting };
  const operations = new Operations({
    clock,
    ...(options.metricsToken === undefined ? {} : { metricsToken: options.metricsToken }),
  });
  const server = createHttpServer({
    allowedHosts,
    log,
    addresses,
    admit: admitWithin(rateLimits, (head) => open.admit(head)),
    answer: (request) => operations.requests.track((async () => open.http(request))()),
    onFailed: (answer) => operations.failed(answer),
    probe: operations.probe,
  });
  const { database, claim } = await openClaimed(options.database ?? IN_MEMORY, log, {
    ...options.databaseLimits,
    onStatement: (ms) => operations.metrics.stored(ms),
  }).catch((error: unknown) => {
    operations.dispose();
    throw error;
  });
  const store = new SqlStore(database);
  const letGo = async (): Promise<void> => {
    operations.dispose();
    await store.close();
    await claim.release();
  };
  const port = await orUnusable(database.name, () => claimWorld(database, isDemo))
    .then(() => listen(server, wanted, host))
    .catch(async (error: unknown) => {
      await letGo();
      throw error;
    });
  logAcceptFaults(server, log, clock);
  const url = `http://${urlHost(isWildcard(host) ? DEFAULT_HOST : host)}:${port}`;

  const poster = webhookPoster(onlyTo(options.webhookHosts ?? []));
  const appId = options.appId ?? DEFAULT_APP_ID;
  const openAt = (path: string, script: Script | null, more: Partial<InstanceOptions>): ServerInstance =>
    openInstance({
      people,
      isDemo,
      apiUrl: `${(options.publicUrl ?? url).replace(/\/+$/, '')}${path}`,
      log: sink,
      postWebhook: poster.post,
      onRefused: (code) => operations.metrics.failed(String(code)),
      clock,
      rateLimits,
      settings: {
        ...options.settings,
        appId,
        relay: options.relay ?? null,
        ...(options.ringTimeoutMs === undefined ? {} : { ringTimeoutMs: options.ringTimeoutMs }),
      },
      ...(options.mediaPath ? { mediaPath: options.mediaPath } : {}),
      ...(options.push ? { push: options.push } : {}),
      ...(options.courier ? { courier: options.courier } : {}),
      ...(options.reviewer ? { reviewer: options.reviewer } : {}),
      ...(options.payments ? { payments: options.payments } : {}),
      ...(options.payoutDesk ? { payoutDesk: options.payoutDesk } : {}),
      ...(script && scripts ? { played: { script, parties: scripts.parties({ url: `${url}${path}`, appId }) } } : {}),
      ...more,
    });
  const exchangeName = database.outlives ? (options.name ?? `${hostname()}:${port}`) : undefined;
  const main = openAt('', mainScript, {
    store,
    database,
    ...(exchangeName === undefined ? {} : { exchangeName }),
    ...(options.billing === undefined ? {} : { billing: options.billing }),
    isTown: options.town === true,
  });
  await orUnusable(database.name, () => main.ready()).catch(async (error: unknown) => {
    main.close();
    await Promise.all([stopListening(server), poster.close()]);
    await letGo();
    throw error;
  });
  const instances = new InstanceRegistry({
    main,
    appId,
    userIds,
    own: scripts?.own ?? null,
    open: (script, path, mark) =>
      openAt(path, script, { people: scriptPeople, isDemo: true, token: () => `${mark}${nodeIds.token()}` }),
  });
  open = instances;
  const websockets = serveWebsockets(server, {
    allowedHosts,
    log,
    addresses,
    rateLimits,
    find: (path, query) => instances.find(path, query),
    ...(options.pingMs === undefined ? {} : { pingMs: options.pingMs }),
    ...(options.bufferedBytes === undefined ? {} : { bufferedBytes: options.bufferedBytes }),
  });

  operations.ready({
    exchange: main.exchange,
    websockets,
    askDatabase: () => sql`select 1`.execute(database.db),
  });

  /** Stops in the order in which nothing is promised any more that is not kept. */
  async function stop(): Promise<void> {
    await within(REQUESTS_MS, operations.requests.settled());
    instances.close();
    // The exchange writes what it has promised before it asks its clients to come back later.
    await main.kept();
    await websockets.close();
    await stopListening(server);
    await Promise.all([main.kept(), poster.close()]);
    await store.close();
    await claim.release();
  }

  return {
    url,
    port,
    exchange: main.exchange,
    accessTokenOf: (userId) => main.accessTokenOf(userId),
    async drain(ms) {
      if (operations.phase !== 'ready') return;
      operations.phase = 'draining';
      main.exchange.drain();
      open = { admit: admitNoLogin((head) => instances.admit(head)), http: (request) => instances.http(request) };
      await callsOver(main.exchange, clock, ms);
    },
    async close() {
      if (operations.phase === 'stopped') return;
      operations.dispose();
      open = { admit: () => Promise.resolve(RESTARTING), http: () => RESTARTING };
      if (await within(STOP_MS, stop())) return;
      log.error('the server did not stop in time: what was not written by now is lost', { ms: STOP_MS });
      await stopListening(server);
    },
  };
}

/** The users of the server, with those of the demo world whose ids are free. */
function withDemoPeople(people: readonly ProductPerson[]): ProductPerson[] {
  const taken = new Set(people.map(({ u_id }) => u_id));
  return [...people, ...demoPeople().filter(({ u_id }) => !taken.has(u_id))];
}
