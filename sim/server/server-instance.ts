import type { Clock } from '../../src/common/clock.ts';
import { nodeUnpackSdp } from './node-sdp.ts';
import { Lifetime } from '../../src/common/lifetime.ts';
import { portraitSvg } from '../../fixtures/portraits.ts';
import type { Admission, HttpRequest, HttpResponse, RequestHead } from '../http/request.ts';
import type { RateLimits } from '../budgets/rate-limits.ts';
import type { NodeLink } from '../cluster/node-link.ts';
import type { Cluster } from '../exchange/cluster.ts';
import { type ChannelIdentity, type Connection, NOT_OPEN, type Refusal } from '../exchange/delivery/connection.ts';
import { Exchange } from '../exchange/exchange.ts';
import { isCallingPath } from '../exchange/http/routes.ts';
import { Log } from '../exchange/logging/log.ts';
import type { EndOfTurn, MediaPath, Ids, Link, LogSink, PostWebhook } from '../exchange/ports.ts';
import type { ExchangeSettings } from '../exchange/settings.ts';
import type { RoomMediaEngine } from '../exchange/rooms/room-media.ts';
import type { Store } from '../exchange/store.ts';
import { type Database, IN_MEMORY } from '../store/database.ts';
import { createSwitchedPaths, type SwitchedPaths } from '../media/switched-paths.ts';
import type { ProductPorts } from '../product/product-options.ts';
import type { Notified } from '../product/push/devices.ts';
import { Product, type ProductSocket, type SocketRefusal } from '../product/product.ts';
import type { ProductPerson } from '../product/product-person.ts';
import type { Script } from '../scripts/format/tree.ts';
import type { MediaPeerMaker } from '../scripts/media-peer.ts';
import { DemoBots } from '../demo-bots/demo-bots.ts';
import { ScriptedExchange } from '../scripts/scripted-exchange.ts';
import { admitCalling } from './admission.ts';
import { DeferredPolicy } from './deferred-policy.ts';
import { openMigrated } from '../store/open-store.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { nodeClock, nodeHmacSha1, nodeIds, nodeRandom, nodeSha256 } from './node-ports.ts';

export interface InstanceOptions {
  readonly people: readonly ProductPerson[];
  /** Whether the users in `people` sign in without a password. */
  readonly isDemo: boolean;
  /** The URL of the instance, without a slash at the end, for links to pictures. */
  readonly apiUrl: string;
  readonly settings: Partial<ExchangeSettings> & Pick<ExchangeSettings, 'appId'>;
  readonly clock: Clock;
  readonly endOfTurn: EndOfTurn;
  /** Counts what clients send. */
  readonly rateLimits: RateLimits;
  /** Null when the log is discarded. */
  readonly log: LogSink | null;
  readonly postWebhook: PostWebhook;
  /** The store of the exchange. Default: memory. */
  readonly store?: Store;
  /** The name under which live calls are stored. Default: calls end with the instance. */
  readonly exchangeName?: string;
  /**
   * The database of the product, with its tables up to date. Default: one in memory, made at the first request to the
   * product.
   */
  readonly database?: Database;
  /** The ports of the product: push, courier, reviewer, payments and payouts. Default: simulated ones. */
  readonly ports?: ProductPorts;
  /** Returns whether the server is above its maximum rate, so that it refuses new calls. Default: never. */
  readonly isOverloaded?: () => boolean;
  /** Returns the answer to a request that failed since a service is down. Null for another failure. Default: always null. */
  readonly explain?: (error: unknown) => Promise<HttpResponse | null>;
  /** Whether calls and messages cost coins. Default: false. */
  readonly billing?: boolean;
  /** Creates the tokens of the exchange. Default: random tokens. */
  readonly token?: Ids['token'];
  /** Returns the path for the media of a call. Default: media goes directly. */
  readonly mediaPath?: (callId: string) => MediaPath;
  /** The media of rooms. Default: none, and endpoints are refused. */
  readonly roomMedia?: RoomMediaEngine;
  /** The script for every client that signs in. Default: no simulated users and no faults. */
  readonly played?: { readonly script: Script; readonly parties: MediaPeerMaker };
  /** Whether the users of the demo world answer messages, if a script is played. Default: false. */
  readonly hasDemoBots?: boolean;
  /** The link to the other nodes of a cluster, and the seam of the exchange. Default: none, this is the only node. */
  readonly node?: { readonly link: NodeLink; readonly exchange: Cluster };
}

