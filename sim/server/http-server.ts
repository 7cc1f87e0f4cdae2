/** The HTTP edge: connects node:http with handlers that see only requests and answers. */
import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { PHOTO_BYTES } from '../../src/protocol/product/media.ts';
import { HttpRefusal, refuseRequest } from '../http/http-refusal.ts';
import type { Admission, HttpRequest, HttpResponse, RequestHead } from '../http/request.ts';
import { SOCKET_BUDGETS } from '../budgets/socket-budgets.ts';
import type { Log } from '../exchange/logging/log.ts';
import { answersPreflight, METHODS } from './cross-origin.ts';
import { BodyMemory } from './body-memory.ts';
import type { ClientAddresses } from './client-address.ts';
import { isHostAllowed, isOriginAllowed, type AllowedHosts } from './allowed-hosts.ts';
import { OpenConnections } from './open-connections.ts';
import { bodyMs, readBody } from './read-body.ts';
import { inRequest } from './operations/request-scope.ts';
import { targetOf } from './target.ts';
import { ErrorCode } from '../../src/protocol/errors.ts';

export interface HttpEdge {
  readonly allowedHosts: AllowedHosts;
  readonly log: Log;
  readonly addresses: ClientAddresses;
  /** Decides about a request before its body is read: what it may send, or the refusal. */
  readonly admit: (head: RequestHead) => Promise<Admission | HttpResponse>;
  readonly answer: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
  /**
   * Answers the probes of a supervisor before any other check. Returns undefined for any other request. Default: no
   * probes.
   */
  readonly probe?: (request: IncomingMessage) => Promise<HttpResponse> | undefined;
  /**
   * Counts a response that is a refusal or a failure. The refusal of a request that no API received has no body here:
   * its status identifies it.
   */
  readonly onFailed?: (answer: Pick<HttpResponse, 'status' | 'body'>) => void;
  /** Returns the answer to a request that failed for a known cause. Null for an unknown one. Default: none is known. */
  readonly explain?: (error: unknown) => Promise<HttpResponse | null>;
  /** The time limit for the head of a request. Milliseconds, default 10 s. */
  readonly headMs?: number;
}

const CONNECTIONS = 20_000;
const HEAD_MS = 10_000;
/** The server looks for slow connections this many times within the time limit for a head. */
const CHECKS = 5;
/**
 * The HTTP status for each error code of Node. Browsers open connections before they have a request. An idle
 * connection gets 408 (RFC 9110, 15.5.9): a browser that sends a request at that moment sends it again. It would take
 * any other status for the answer to its request.
 */
const CLIENT_ERRORS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Creates an HTTP server. It hands on requests that have an allowed Host and Origin and were admitted, and answers in
 * JSON.
 */
export function createHttpServer(edge: HttpEdge): Server {
  const memory = new BodyMemory();
  const { headMs = HEAD_MS } = edge;
  const server = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: headMs + bodyMs(PHOTO_BYTES),
      connectionsCheckingInterval: headMs / CHECKS,
      maxHeaderSize: 16 * 1024,
      keepAliveTimeout: 5_000,
    },
    (request, response) => {
      const id = randomUUID();
      response.setHeader('x-request-id', id);
      void inRequest(id, () => respond(edge, memory, request, response));
    },
  );
  server.maxConnections = CONNECTIONS;
  const connections = new OpenConnections(SOCKET_BUDGETS.connection.keeps[0].most);
  server.on('connection', (socket) => {
    if (edge.addresses.isTrustedProxy(socket)) return;
    const closed = connections.open(edge.addresses.of(socket));
    if (closed) socket.on('close', closed);
    else socket.destroy();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = CLIENT_ERRORS[error.code ?? ''] ?? 400;
    if (socket.writable)
      socket.end(rawAnswer(status, 'The server could not read the request.'), () => socket.destroy());
    else socket.destroy();
  });
  return server;
}

const INTERNAL: HttpResponse = { status: 500, body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: '' } };

async function respond(
  edge: HttpEdge,
  memory: BodyMemory,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const probed = edge.probe?.(request);
    const answer = await (probed ?? answerTo(edge, memory, request, response));
    if (!answer) return;
    if (!probed && answer.status >= 400) edge.onFailed?.(answer);
    send(response, answer);
  } catch (error) {
    if (error instanceof HttpRefusal) {
      edge.onFailed?.({ status: error.status, body: null });
      if (isBodyPending(request)) response.setHeader('connection', 'close');
      return send(response, error.response);
    }
    edge.log.error('a request failed', { method: request.method, error });
    const answer = (await edge.explain?.(error)) ?? INTERNAL;
    edge.onFailed?.(answer);
    send(response, answer);
  }
}

async function answerTo(
  edge: HttpEdge,
  memory: BodyMemory,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<HttpResponse | undefined> {
  if (!isHostAllowed(edge.allowedHosts, request))
    throw refuseRequest(421, 'The server does not answer to this Host header.');
  if (!isOriginAllowed(edge.allowedHosts, request))
    throw refuseRequest(403, 'Pages of this origin may not send requests.');
  if (answersPreflight(request, response)) return undefined;
  const head = headOf(edge, request);
  const admission = await edge.admit(head);
  if ('status' in admission) {
    // The body is not read, so no further request can follow on this connection.
    if (isBodyPending(request)) response.setHeader('connection', 'close');
    return admission;
  }
  return edge.answer({ ...head, body: await readBody(request, { admission, memory, address: head.address }) });
}

function isBodyPending({ complete, headers }: IncomingMessage): boolean {
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  return hasBody && !complete;
}

function headOf({ addresses }: HttpEdge, request: IncomingMessage): RequestHead {
  const { path, query } = targetOf(request);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  const { remoteAddress } = request.socket;
  return {
    method: request.method ?? 'GET',
    path,
    query: Object.fromEntries(query),
    headers,
    address: addresses.of({ remoteAddress, forwardedFor: headers['x-forwarded-for'] }),
  };
}

function send(response: ServerResponse, { status, body, mediaType, headers = {} }: HttpResponse): void {
  if (response.headersSent || response.destroyed) return;
  const sent = mediaType === undefined ? JSON.stringify(body) : body instanceof Uint8Array ? body : String(body);
  response.setHeader('content-type', mediaType ?? 'application/json; charset=utf-8');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  );
  // Pages of another port show pictures; other answers are only for permitted origins.
  response.setHeader('cross-origin-resource-policy', mediaType === undefined ? 'same-site' : 'cross-origin');
  response.setHeader('cache-control', mediaType === undefined ? 'no-store' : 'public, max-age=3600');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (status === 405) response.setHeader('allow', METHODS);
  response.writeHead(status).end(sent);
}

/**
 * Returns a raw HTTP answer for a connection without a response: a refused upgrade, or a request that could not be
 * read.
 */
export function rawAnswer(
  status: number,
  message: string,
  code = ErrorCode.ERR_REQUEST_FAILED,
  headers: HttpResponse['headers'] = {},
): string {
  const body = JSON.stringify({ code, message });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}
