import { hostname } from 'node:os';
import type { Exchange } from '../exchange/exchange.ts';
import { Log } from '../exchange/log.ts';
import type { MediaPath } from '../exchange/media-path.ts';
import type { Clock, LogSink } from '../exchange/ports.ts';
import type { ExchangeSettings, RelaySettings } from '../exchange/settings.ts';
import type { Courier } from '../product/accounts/courier.ts';
import type { Reviewer } from '../product/verification/reviewer.ts';
import { welcomePeople, type ProductPerson } from '../product/product-person.ts';
import type { PushSettings } from '../push/push-settings.ts';
import { chooseScript, type OwnScripts } from '../scripts/choose-script.ts';
import type { Script } from '../scripts/format/tree.ts';
import type { PartyMaker } from '../scripts/party.ts';
import { openMigrated } from '../store/open-store.ts';
import { SqlStore } from '../store/sql-store.ts';
import { IN_MEMORY } from '../store/in-memory.ts';
import { DEFAULT_APP_ID, DEFAULT_HOST, DEFAULT_PORT } from './defaults.ts';
import { demoPeople } from './demo-people.ts';
import { doorsOf, isLoopback, isWildcard, urlHost } from './doors.ts';
import { openHouse, type House, type HouseOptions } from './house.ts';
import { Houses } from './houses.ts';
import { createHttpServer, type HttpEdge } from './http-server.ts';
import { listen, stopListening } from './listen.ts';
import { nodeClock, nodeIds } from './node-ports.ts';
import { webhookPoster } from './webhook-poster.ts';
import { serveWebsockets } from './websockets.ts';

export interface SimOptions {
  /** Default 4870; 0 lets the system choose. */
  readonly port?: number;
  /** Default 127.0.0.1: this machine alone. */
  readonly host?: string;
  /** Who there is. Default: the people of the demo world. */
  readonly users?: Iterable<ProductPerson>;
  /** The application id that logins must name. Default `ringback-demo`. */
  readonly appId?: string;
  /** Whether the users sign in without a password. Default: only where `users` are not given. */
  readonly demo?: boolean;
  /** Whether calls and messages cost coins; never where a client chooses a script, since its users have none. Default: they do not. */
  readonly billing?: boolean;
  /**
   * Where calls, those that go on and those that ended, push tokens and summaries are kept: the path of a SQLite file, or a
   * url of PostgreSQL, which several exchanges may share. Default `:memory:`, gone with the exchange.
   */
  readonly database?: string;
  /**
   * The name of this exchange among those that share the database, the same each time it starts: under it the calls are kept
   * that go on while it restarts. Default: the name of the machine and the port. Not used where the database is in memory.
   */
  readonly name?: string;
  /**
   * Hosts that webhooks of calls may be posted to. Default: this machine, while nobody else reaches the exchange; else
   * none.
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
  /** The server's address as others see it, for links to pictures. Default: from host and port. */
  readonly publicUrl?: string;
  /** The scripts that clients may choose, and those who play them. Default: none are played. */
  readonly scripts?: ScriptOptions;
  /** Whether the people of the demo world answer messages; they need a script. Default: they do not. */
  readonly town?: boolean;
  /** How often sockets are pinged. Milliseconds, default 25 s. */
  readonly pingMs?: number;
  /** A client that lets this much wait for it is cut off. Bytes, default 1 MiB. */
  readonly bufferedBytes?: number;
}

export interface ScriptOptions {
  /** Scripts of files, beside those that are built in. */
  readonly own: OwnScripts;
  /** Played to whoever chooses none. Default: none. */
  readonly main?: string;
  /** Makes people with media, who sign in at this address with this application id. */
  readonly parties: (at: { readonly url: string; readonly appId: string }) => PartyMaker;
}

/** A running exchange. */
export interface Sim {
  /** Where it answers: `http://127.0.0.1:4870`. */
  readonly url: string;
  readonly port: number;
  readonly exchange: Exchange;
  /** Stops: closes every socket and the port. Calls go on, where the database outlives the exchange; else they end. */
  close(): Promise<void>;
}

/**
 * Starts the exchange with its product server, on one port.
 *
 * @throws ListenError when the port is taken (code EADDRINUSE) or may not be used; StoreError when the database cannot be
 *   used; UnknownScript when there is no script as the one to be played to everybody.
 */
export async function startSim(options: SimOptions = {}): Promise<Sim> {
  const { port: wanted = DEFAULT_PORT, host = DEFAULT_HOST, log: sink = () => undefined, clock = nodeClock } = options;
  const isDemo = options.demo ?? options.users === undefined;
  const people = welcomePeople(options.users ?? demoPeople(), isDemo);
  const log = new Log(sink, clock);
  const userIds = people.map(({ u_id }) => u_id);
  const { scripts } = options;
  const mainScript = scripts?.main === undefined ? null : chooseScript(scripts.main, scripts.own, userIds);
  const doors = doorsOf(host, options.allowedHosts, options.allowedOrigins);

  // Links carry the port, so it must be known first; who asks before everything stands is told so.
  let answer: HttpEdge['answer'] = () => ({ status: 503, body: { code: 1800200, message: 'Starting.' } });
  const server = createHttpServer({ doors, log, answer: (request) => answer(request) });
  const database = await openMigrated(options.database ?? IN_MEMORY, log);
  const store = new SqlStore(database);
  const port = await listen(server, wanted, host).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const url = `http://${urlHost(isWildcard(host) ? DEFAULT_HOST : host)}:${port}`;

  const webhookHosts = options.webhookHosts?.map((name) => urlHost(name).toLowerCase());
  const poster = webhookPoster((name) => webhookHosts?.includes(name) ?? (isLoopback(host) && isLoopback(name)));
  const appId = options.appId ?? DEFAULT_APP_ID;
  const openAt = (path: string, script: Script | null, more: Partial<HouseOptions>): House =>
    openHouse({
      people,
      isDemo,
      apiUrl: `${(options.publicUrl ?? url).replace(/\/+$/, '')}${path}`,
      log: sink,
      postWebhook: poster.post,
      clock,
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
  await main.ready();
  const houses = new Houses({
    main,
    appId,
    userIds,
    own: scripts?.own ?? null,
    open: (script, path, mark) => openAt(path, script, { token: () => `${mark}${nodeIds.token()}` }),
  });
  answer = (request) => houses.http(request);
  const websockets = serveWebsockets(server, {
    doors,
    log,
    find: (path, query) => houses.find(path, query),
    ...(options.pingMs === undefined ? {} : { pingMs: options.pingMs }),
    ...(options.bufferedBytes === undefined ? {} : { bufferedBytes: options.bufferedBytes }),
  });

  return {
    url,
    port,
    exchange: main.exchange,
    async close() {
      houses.close();
      // The exchange writes what it has promised before it asks its clients to come back later.
      await main.kept();
      await websockets.close();
      await stopListening(server);
      await Promise.all([main.kept(), poster.close()]);
      await store.close();
    },
  };
}