/** An exchange with its product: users who know and call each other, separate from those of other instances. */
export interface ServerInstance {
  readonly exchange: Exchange;
  /** Returns how the callee of a live call was notified. Null without a notification. */
  notifiedOf(callId: string): Notified | null;
  /** Decides about a request before its body is read: what it may send, or the refusal. */
  admit(head: RequestHead): Promise<Admission | HttpResponse>;
  http(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
  /** Connects a device to the realtime channel. */
  connect(who: ChannelIdentity, link: Link): Connection | Refusal | Promise<Connection | Refusal>;
  /** Opens one of the product's sockets. */
  socket(path: string, token: string, after: string | null, link: Link): Promise<ProductSocket | SocketRefusal>;
  /** Opens a session for a user without a proof. Returns the token that the calling service accepts. */
  accessTokenOf(userId: string): Promise<string>;
  /** Resolves when the product is ready. */
  ready(): Promise<void>;
  /** Whether only simulated users are connected. */
  readonly isIdle: boolean;
  /** Resolves when all pending writes are stored, as far as the database accepts them. Never rejects. */
  settled(): Promise<void>;
  /** Refuses new dials, and moves idle devices to other nodes within this time. Live calls continue. */
  drain(ms: number): void;
  /** Stops the instance, once. Calls end, unless they are stored to go on. Never rejects. */
  dispose(): Promise<void>;
}

/** A script is played for as long as the server runs: the sessions of simulated users do not end. */
const PLAYED: Partial<ExchangeSettings> = {
  sessionMs: 10 * 365 * 24 * 3_600_000,
  devicesPerUser: 1_000,
  sessionsPerUser: 10_000,
};

/** Opens an instance. Its parts stop in the reverse order of their start. */
export function openInstance(options: InstanceOptions): ServerInstance {
  const log = new Log(options.log, options.clock);
  const lifetime = new Lifetime((error) => log.error('a part of an instance did not stop', { error }));
  const simulated = nodeIds.token();
  const paths = createSwitchedPaths({ clock: nodeClock, random: nodeRandom });
  const policy = new DeferredPolicy();
  const exchange = newExchange(options, { policy, paths });
  const database = databaseOf(options, log, lifetime);
  // The product is informed of the calls that end with the exchange, so it stops after the exchange.
  const product = lifetime.add(newProduct(options, { log, calling: exchange, simulated, database }));
  lifetime.add({ dispose: () => exchange.close() });
  policy.decideBy(product);
  for (const { u_id, nickname } of options.people) {
    exchange.addUser({ user_id: u_id, nickname, profile_url: product.portraitUrl(u_id) });
  }
  const parts = { log, lifetime, simulated, paths, exchange, product };
  const scripted = startScript(options, parts);
  const demoBots = scripted && startDemoBots(options, parts, scripted);
  return serverInstance(options, { ...parts, scripted, demoBots });
}

/** The parts of an instance. */
interface InstanceParts {
  readonly log: Log;
  readonly lifetime: Lifetime;
  /** The access token of simulated users. */
  readonly simulated: string;
  readonly paths: SwitchedPaths;
  readonly exchange: Exchange;
  readonly product: Product;
  /** Null when no script is played. */
  readonly scripted: ScriptedExchange | null;
  /** Null when no users of the demo world answer messages. */
  readonly demoBots: DemoBots | null;
}

type CoreParts = Omit<InstanceParts, 'scripted' | 'demoBots'>;

/**
 * Returns the function that opens the database of the product: the given one, or one in memory. The one in memory
 * closes after the last write of every part.
 */
function databaseOf({ database }: InstanceOptions, log: Log, lifetime: Lifetime): () => Promise<Database> {
  if (database) return () => Promise.resolve(database);
  let own: Promise<Database> | undefined;
  lifetime.add({
    async dispose() {
      await lifetime.settled();
      await (await own)?.db.destroy();
    },
  });
  return () => (own ??= openMigrated(IN_MEMORY, log));
}

/** Starts the script that is played to every client. Returns null without one. */
function startScript(
  { played, people, settings, clock }: InstanceOptions,
  { log, lifetime, simulated, paths, exchange }: CoreParts,
): ScriptedExchange | null {
  if (!played) return null;
  const scripted = new ScriptedExchange({
    ...played,
    exchange,
    appId: settings.appId,
    userIds: people.map(({ u_id }) => u_id),
    token: simulated,
    clock,
    ids: nodeIds,
    log,
    media: paths,
  });
  lifetime.add({ dispose: () => scripted.close() });
  return scripted;
}

/** Starts the users of the demo world who answer messages. Returns null when they do not. */
function startDemoBots(
  { clock, node, hasDemoBots = false }: InstanceOptions,
  { log, lifetime, product }: CoreParts,
  scripted: ScriptedExchange,
): DemoBots | null {
  if (!hasDemoBots) return null;
  const dial = (uId: string, calleeId: string) => scripted.dial(uId, calleeId, true);
  const isFirst = () => node?.link.others.every((other) => other > node.link.node) ?? true;
  const demoBots = new DemoBots({ product, clock, ids: nodeIds, log, dial, answers: isFirst });
  lifetime.add({ dispose: () => demoBots.close() });
  return demoBots;
}

/** Returns the instance that these parts make up. */
function serverInstance(
  { people, rateLimits, hasDemoBots = false }: InstanceOptions,
  { lifetime, exchange, product, scripted, demoBots }: InstanceParts,
): ServerInstance {
  const calling = scripted ?? exchange;
  return {
    exchange,
    notifiedOf: (callId) => product.notifiedOf(callId),
    async admit(head) {
      if (!isCallingPath(head.path)) return product.admit(head);
      return await admitCalling(exchange, rateLimits, head);
    },
    http: (request) => (isCallingPath(request.path) ? calling.http(request) : product.http(request)),
    connect(who, link) {
      const fetching = exchange.prepare({ session: who.sessionToken });
      if (!fetching) return calling.connect(who, link);
      return fetching.then(
        () => calling.connect(who, link),
        () => NOT_OPEN,
      );
    },
    socket: (path, token, after, link) => product.socket(path, token, after, link),
    accessTokenOf: (userId) => product.accessTokenOf(userId),
    async ready() {
      // The exchange opens before the product, which bills live calls.
      await exchange.open();
      const parts = await product.opened();
      // Only the seed of the demo world needs faker.
      if (hasDemoBots) await (await import('../demo-bots/seed-demo.ts')).seedDemo(parts, people);
      await demoBots?.open();
    },
    async settled() {
      await Promise.all([exchange.kept(), product.settled()]);
    },
    get isIdle() {
      return scripted?.isIdle ?? exchange.deviceCount === 0;
    },
    drain(ms) {
      exchange.drain(ms);
      product.drain();
    },
    dispose: () => lifetime.dispose(),
  };
}

/** Makes the exchange. A script that loses media gets paths that can be cut. */
function newExchange(
  { played, settings, clock, ...options }: InstanceOptions,
  { policy, paths }: { readonly policy: DeferredPolicy; readonly paths: SwitchedPaths },
): Exchange {
  const losesMedia = Object.values(played?.script.people ?? {}).some((all) =>
    all.some((one) => one.do === 'lose-media'),
  );
  const { mayLogIn, mayDial, mayInvite, findUser } = policy;
  const mediaPath = losesMedia ? (callId: string) => paths.open(callId) : options.mediaPath;
  return new Exchange({
    clock,
    ids: { uuid: () => nodeIds.uuid(), token: options.token ?? (() => nodeIds.token()) },
    hmacSha1: nodeHmacSha1,
    sha256: nodeSha256,
    unpackSdp: nodeUnpackSdp,
    endOfTurn: options.endOfTurn,
    log: options.log,
    postWebhook: options.postWebhook,
    users: [],
    settings: { ...(played ? PLAYED : {}), ...settings },
    // A node that is alone has every user.
    policy: {
      ...{ mayLogIn, mayDial, mayInvite },
      ...(options.node ? { findUser } : {}),
      ...(options.isOverloaded ? { isOverloaded: options.isOverloaded } : {}),
      ...(options.explain ? { explain: options.explain } : {}),
    },
    store: options.store ?? new MemoryStore(),
    ...(options.exchangeName === undefined ? {} : { name: options.exchangeName }),
    ...(mediaPath ? { mediaPath } : {}),
    ...(options.roomMedia ? { roomMedia: options.roomMedia } : {}),
    ...(options.node ? { cluster: options.node.exchange } : {}),
  });
}

interface ProductWiring {
  readonly log: Log;
  readonly calling: Exchange;
  /** The access token of simulated users. */
  readonly simulated: string;
  readonly database: () => Promise<Database>;
}

/** Makes the product, which asks and follows the exchange. */
function newProduct(options: InstanceOptions, { log, calling, simulated, database }: ProductWiring): Product {
  return new Product({
    clock: options.clock,
    rateLimits: options.rateLimits,
    ids: nodeIds,
    log,
    database,
    people: options.people,
    ...(options.ports ? { ports: options.ports } : {}),
    isDemo: options.isDemo,
    isBilled: options.billing === true,
    calling,
    ...(options.played ? { guestToken: simulated } : {}),
    ...(options.node ? { link: options.node.link } : {}),
    apiUrl: options.apiUrl,
    portrait: (uId, genderType) => portraitSvg(uId, genderType),
  });
}
