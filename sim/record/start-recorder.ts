/** The recorder: a proxy in front of a server. It forwards everything and writes the traffic as a trace. */
import { Agent, createServer, type IncomingMessage, type Server } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Clock, Timer } from '../../src/common/clock.ts';
import type { TraceEvent } from '../../src/trace/events.ts';
import { DEFAULT_HOST } from '../server/defaults.ts';
import { allowedHostsOf, isHostAllowed } from '../server/allowed-hosts.ts';
import { rawAnswer } from '../server/http-server.ts';
import { listen, stopListening } from '../server/listen.ts';
import { addressRewriter, type Upstream } from './addresses.ts';
import { forwardHttp } from './forward-http.ts';
import { forwardWebsocket, MESSAGE_BYTES, type Pair } from './forward-websocket.ts';
import { Recording } from './recording.ts';
import type { UpstreamContext } from './upstream.ts';

export interface RecorderOptions {
  readonly upstream: Upstream;
  /** The port to listen at. 0 lets the system choose. */
  readonly port: number;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Receives each event as it happens, unmasked: `traceLine` masks what is written. */
  readonly keep: (event: TraceEvent) => void;
}

/** A running recorder. */
export interface Recorder {
  /** The URL that clients use instead of the server's: `http://127.0.0.1:40123`. */
  readonly url: string;
  /** The number of clients so far. */
  readonly clients: number;
  readonly elapsedMs: number;
  /** Waits for requests under way, closes every channel, and frees the port. No event is recorded after this call. */
  close(): Promise<void>;
}

/** The time that requests under way have to end. Milliseconds. */
const DRAIN_MS = 2_000;
const GOODBYE_MS = 500;
/** The close code of an endpoint that goes away (RFC 6455 §7.4.1). */
const GOING_AWAY = 1001;

/**
 * Starts recording, on loopback only: the server treats every client of the recorder as its own client.
 * @throws ListenError when the port is taken or must not be used.
 */
export async function startRecorder({ upstream, port: wanted, clock, keep }: RecorderOptions): Promise<Recorder> {
  const recording = new Recording({ now: () => clock.now(), keep });
  let own = new URL(`http://${DEFAULT_HOST}`);
  let rewrite = (text: string) => text;
  const proxy = createProxy({ upstream, recording, clock, own: () => own, rewrite: (text) => rewrite(text) });
  const port = await listen(proxy.server, wanted, DEFAULT_HOST);
  own = new URL(`http://${DEFAULT_HOST}:${port}`);
  rewrite = addressRewriter(upstream, own);

  return {
    url: own.origin,
    get clients() {
      return recording.clients;
    },
    get elapsedMs() {
      return recording.elapsedMs;
    },
    async close() {
      const { server, traffic } = proxy;
      server.close();
      await within(clock, DRAIN_MS, Promise.allSettled(traffic.underWay));
      recording.end();
      for (const pair of traffic.pairs) pair.close(GOING_AWAY, 'the recording is over');
      await within(clock, GOODBYE_MS, Promise.all([...traffic.opening].map(closed)));
      for (const pair of traffic.pairs) pair.terminate();
      for (const socket of traffic.opening) socket.destroy();
      await stopListening(server);
      proxy.agent.destroy();
    },
  };
}

/** The traffic that is being forwarded. */
interface Traffic {
  readonly underWay: Set<Promise<void>>;
  readonly pairs: Set<Pair>;
  /** The sockets of clients that asked for a websocket. */
  readonly opening: Set<Duplex>;
}

interface Proxy {
  readonly server: Server;
  readonly agent: Agent;
  readonly traffic: Traffic;
}

/** Creates the server that forwards the requests and websockets of clients of this machine. */
function createProxy(context: UpstreamContext): Proxy {
  const allowed = allowedHostsOf(DEFAULT_HOST);
  const traffic: Traffic = { underWay: new Set(), pairs: new Set(), opening: new Set() };
  // The server may close an idle connection just when it is used again, so each request gets a new connection.
  const agent = context.upstream.http.protocol === 'https:' ? new SecureAgent() : new Agent();
  const websockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MESSAGE_BYTES,
    perMessageDeflate: false,
    autoPong: false,
    handleProtocols: (protocols) => [...protocols][0] ?? false,
  });
  // The server behind has its own time limits; a request may take long.
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    if (!isHostAllowed(allowed, request)) {
      response.writeHead(421).end('The recorder does not answer to this Host header.\n');
      return;
    }
    if (!isPath(request)) {
      response.writeHead(400).end('The request target must be a path.\n');
      return;
    }
    const done = forwardHttp(request, response, context, agent).finally(() => traffic.underWay.delete(done));
    traffic.underWay.add(done);
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (!isHostAllowed(allowed, request) || !isPath(request)) {
      socket.end(rawAnswer(421, 'The recorder does not answer to this Host header.'), () => socket.destroy());
      return;
    }
    traffic.opening.add(socket);
    socket.once('close', () => traffic.opening.delete(socket));
    forwardWebsocket({ request, socket, head }, context, websockets, (pair) => {
      traffic.pairs.add(pair);
      return () => traffic.pairs.delete(pair);
    });
  });
  return { server, agent, traffic };
}

const isPath = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/');

const closed = (socket: Duplex): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

/** Waits until `done` resolves, at most `ms` milliseconds. */
async function within(clock: Pick<Clock, 'after'>, ms: number, done: Promise<unknown>): Promise<void> {
  let limit: Timer | undefined;
  await Promise.race([done, new Promise<void>((resolve) => (limit = clock.after(ms, resolve)))]);
  limit?.cancel();
}
