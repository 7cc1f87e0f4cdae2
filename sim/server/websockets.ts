/** The websocket edge: connects websockets with the exchange and the product. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocketServer, WebSocket } from 'ws';
import { joined } from '../../src/common/joined.ts';
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
import { Heartbeats, PARTS } from './heartbeats.ts';
import { OpenConnections } from './open-connections.ts';
import { inFrame, inRequest } from './operations/request-scope.ts';
import { targetOf } from './target.ts';
import { FrameSource, Turn } from './turn.ts';
import { urgencyOf } from './frame-urgency.ts';
import { ErrorCode } from '../../src/protocol/errors.ts';

/** What a socket connects to. */
interface Place {
  readonly path: string;
  readonly instance: {
    connect(who: ChannelIdentity, link: Link): Connection | Refusal | Promise<Connection | Refusal>;
    socket(path: string, token: string, after: string | null, link: Link): Promise<ProductSocket | SocketRefusal>;
  };
}

export interface WebsocketEdge {
  readonly allowedHosts: AllowedHosts;
  readonly log: Log;
  readonly addresses: ClientAddresses;
  /** Counts upgrades by address. Each product socket counts its own messages. */
  readonly rateLimits: RateLimits;
  /** The turn of the event loop, which the sockets share with the stores. Default: one of their own. */
  readonly turn?: Turn;
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
  /** Returns the longest time that a frame has waited since the last call. Milliseconds. */
  longestWait(): number;
  /** Closes every socket with 1012 and waits a moment for the answers. Terminates sockets that do not answer. */
  dispose(): Promise<void>;
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
const BUFFERED_BYTES = 1024 * 1024;

/** A socket that was admitted: the side of the exchange or of the product. */
type Taken = Connection | ProductSocket;

/** A websocket with its side of the server. Its listeners find that side by it, so that all sockets share them. */
class ServedWebSocket extends WebSocket {
  served: ServedSocket | null = null;
}

/** An upgrade that a client requests. */
interface Upgrade {
  /** The id of the request, for the log. */
  readonly id: string;
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The first bytes after the request. */
  readonly head: Buffer;
}

/** A refusal of an upgrade, by an HTTP status. */
interface UpgradeRefusal {
  readonly status: number;
  readonly message: string;
  readonly code?: number | undefined;
  readonly headers?: HttpResponse['headers'];
}

/**
 * Serves `/v1/realtime` and the product's sockets. A refusal is sent before the upgrade. Only a page with an invalid
 * session gets it as a close code, see {@link isSentByClosing}.
 */
export function serveWebsockets(server: Server, edge: WebsocketEdge): Websockets {
  const sockets = new ServedSockets(edge);
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // The socket keeps it.
    const id = joined(randomUUID());
    void inRequest(id, async () => {
      try {
        await sockets.upgrade({ id, request, socket, head });
      } catch (error) {
        edge.log.error('a socket could not be opened', { error });
        socket.end(rawAnswer(500, ''), () => socket.destroy());
      }
    });
  };
  server.on('upgrade', onUpgrade);
  const pings = setInterval(() => sockets.beat(), (edge.pingMs ?? PING_MS) / PARTS);
  pings.unref();
  return {
    get count() {
      return sockets.count;
    },
    longestWait: () => sockets.longestWait(),
    async dispose() {
      clearInterval(pings);
      server.off('upgrade', onUpgrade);
      await sockets.close();
    },
  };
}

