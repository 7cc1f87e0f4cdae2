import { portraitSvg } from '../../fixtures/portraits.ts';
import type { ChannelIdentity, Connection, Refusal } from '../exchange/connection.ts';
import { Exchange } from '../exchange/exchange.ts';
import type { HttpRequest } from '../exchange/http/request.ts';
import { isCallingPath } from '../exchange/http/routes.ts';
import { Log } from '../exchange/log.ts';
import type { MediaPath } from '../exchange/media-path.ts';
import type { Ids, Link, LogSink, PostWebhook } from '../exchange/ports.ts';
import type { ExchangeSettings } from '../exchange/settings.ts';
import type { Store } from '../exchange/store.ts';
import { createSwitchedPaths } from '../media/switched-paths.ts';
import type { People } from '../product/people.ts';
import { Product, type ProductSocket, type SocketRefusal } from '../product/product.ts';
import type { Script } from '../scripts/format/tree.ts';
import type { PartyMaker } from '../scripts/party.ts';
import { ScriptedExchange } from '../scripts/scripted-exchange.ts';
import type { Answer } from './http-server.ts';
import { nodeClock, nodeHmacSha1, nodeIds } from './node-ports.ts';

export interface HouseOptions {
  readonly people: People;
  /** Whether the people sign in without a password. */
  readonly isDemo: boolean;
  /** Where the house is reached, without a slash at the end: for links to pictures. */
  readonly apiUrl: string;
  readonly settings: Partial<ExchangeSettings> & Pick<ExchangeSettings, 'appId'>;
  readonly log: LogSink;
  readonly postWebhook: PostWebhook;
  /** Default: memory. */
  readonly store?: Store;
  /** Makes the tokens of the exchange. Default: random ones. */
  readonly token?: Ids['token'];
  /** Leads the media of each call. Default: media goes directly. */
  readonly mediaPath?: (callId: string) => MediaPath;
  /** Played to whoever signs in. Default: nobody is simulated, and nothing goes wrong. */
  readonly played?: { readonly script: Script; readonly parties: PartyMaker };
}

/** An exchange with its product: people who know and call each other, and nobody elsewhere. */
export interface House {
  readonly exchange: Exchange;
  http(request: HttpRequest): Answer | Promise<Answer>;
  /** A device comes onto the realtime channel. */
  connect(who: ChannelIdentity, link: Link): Connection | Refusal;
  /** One of the product's sockets opens. */
  socket(path: string, token: string, link: Link): ProductSocket | SocketRefusal;
  /** Whether nobody is connected but simulated people. */
  readonly isIdle: boolean;
  /** Ends every call and closes every socket. */
  close(): void;
}

/** A script is played for as long as the server runs: the sessions of simulated people do not end. */
const PLAYED: Partial<ExchangeSettings> = { sessionMs: 10 * 365 * 24 * 3_600_000, devicesPerUser: 1_000 };

export function openHouse(options: HouseOptions): House {
  const { people, played, settings } = options;
  const simulated = nodeIds.token();
  const losesMedia = Object.values(played?.script.people ?? {}).some((all) =>
    all.some((one) => one.do === 'lose-media'),
  );
  const paths = createSwitchedPaths();
  const mediaPath = losesMedia ? (callId: string) => paths.open(callId) : options.mediaPath;
  const ids: Ids = { uuid: () => nodeIds.uuid(), token: options.token ?? (() => nodeIds.token()) };
  const exchange = new Exchange({
    clock: nodeClock,
    ids,
    hmacSha1: nodeHmacSha1,
    log: options.log,
    postWebhook: options.postWebhook,
    users: [],
    settings: { ...(played ? PLAYED : {}), ...settings },
    mayLogIn: (userId, token) => (played && token === simulated) || product.mayCall(userId, token),
    ...(options.store ? { store: options.store } : {}),
    ...(mediaPath ? { mediaPath } : {}),
  });
  const product = new Product({
    clock: nodeClock,
    ids: nodeIds,
    people,
    isDemo: options.isDemo,
    calling: exchange,
    apiUrl: options.apiUrl,
    portrait: ({ u_id, gender_type }) => portraitSvg(u_id, gender_type),
  });
  for (const { u_id, nickname } of people.all) {
    exchange.addUser({ user_id: u_id, nickname, profile_url: product.portraitUrl(u_id) });
  }
  const scripted = played
    ? new ScriptedExchange({
        ...played,
        exchange,
        appId: settings.appId,
        userIds: people.all.map(({ u_id }) => u_id),
        token: simulated,
        clock: nodeClock,
        ids: nodeIds,
        log: new Log(options.log, nodeClock),
        media: paths,
      })
    : null;
  const calling = scripted ?? exchange;
  return {
    exchange,
    http: (request) => (isCallingPath(request.path) ? calling.http(request) : product.http(request)),
    connect: (who, link) => calling.connect(who, link),
    socket: (path, token, link) => product.socket(path, token, link),
    get isIdle() {
      return scripted?.isIdle ?? exchange.deviceCount === 0;
    },
    close() {
      scripted?.close();
      exchange.close();
      product.dispose();
    },
  };
}
