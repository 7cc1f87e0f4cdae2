/**
 * A server in front of the exchange for the page of a device. For the page of a scenario it serves the page, the built
 * library and the script of the page. It forwards everything else to the exchange, and applies faults on messages.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import sirv from 'sirv';
import { type WebSocket, WebSocketServer } from 'ws';
import { ROUTE_BUDGETS } from '../../../sim/budgets/calling-budgets.ts';
import { allowedHostsOf, isHostAllowed, isOriginAllowed } from '../../../sim/server/allowed-hosts.ts';
import { answersPreflight } from '../../../sim/server/cross-origin.ts';
import { listen, stopListening } from '../../../sim/server/listen.ts';
import { CLOSE_SESSION_OVER } from '../../../src/protocol/close-codes.ts';
import { HEADERS } from '../../../src/protocol/http.ts';
import { browserFetch } from '../../../src/calls/platform/browser/fetch.ts';
import { wsSockets } from '../../headless/platform/ws-sockets.ts';
import { type Wire, wiredFetch, wiredSockets } from '../real/wire.ts';

export interface FrontOptions {
  readonly device: string;
  /** The port of the exchange on this machine. */
  readonly exchange: number;
  /** The folder of the build, for the page of a scenario. Absent for a page that another server serves. */
  readonly dist?: string;
  /** The only origins whose pages may send requests. Default: those of this machine. */
  readonly origins?: readonly string[] | undefined;
  readonly wire: Wire;
  /** Called when a page of an origin that is not permitted sends a request. */
  readonly onForeign?: (origin: string) => void;
  /** Called when a channel of the page opens or closes. */
  readonly onChannel?: (what: 'open' | 'close', code?: number) => void;
}

/** Opens a front on a free port of this machine. */
export interface Front {
  readonly port: number;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
/** The path of the page script in the build. */
const SCRIPT = 'scenario-page/main.js';
const HTML =
  '<!doctype html><title>scenario</title><link rel="icon" href="data:,"><script type="module" src="/dist/SCRIPT"></script>';
/** The headers of a page that belong to the library. The others describe the transport. */
const PASSED: ReadonlySet<string> = new Set([
  'content-type',
  ...Object.values(HEADERS).map((name) => name.toLowerCase()),
]);
/** The largest body that a request of the calling service may have. Bytes. */
const MOST_BYTES = Math.max(...Object.values(ROUTE_BUDGETS).map(({ maxBytes }) => maxBytes));
/** Codes that may not be sent: they mean that no code was received. */
const UNSENT = [1005, 1006, 1015];

export async function openFront(options: FrontOptions): Promise<Front> {
  const { device, exchange, dist, origins, wire, onForeign = () => undefined, onChannel = () => undefined } = options;
  const files = dist === undefined ? undefined : sirv(dist);
  const allowed = allowedHostsOf(HOST, [], origins);
  const isAllowed = (request: IncomingMessage) => {
    if (!isHostAllowed(allowed, request)) return false;
    const isPermitted = isOriginAllowed(allowed, request);
    if (!isPermitted) onForeign(String(request.headers.origin));
    return isPermitted;
  };
  const fetchExchange = wiredFetch(device, browserFetch(), wire);
  const sockets = wiredSockets(device, wsSockets(), wire);
  const upgrades = new WebSocketServer({ noServer: true, perMessageDeflate: false });

  const ask = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await textOf(request);
    if (body === null) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    const left = new AbortController();
    response.once('close', () => left.abort());
    const answer = await fetchExchange(`http://${HOST}:${exchange}${request.url}`, {
      method: (request.method ?? 'GET') as 'GET',
      headers: headersOf(request),
      ...(body === '' ? {} : { body }),
      signal: left.signal,
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  };

  const server = createServer((request, response) => {
    if (!isAllowed(request)) return void response.writeHead(403).end();
    if (answersPreflight(request, response)) return undefined;
    const path = request.url ?? '/';
    if (files && path === '/')
      return void response.setHeader('content-type', 'text/html').end(HTML.replace('SCRIPT', SCRIPT));
    if (files && path.startsWith('/dist/')) {
      request.url = path.slice('/dist'.length);
      return files(request, response, () => void response.writeHead(404).end());
    }
    // A request lost on its way has failed. It was not refused.
    return void ask(request, response).catch(() => response.destroy());
  });

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isAllowed(request)) return void socket.end(refusal(403));
    let near: WebSocket | undefined;
    const upgrade = (then: (opened: WebSocket) => void) => upgrades.handleUpgrade(request, socket, head, then);
    const far = sockets.open(`ws://${HOST}:${exchange}${request.url}`, {
      opened: () =>
        upgrade((opened) => {
          near = opened;
          onChannel('open');
          near.on('message', (data) => far.send((data as Buffer).toString()));
          near.on('close', (code) => {
            onChannel('close', code);
            far.close(UNSENT.includes(code) ? undefined : code);
          });
          near.on('error', () => undefined);
        }),
      received: (text) => near?.send(text),
      closed(code, status = 502) {
        // As the exchange does for a page, which cannot read the status of a refused upgrade.
        if (!near && status === 401) upgrade((opened) => opened.close(CLOSE_SESSION_OVER));
        else if (!near) socket.end(refusal(status));
        else if (UNSENT.includes(code)) near.terminate();
        else near.close(code);
      },
    });
    socket.on('error', () => undefined);
    socket.once('close', () => far.close());
    return undefined;
  });

  const port = await listen(server, 0, HOST);
  return {
    port,
    async close() {
      for (const client of upgrades.clients) client.terminate();
      await stopListening(server);
    },
  };
}

const refusal = (status: number): string =>
  `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;

/** Returns the body of a request. Null for a body that no request may have, which is not read to its end. */
async function textOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      PASSED.has(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
