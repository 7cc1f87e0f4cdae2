/** The edge between node:http and handlers that only know requests and answers. */
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { LIMITS } from '../../src/protocol/limits.ts';
import { HEADERS } from '../../src/protocol/http.ts';
import type { SentFile } from '../../src/protocol/product/endpoint.ts';
import { HEARTBEAT_HEADER } from '../../src/protocol/product/push.ts';
import type { HttpRequest } from '../exchange/http/request.ts';
import type { Log } from '../exchange/log.ts';
import { uploadRule } from '../product/media/upload-rule.ts';
import { isHostAllowed, isOriginAllowed, type Doors } from './doors.ts';
import { targetOf } from './target.ts';

/** An answer: JSON, or text or bytes of a media type of its own. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpEdge {
  readonly doors: Doors;
  readonly log: Log;
  readonly answer: (request: HttpRequest) => Answer | Promise<Answer>;
}

const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
const ALLOWED_HEADERS = [
  'content-type',
  'authorization',
  'idempotency-key',
  HEARTBEAT_HEADER,
  ...Object.values(HEADERS),
].join(', ');
const CONNECTIONS = 20_000;
/**
 * By Node's codes. Browsers open connections before they have something to ask: one that has waited too long is told 408
 * (RFC 9110, 15.5.9), after which a browser that asks at that moment asks again; any other answer it takes for its own.
 */
const CLIENT_ERRORS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** A failure of the request itself. */
class BadRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** An HTTP server that hands requests on when they came by the right door, and answers everything in JSON. */
export function createHttpServer(edge: HttpEdge): Server {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: 16 * 1024, keepAliveTimeout: 5_000 },
    (request, response) => {
      void respond(edge, request, response);
    },
  );
  server.maxConnections = CONNECTIONS;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = CLIENT_ERRORS[error.code ?? ''] ?? 400;
    if (socket.writable) socket.end(rawAnswer(status, 'The request cannot be read.'), () => socket.destroy());
    else socket.destroy();
  });
  return server;
}

async function respond(edge: HttpEdge, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const answer = await answerTo(edge, request, response);
    if (answer) send(response, answer);
  } catch (error) {
    if (error instanceof BadRequest) {
      if (error.status === 413) response.setHeader('connection', 'close');
      return send(response, { status: error.status, body: { code: 1800200, message: error.message } });
    }
    edge.log.error('a request failed', { method: request.method, error });
    send(response, { status: 500, body: { code: 1400999, message: '' } });
  }
}

async function answerTo(
  edge: HttpEdge,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer | undefined> {
  if (!isHostAllowed(edge.doors, request)) throw new BadRequest(421, 'This server does not go by that name.');
  if (!isOriginAllowed(edge.doors, request)) throw new BadRequest(403, 'Pages of this origin may not ask.');
  const { origin } = request.headers;
  response.setHeader('vary', 'Origin');
  if (origin !== undefined) response.setHeader('access-control-allow-origin', origin);
  if (request.method === 'OPTIONS') {
    response.setHeader('access-control-allow-methods', METHODS);
    response.setHeader('access-control-allow-headers', ALLOWED_HEADERS);
    response.setHeader('access-control-max-age', '600');
    response.writeHead(204).end();
    return undefined;
  }
  const { path, query } = targetOf(request);
  return edge.answer({
    method: request.method ?? 'GET',
    path,
    query: Object.fromEntries(query),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : (value ?? ''),
      ]),
    ),
    body: await readBody(request, path),
  });
}

/**
 * JSON alone, and files where files are taken: a form or plain text needs no preflight, and any page could send it (S05).
 * A file is given on as it is, with its media type.
 */
async function readBody(request: IncomingMessage, path: string): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  const declared = Number(request.headers['content-length'] ?? 0);
  const hasBody = declared > 0 || request.headers['transfer-encoding'] !== undefined;
  if (!hasBody) return undefined;
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const upload = uploadRule(request.method ?? '', path);
  if (upload && upload.mediaTypes.includes(mediaType ?? '')) {
    const file: SentFile = { mediaType: mediaType ?? '', bytes: await readBytes(request, declared, upload.mostBytes) };
    return file;
  }
  if (mediaType !== 'application/json') {
    throw new BadRequest(415, upload ? 'The body is of no kind that is taken.' : 'The body must be application/json.');
  }
  const bytes = await readBytes(request, declared, LIMITS.httpBodyBytes);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new BadRequest(400, 'The body is not JSON.');
  }
}

async function readBytes(request: IncomingMessage, declared: number, most: number): Promise<Buffer> {
  if (declared > most) throw new BadRequest(413, 'The body is too large.');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > most) throw new BadRequest(413, 'The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, { status, body, mediaType, headers = {} }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const sent = mediaType === undefined ? JSON.stringify(body) : body instanceof Uint8Array ? body : String(body);
  response.setHeader('content-type', mediaType ?? 'application/json; charset=utf-8');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  );
  // Pictures are shown by pages of another port; answers are for those who may ask.
  response.setHeader('cross-origin-resource-policy', mediaType === undefined ? 'same-site' : 'cross-origin');
  response.setHeader('cache-control', mediaType === undefined ? 'no-store' : 'public, max-age=3600');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (status === 405) response.setHeader('allow', METHODS);
  response.writeHead(status).end(sent);
}

/** An answer for a connection that has no response: a refused upgrade, a request that could not be read. */
export function rawAnswer(status: number, message: string, code = 1800200): string {
  const body = JSON.stringify({ code, message });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