/** The open sockets of a server, and the steps by which a socket opens: its admission, then its upgrade. */
class ServedSockets {
  readonly #edge: WebsocketEdge;
  readonly #websockets = new WebSocketServer({
    WebSocket: ServedWebSocket,
    noServer: true,
    clientTracking: false,
    maxPayload: LIMITS.frameBytes,
    maxFragments: FRAGMENTS,
    perMessageDeflate: false,
    // The subprotocol is the token: the page sent exactly this one.
    handleProtocols: (protocols) => [...protocols][0] ?? false,
  });
  readonly #open = new Heartbeats<WebSocket>();
  readonly #turn: Turn;
  readonly #perAddress = new OpenConnections(SOCKET_BUDGETS.connection.keeps[0].most);

  constructor(edge: WebsocketEdge) {
    this.#edge = edge;
    this.#turn = edge.turn ?? new Turn();
  }

  get count(): number {
    return this.#open.count;
  }

  longestWait(): number {
    return this.#turn.longestWait();
  }

  async upgrade(upgrade: Upgrade): Promise<void> {
    const { request, socket } = upgrade;
    socket.on('error', destroySocket);
    const counted = await this.#admit(upgrade);
    if (typeof counted !== 'function') return refuse(socket, counted);
    // A socket closes once. `once` would keep three more objects.
    socket.on('close', counted);
    if (socket.destroyed) return counted();

    // The socket waits until it is admitted or refused; what the client sends before the upgrade is buffered.
    const link = new SocketLink(this.#edge.log, this.#edge.bufferedBytes ?? BUFFERED_BYTES, this.#turn);
    const taken = await take(this.#edge, request, link);
    if (!('status' in taken)) return this.#connect(upgrade, taken, link, counted);
    if (!isSentByClosing(request, taken)) return refuse(socket, taken);
    this.#closeAtOnce(upgrade, taken.message);
  }

  /** Pings the next part of the sockets. */
  beat(): void {
    this.#open.beat();
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.sockets.map(sayGoodbye));
  }

  /** Counts an upgrade and its connection. Returns the refusal, or the function to call when the socket has closed. */
  async #admit({ request }: Upgrade): Promise<UpgradeRefusal | (() => void)> {
    const { allowedHosts, addresses, rateLimits } = this.#edge;
    if (!isHostAllowed(allowedHosts, request)) {
      return { status: 421, message: 'The server does not answer to this Host header.' };
    }
    if (!isOriginAllowed(allowedHosts, request)) {
      return { status: 403, message: 'Pages of this origin may not connect.' };
    }
    const address = addresses.of({
      remoteAddress: request.socket.remoteAddress,
      forwardedFor: [request.headers['x-forwarded-for'] ?? ''].flat().join(', '),
    });
    const seconds = await consumeAll(rateLimits, UPGRADES, address);
    if (seconds !== null) {
      const headers = { 'retry-after': String(seconds) };
      return { status: 429, message: 'Too many connections. Try again later.', code: TOO_MANY, headers };
    }
    // The connections of a proxy belong to many clients, so each client's are counted here.
    return this.#perAddress.open(address) ?? { status: 429, message: 'Too many open connections.', code: TOO_MANY };
  }

  /** Upgrades the socket of a page with an invalid session, and closes it with 4401. */
  #closeAtOnce({ request, socket, head }: Upgrade, message: string): void {
    this.#websockets.handleUpgrade(request, socket, head, (websocket) => {
      websocket.on('error', (error) => this.#edge.log.warn('a socket failed', { error }));
      this.#open.add(websocket);
      websocket.on('close', () => this.#open.remove(websocket));
      websocket.close(CLOSE_SESSION_OVER, message);
    });
  }

  /** Upgrades an admitted socket, and connects it with its side of the server. */
  #connect({ id, request, socket, head }: Upgrade, taken: Taken, link: SocketLink, counted: () => void): void {
    if (socket.destroyed) return taken.closed();
    const closedEarly = () => taken.closed();
    socket.on('close', closedEarly);
    this.#websockets.handleUpgrade(request, socket, head, (websocket) => {
      const { log } = this.#edge;
      const shared = { log, turn: this.#turn, open: this.#open };
      websocket.served = new ServedSocket(shared, { id, websocket, taken, counted });
      websocket.on('pong', onPong).on('error', onError).on('close', onClose).on('message', onMessage);
      // The websocket handles these from now on. Each listener would keep objects for as long as the socket is open.
      socket.off('close', closedEarly).off('close', counted).off('error', destroySocket);
      this.#open.add(websocket);
      link.use(websocket, socket);
    });
  }
}

/** The parts that all sockets share. */
interface SharedParts {
  readonly log: Log;
  readonly turn: Turn;
  readonly open: Heartbeats<WebSocket>;
}

/** An open websocket. */
interface OpenedSocket {
  /** The id of its upgrade, for the log. */
  readonly id: string;
  readonly websocket: WebSocket;
  readonly taken: Taken;
  /** To call when the socket has closed. */
  readonly counted: () => void;
}

/** An open websocket with what it connects to. */
class ServedSocket extends FrameSource {
  readonly #shared: SharedParts;
  readonly #own: OpenedSocket;

  constructor(shared: SharedParts, own: OpenedSocket) {
    super();
    this.#shared = shared;
    this.#own = own;
  }

  override handle(text: string): void {
    const { id, websocket, taken } = this.#own;
    try {
      inFrame(id, () => taken.receive(text));
    } catch (error) {
      this.#shared.log.error('a message could not be processed', { error });
      websocket.close(CLOSE_FAILED, 'the server failed');
    }
  }

