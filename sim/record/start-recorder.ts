/** The recorder: a proxy in front of a server. It forwards everything and writes the traffic as a trace. */
import { Agent, createServer, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
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
export async function startRecorder({ upstream, port: wanted, keep }: RecorderOptions): Promise<Recorder> {
  const recording = new Recording({ now: () => performance.now(), keep });
  const allowed = allowedHostsOf(DEFAULT_HOST);
  // The server may close an idle connection just when it is used again, so each request gets a new connection.
  const agent = upstream.http.protocol === 'https:' ? new SecureAgent() : new Agent();
  const websockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MESSAGE_BYTES,
    perMessageDeflate: false,
    autoPong: false,
    handleProtocols: (protocols) => [...protocols][0] ?? false,
  });
  const underWay = new Set<Promise<void>>();
  const pairs = new Set<Pair>();
  const opening = new Set<Duplex>();
  let own = new URL(`http://${DEFAULT_HOST}`);
  let rewrite = (text: string) => text;
  const way: UpstreamContext = { upstream, recording, own: () => own, rewrite: (text) => rewrite(text) };

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
    const done = forwardHttp(request, response, way, agent).finally(() => underWay.delete(done));
    underWay.add(done);
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (!isHostAllowed(allowed, request) || !isPath(request)) {
      socket.end(rawAnswer(421, 'The recorder does not answer to this Host header.'), () => socket.destroy());
      return;
    }
    opening.add(socket);
    socket.once('close', () => opening.delete(socket));
    forwardWebsocket({ request, socket, head }, way, websockets, (pair) => {
      pairs.add(pair);
      return () => pairs.delete(pair);
    });
  });
  const port = await listen(server, wanted, DEFAULT_HOST);
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
      server.close();
      await withinMs(Promise.allSettled(underWay), DRAIN_MS);
      recording.end();
      for (const pair of pairs) pair.close(GOING_AWAY, 'the recording is over');
      await withinMs(Promise.all([...opening].map(closed)), GOODBYE_MS);
      for (const pair of pairs) pair.terminate();
      for (const socket of opening) socket.destroy();
      await stopListening(server);
      agent.destroy();
    },
  };
}

const isPath = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/');

const closed = (socket: Duplex): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

async function withinMs(done: Promise<unknown>, ms: number): Promise<void> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([done, new Promise((resolve) => (limit = setTimeout(resolve, ms)))]);
  clearTimeout(limit);
}
