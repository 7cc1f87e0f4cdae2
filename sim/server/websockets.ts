/** The websocket edge: connects websockets with the exchange and the product. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { CLOSE_SESSION_OVER } from '../../src/protocol/close-codes.ts';
import { CHANNEL_QUERY, PATHS } from '../../src/protocol/http.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { consumeAll, limitsBy, type RateLimits } from '../budgets/rate-limits.ts';
import { SOCKET_BUDGETS } from '../budgets/socket-budgets.ts';
import type { ChannelIdentity, Connection, Refusal } from '../exchange/delivery/connection.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { Link } from '../exchange/ports.ts';
import type { ProductSocket, SocketRefusal } from '../product/product.ts';
import type { ClientAddresses } from './client-address.ts';
import { isHostAllowed, isOriginAllowed, type AllowedHosts } from './allowed-hosts.ts';
import type { HttpResponse } from '../http/request.ts';
import { rawAnswer } from './http-server.ts';
import { OpenConnections } from './open-connections.ts';
import { inRequest } from './operations/request-scope.ts';
import { targetOf } from './target.ts';
import { ErrorCode } from '../../src/protocol/errors.ts';

/** What a socket connects to. */
interface Place {
  readonly path: string;
  readonly instance: {
    connect(who: ChannelIdentity, link: Link): Connection | Refusal;
    socket(path: string, token: string, after: string | null, link: Link): Promise<ProductSocket | SocketRefusal>;
  };
}

export interface WebsocketEdge {
  readonly allowedHosts: AllowedHosts;
  readonly log: Log;
  readonly addresses: ClientAddresses;
  /** Counts upgrades by address. Each product socket counts its own messages. */
  readonly rateLimits: RateLimits;
  /** Returns the instance for a socket, and the path within it. */
  readonly find: (path: string, query: URLSearchParams) => Place | Refusal;
  /** The interval of pings. A client that has not answered two of them is gone (S15). Milliseconds, default 6 s. */
  readonly pingMs?: number;
  /** The server closes a client that has this much unread data (S16). Bytes, default 1 MiB. */
  readonly bufferedBytes?: number;
}

export interface Websockets {
  /** The number of open sockets. */
  readonly count: number;
  /** Closes every socket with 1012 and waits a moment for the answers. Terminates sockets that do not answer. */
  close(): Promise<void>;
}

/** The close code for data of an unsupported type (RFC 6455 §7.4.1). */
const CLOSE_UNSUPPORTED = 1003;
const CLOSE_FAILED = 1011;
const CLOSE_RESTART = 1012;
const CLOSE_TRY_LATER = 1013;
/** The calling service has no code of its own for too many requests (docs/errors.md). */
const TOO_MANY = ErrorCode.ERR_SERVER_INTERNAL_ERROR;
const GOODBYE_MS = 500;
const UPGRADES = limitsBy('upgrade', SOCKET_BUDGETS.upgrade, 'address');
/** The most fragments of one message (S12). */
const FRAGMENTS = 64;
/** A dead socket misses two pings and is cut off at the third: within 18 s (ADR 0024). */
const PING_MS = 6_000;
const MISSES = 2;
const BUFFERED_BYTES = 1024 * 1024;

/**
 * Serves `/v1/realtime` and the product's sockets. A refusal is sent before the upgrade. Only a page with an invalid
 * session gets it as a close code, see {@link tellsByClosing}.
 */
