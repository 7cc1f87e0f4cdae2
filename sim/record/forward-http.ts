/** Forwards a request to the server and its answer to the client, chunk by chunk, and records both. */
import { type Agent, type IncomingMessage, request as askHttp, type ServerResponse } from 'node:http';
import { request as askHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { LIMITS } from '../../src/protocol/limits.ts';
import { originFor, prefixOf } from './addresses.ts';
import { passedOn, type UpstreamContext } from './upstream.ts';
import type { RecordedBody } from './recording.ts';
import { ErrorCode } from '../../src/protocol/errors.ts';

/** The time limit for a connection to the server. Milliseconds. */
const CONNECT_MS = 10_000;
/** The media types in which a server names its addresses. */
const WITH_ADDRESSES = /\b(?:json|javascript)\b/i;
const TEXT = /\b(?:json|javascript|text)\b/i;

/**
 * Forwards one request. Never rejects: a failure is answered with 502, or breaks the connection as the server broke
 * it.
 */
export async function forwardHttp(
  request: IncomingMessage,
  response: ServerResponse,
  way: UpstreamContext,
  agent: Agent,
): Promise<void> {
  const { upstream, recording } = way;
  const asked = { method: request.method ?? 'GET', url: request.url ?? '/', headers: request.headers };
  const outgoing = open(request, way, agent);
  let answered: ReturnType<typeof recording.request> = () => undefined;
  const sent = pipeline(
    request,
    copied((body) => (answered = recording.request(asked, body)), request.headers['content-type']),
    outgoing,
  );
  // A server may answer, and close, before it has read the whole request.
  sent.catch(() => undefined);
  let incoming: IncomingMessage | undefined;
  let isDeserted = false;
  response.once('close', () => (isDeserted = !incoming?.destroyed));
  try {
    incoming = await answerOf(outgoing, response);
    const { statusCode = 0 } = incoming;
    await sendBack(incoming, { request, response }, way, (body) => answered(statusCode, body));
  } catch (error) {
    outgoing.destroy();
    // The client has gone: this is no failure of the server.
    if (isDeserted) return;
    const message = incoming ? `${upstream.http.host} broke off its answer` : whyNot(error, upstream.http);
    recording.failed(asked, message);
    refuse(response, message);
  }
}

function open(request: IncomingMessage, { upstream: { http }, own, clock }: UpstreamContext, agent: Agent) {
  const { origin } = request.headers;
  const ask = http.protocol === 'https:' ? askHttps : askHttp;
  const outgoing = ask({
    agent,
    protocol: http.protocol,
    hostname: http.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: http.port,
    method: request.method,
    path: `${prefixOf(http)}${request.url ?? '/'}`,
    headers: {
      ...passedOn(request.headers, ['host', 'expect']),
      host: http.host,
      // The recorder cannot read a compressed body.
      'accept-encoding': 'identity',
      ...(origin === undefined ? {} : { origin: originFor(origin, own(), http) }),
    },
  });
  outgoing.on('socket', (socket) => {
    if (!socket.connecting) return;
    const limit = clock.after(CONNECT_MS, () => outgoing.destroy(new Error('no connection in time')));
    const settled = () => limit.cancel();
    socket.once('connect', settled);
    socket.once('close', settled);
  });
  return outgoing;
}

/** Waits for the answer. Rejects when the client closes its connection. */
function answerOf(outgoing: ReturnType<typeof askHttp>, response: ServerResponse): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
    response.once('close', () => reject(new Error('the client closed the connection')));
  });
}

/** Passes a body on, and calls `whole` with a copy when it is complete. Only text up to the size limit is copied. */
function copied(whole: (body: RecordedBody) => void, contentType: string | undefined) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const copy = new Copy(contentType);
    for await (const chunk of source) {
      copy.take(chunk);
      yield chunk;
    }
    whole(copy.body);
  };
}

class Copy {
  readonly #isText: boolean;
  #chunks: Buffer[] | null = [];
  #bytes = 0;

  constructor(contentType = '') {
    this.#isText = TEXT.test(contentType);
    if (!this.#isText) this.#chunks = null;
  }

  take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > LIMITS.httpBodyBytes) this.#chunks = null;
    this.#chunks?.push(chunk);
  }

  get text(): string | undefined {
    return this.#chunks ? Buffer.concat(this.#chunks).toString('utf8') : undefined;
  }

  get body(): RecordedBody {
    const { text } = this;
    return { bytes: this.#bytes, ...(text === undefined ? {} : { text }) };
  }
}

/** Returns whether the answer has a body. Some have none, whatever their headers say (RFC 9110 §6.4.1). */
const hasBody = ({ method }: IncomingMessage, { statusCode }: IncomingMessage): boolean =>
  method !== 'HEAD' && statusCode !== 204 && statusCode !== 304;

async function sendBack(
  incoming: IncomingMessage,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  { rewrite }: UpstreamContext,
  whole: (body: RecordedBody) => void,
): Promise<void> {
  const contentType = incoming.headers['content-type'] ?? '';
  const headers = passedOn(incoming.headers);
  for (const name of ['location', 'access-control-allow-origin'] as const) {
    const value = headers[name];
    if (value !== undefined) headers[name] = rewrite(value);
  }
  const isPlain = incoming.headers['content-encoding'] === undefined && hasBody(request, incoming);
  const begin = (length?: number) =>
    response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, {
      ...headers,
      ...(length === undefined ? {} : { 'content-length': length }),
    });
  await pipeline(
    incoming,
    async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      const copy = new Copy(isPlain ? contentType : undefined);
      // An answer that names addresses is held back until it is whole, up to the size limit.
      let held: Buffer[] | null = isPlain && WITH_ADDRESSES.test(contentType) ? [] : null;
      if (!held) begin();
      for await (const chunk of source) {
        copy.take(chunk);
        if (!held) yield chunk;
        else if (copy.text === undefined) {
          begin();
          yield* held;
          yield chunk;
          held = null;
        } else held.push(chunk);
      }
      whole(copy.body);
      if (!held) return;
      const text = Buffer.from(rewrite(copy.text ?? ''));
      begin(text.length);
      yield text;
    },
    response,
  );
}

/** Returns why the server did not answer, in a few words. */
export function whyNot(error: unknown, { host }: URL): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return `${host} cannot be reached (${code ?? (error instanceof Error ? error.message : String(error))})`;
}

function refuse(response: ServerResponse, message: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(502, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ code: ErrorCode.ERR_REQUEST_FAILED, message: `The recorder: ${message}.` }));
}