  received(data: RawData, isBinary: boolean): void {
    const { turn } = this.#shared;
    if (isBinary) {
      turn.finish(this);
      return this.#own.websocket.close(CLOSE_UNSUPPORTED, 'text only');
    }
    const text = Buffer.isBuffer(data) ? data.toString('utf8') : '';
    turn.receive(this, text, urgencyOf(text));
  }

  answered(): void {
    this.#shared.open.answered(this.#own.websocket);
  }

  failed(error: Error): void {
    this.#shared.log.warn('a socket failed', { error });
  }

  closed(): void {
    const { id, websocket, taken, counted } = this.#own;
    const { log, turn, open } = this.#shared;
    counted();
    open.remove(websocket);
    turn.finish(this);
    try {
      inFrame(id, () => taken.closed());
    } catch (error) {
      log.error('a closed socket could not be removed', { error });
    }
  }
}

const servedOf = (websocket: WebSocket): ServedSocket | null =>
  websocket instanceof ServedWebSocket ? websocket.served : null;

function destroySocket(this: Duplex): void {
  this.destroy();
}

function onPong(this: WebSocket): void {
  servedOf(this)?.answered();
}

function onError(this: WebSocket, error: Error): void {
  servedOf(this)?.failed(error);
}

function onClose(this: WebSocket): void {
  servedOf(this)?.closed();
}

function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  servedOf(this)?.received(data, isBinary);
}

/** Ends the connection itself: a client that keeps its side open would hold the socket forever. */
function refuse(socket: Duplex, { status, message, code, headers }: UpgradeRefusal): void {
  socket.end(rawAnswer(status, message, code, headers), () => socket.destroy());
}

/**
 * Returns whether the refusal is sent as close code 4401. A browser hides the status of a refused upgrade from the
 * page, so the page would retry forever where it must stop (D07). A page, which has an Origin, is therefore upgraded
 * and closed.
 */
function isSentByClosing(request: IncomingMessage, refusal: Refusal | SocketRefusal): boolean {
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
      // The connection keeps it. A part of the query would keep the whole query in memory.
      sessionToken: Buffer.from(query.get(CHANNEL_QUERY.sessionToken) ?? '').toString(),
      clientId: query.get(CHANNEL_QUERY.clientId) ?? '',
      version: query.get(CHANNEL_QUERY.version) ?? '',
    };
    return await instance.connect(who, link);
  }
  const [token = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(',');
  return await instance.socket(path, token.trim(), query.get('after'), link);
}

/** Shared by all links that buffer nothing. */
const NOTHING: readonly never[] = [];

/** A link to a socket that buffers until the socket is open. */
class SocketLink implements Link {
  readonly #log: Log;
  readonly #limit: number;
  readonly #turn: Turn;
  #websocket: WebSocket | undefined;
  #socket: Duplex | undefined;
  #early: readonly ((websocket: WebSocket) => void)[] = NOTHING;

  constructor(log: Log, limit: number, turn: Turn) {
    this.#log = log;
    this.#limit = limit;
    this.#turn = turn;
  }

  /** Sends by this websocket from now on, which has the TCP socket. */
  use(websocket: WebSocket, socket: Duplex): void {
    this.#websocket = websocket;
    this.#socket = socket;
    for (const act of this.#early) act(websocket);
    this.#early = NOTHING;
  }

  send(text: string): void {
    this.#when((websocket) => {
      if (websocket.readyState !== websocket.OPEN) return;
      const bytes = Buffer.byteLength(text);
      const isFull = () => websocket.bufferedAmount + bytes > this.#limit;
      // The client could not read yet what this turn holds.
      if (isFull() && this.#socket) this.#turn.flush(this.#socket);
      if (isFull()) {
        this.#log.warn('a client does not read', { buffered: websocket.bufferedAmount });
        websocket.close(CLOSE_TRY_LATER, 'too slow');
        // A close frame would wait behind the data that the client does not read.
        websocket.terminate();
        return;
      }
      if (this.#socket) this.#turn.hold(this.#socket);
      websocket.send(text);
    });
  }

  close(code: number, reason: string): void {
    this.#when((websocket) => websocket.close(code, reason));
  }

  #when(act: (websocket: WebSocket) => void): void {
    if (this.#websocket) act(this.#websocket);
    else this.#early = [...this.#early, act];
  }
}