export function serveWebsockets(server: Server, edge: WebsocketEdge): Websockets {
  const websockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: LIMITS.frameBytes,
    maxFragments: FRAGMENTS,
    perMessageDeflate: false,
    // The subprotocol is the token: the page sent exactly this one.
    handleProtocols: (protocols) => [...protocols][0] ?? false,
  });
  const open = new Map<WebSocket, { missed: number }>();
  const perAddress = new OpenConnections(SOCKET_BUDGETS.connection.keeps[0].most);

  const upgrade = async (id: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const refuse = (status: number, message: string, code?: number, headers?: HttpResponse['headers']): void => {
      // The server ends the connection itself: a client that keeps its side open would hold the socket forever.
      socket.end(rawAnswer(status, message, code, headers), () => socket.destroy());
    };
    socket.on('error', () => socket.destroy());
    if (!isHostAllowed(edge.allowedHosts, request))
      return refuse(421, 'The server does not answer to this Host header.');
    if (!isOriginAllowed(edge.allowedHosts, request)) return refuse(403, 'Pages of this origin may not connect.');

    const address = edge.addresses.of({
      remoteAddress: request.socket.remoteAddress,
      forwardedFor: [request.headers['x-forwarded-for'] ?? ''].flat().join(', '),
    });
    const seconds = await consumeAll(edge.rateLimits, UPGRADES, address);
    if (seconds !== null) {
      return refuse(429, 'Too many connections. Try again later.', TOO_MANY, { 'retry-after': String(seconds) });
    }
    // The connections of a proxy belong to many clients, so each client's are counted here.
    const closed = perAddress.open(address);
    if (!closed) return refuse(429, 'Too many open connections.', TOO_MANY);
    socket.once('close', closed);
    if (socket.destroyed) return closed();

    // The socket waits until it is admitted or refused; what the client sends before the upgrade is buffered.
    const link = new SocketLink(edge.log, edge.bufferedBytes ?? BUFFERED_BYTES);
    const taken = await take(edge, request, link);
    if ('status' in taken) {
      if (!tellsByClosing(request, taken)) return refuse(taken.status, taken.message, taken.code);
      websockets.handleUpgrade(request, socket, head, (websocket) => {
        websocket.on('error', (error) => edge.log.warn('a socket failed', { error }));
        open.set(websocket, { missed: 0 });
        websocket.on('close', () => open.delete(websocket));
        websocket.close(CLOSE_SESSION_OVER, taken.message);
      });
      return;
    }
    if (socket.destroyed) return taken.closed();
    let isUpgraded = false;
    socket.once('close', () => {
      if (!isUpgraded) taken.closed();
    });
    websockets.handleUpgrade(request, socket, head, (websocket) => {
      isUpgraded = true;
      open.set(websocket, { missed: 0 });
      link.use(websocket);
      websocket.on('pong', () => open.set(websocket, { missed: 0 }));
      websocket.on('error', (error) => edge.log.warn('a socket failed', { error }));
      websocket.on('close', () => {
        open.delete(websocket);
        try {
          inRequest(id, () => taken.closed());
        } catch (error) {
          edge.log.error('a closed socket could not be removed', { error });
        }
      });
      websocket.on('message', (data, isBinary) => {
        if (isBinary) return websocket.close(CLOSE_UNSUPPORTED, 'text only');
        try {
          const text = Buffer.isBuffer(data) ? data.toString('utf8') : '';
          inRequest(id, () => taken.receive(text));
        } catch (error) {
          edge.log.error('a message could not be processed', { error });
          websocket.close(CLOSE_FAILED, 'the server failed');
        }
      });
    });
  };
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const id = randomUUID();
    void inRequest(id, async () => {
      try {
        await upgrade(id, request, socket, head);
      } catch (error) {
        edge.log.error('a socket could not be opened', { error });
        socket.end(rawAnswer(500, ''), () => socket.destroy());
      }
    });
  };
  server.on('upgrade', onUpgrade);

  const pings = setInterval(() => {
    for (const [websocket, heart] of open) {
      if (heart.missed >= MISSES) {
        websocket.terminate();
        continue;
      }
      heart.missed += 1;
      websocket.ping();
    }
  }, edge.pingMs ?? PING_MS);
  pings.unref();

  return {
    get count() {
      return open.size;
    },
    async close() {
      clearInterval(pings);
      server.off('upgrade', onUpgrade);
      await Promise.all([...open.keys()].map(sayGoodbye));
    },
  };
}

/**
 * Returns whether the refusal is sent as close code 4401. A browser hides the status of a refused upgrade from the
 * page, so the page would retry forever where it must stop (D07). A page, which has an Origin, is therefore upgraded
 * and closed.
 */
function tellsByClosing(request: IncomingMessage, refusal: Refusal | SocketRefusal): boolean {
  return refusal.status === 401 && request.headers.origin !== undefined;
}

function sayGoodbye(websocket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => websocket.terminate(), GOODBYE_MS);
    websocket.once('close', () => {
      clearTimeout(limit);
      resolve();
    });
    websocket.close(CLOSE_RESTART, 'the exchange stops');
  });
}

async function take(
  edge: WebsocketEdge,
  request: IncomingMessage,
  link: Link,
): Promise<Connection | ProductSocket | Refusal> {
  const { path: asked, query } = targetOf(request);
  const place = edge.find(asked, query);
  if ('status' in place) return place;
  const { instance, path } = place;
  if (path === PATHS.channel) {
    const who = {
      sessionToken: query.get(CHANNEL_QUERY.sessionToken) ?? '',
      clientId: query.get(CHANNEL_QUERY.clientId) ?? '',
      version: query.get(CHANNEL_QUERY.version) ?? '',
    };
    return instance.connect(who, link);
  }
  const [token = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(',');
  return await instance.socket(path, token.trim(), query.get('after'), link);
}

/** A link to a socket that buffers until the socket is open. */
class SocketLink implements Link {
  readonly #log: Log;
  readonly #limit: number;
  #websocket: WebSocket | undefined;
  #early: ((websocket: WebSocket) => void)[] = [];

  constructor(log: Log, limit: number) {
    this.#log = log;
    this.#limit = limit;
  }

  use(websocket: WebSocket): void {
    this.#websocket = websocket;
    for (const act of this.#early) act(websocket);
    this.#early = [];
  }

  send(text: string): void {
    this.#when((websocket) => {
      if (websocket.readyState !== websocket.OPEN) return;
      if (websocket.bufferedAmount + Buffer.byteLength(text) > this.#limit) {
        this.#log.warn('a client does not read', { buffered: websocket.bufferedAmount });
        websocket.close(CLOSE_TRY_LATER, 'too slow');
        // A close frame would wait behind the data that the client does not read.
        websocket.terminate();
        return;
      }
      websocket.send(text);
    });
  }

  close(code: number, reason: string): void {
    this.#when((websocket) => websocket.close(code, reason));
  }

  #when(act: (websocket: WebSocket) => void): void {
    if (this.#websocket) act(this.#websocket);
    else this.#early.push(act);
  }
}
