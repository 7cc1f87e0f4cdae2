/**
 * Forwards a websocket to the server: messages and close codes in both directions. Pings are forwarded too, so that
 * each side detects the loss of the other.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, type WebSocketServer, type RawData } from 'ws';
import { rawAnswer } from '../server/http-server.ts';
import { originFor, prefixOf } from './addresses.ts';
import { whyNot } from './forward-http.ts';
import { passedOn, type UpstreamContext } from './upstream.ts';
import type { RecordedChannel } from './recording.ts';

/** The longest message. Another protocol may have longer messages than Ringback. Bytes. */
export const MESSAGE_BYTES = 1024 * 1024;
/** A side with this much unsent data pauses the other side. Bytes. */
const WAITING_BYTES = 256 * 1024;
/** The longest answer to a refused upgrade. Bytes. */
const REFUSAL_BYTES = 64 * 1024;
const CONNECT_MS = 10_000;
/** Close codes that mean "no code received" and "closed abnormally". They are never sent (RFC 6455 §7.4.1). */
const NO_CODE = 1005;
const UNSENDABLE = [1004, 1006, 1015];

/** The client's socket and the server's socket of one forwarded websocket. */
export interface Pair {
  /** Closes both sockets with this code. */
  close(code: number, reason: string): void;
  terminate(): void;
}

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Opens the socket to the server first: a refusal of the server goes to the client with the same status and body.
 * @param opened - receives an open pair; returns the function that is called when the pair has closed.
 */
export function forwardWebsocket(
  { request, socket, head }: Upgrade,
  way: UpstreamContext,
  websockets: WebSocketServer,
  opened: (pair: Pair) => () => void,
): void {
  const asked = { method: 'WS', url: request.url ?? '/', headers: request.headers };
  const server = openServer(request, way);
  // A socket that is terminated before it is open emits an error.
  server.on('error', () => undefined);
  const gone = () => {
    server.off('error', failed);
    server.terminate();
  };
  socket.once('close', gone);
  server.once('unexpected-response', (_request, answer) => {
    way.recording.failed(asked, `refused with ${answer.statusCode ?? 0}`);
    void passRefusal(answer, socket);
  });
  const failed = (error: Error) => {
    const message = whyNot(error, way.upstream.websocket);
    way.recording.failed(asked, message);
    if (socket.writable) socket.end(rawAnswer(502, `The recorder: ${message}.`), () => socket.destroy());
  };
  server.once('error', failed);
  server.once('open', () => {
    server.off('error', failed);
    socket.off('close', gone);
    let isJoined = false;
    websockets.handleUpgrade(chosen(request, server.protocol), socket, head, (client) => {
      isJoined = true;
      const pair: Pair = {
        close: (code, reason) => [client, server].forEach((end) => end.close(code, reason)),
        terminate: () => [client, server].forEach((end) => end.terminate()),
      };
      const forgotten = opened(pair);
      client.once('close', forgotten);
      join(client, server, way, way.recording.channel(asked.url));
    });
    // The client closed before the upgrade was answered, or its upgrade is invalid.
    if (!isJoined) server.terminate();
  });
}

/** Returns the request with the subprotocol that the server chose: the recorder offers the client no other. */
function chosen(request: IncomingMessage, protocol: string): IncomingMessage {
  if (protocol === '') delete request.headers['sec-websocket-protocol'];
  else request.headers['sec-websocket-protocol'] = protocol;
  return request;
}

function openServer(request: IncomingMessage, { upstream: { http, websocket }, own }: UpstreamContext): WebSocket {
  const { origin } = request.headers;
  const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const kept = Object.entries(passedOn(request.headers, ['host'])).filter(
    ([name]) => !name.startsWith('sec-websocket-'),
  );
  return new WebSocket(
    `${websocket.protocol}//${websocket.host}${prefixOf(websocket)}${request.url ?? '/'}`,
    protocols.filter((name) => name !== ''),
    {
      headers: {
        ...Object.fromEntries(kept),
        ...(origin === undefined ? {} : { origin: originFor(origin, own(), http) }),
      },
      maxPayload: MESSAGE_BYTES,
      perMessageDeflate: false,
      handshakeTimeout: CONNECT_MS,
      followRedirects: false,
      // Only the client can prove that it is alive.
      autoPong: false,
    },
  );
}

function join(
  client: WebSocket,
  server: WebSocket,
  { rewrite }: UpstreamContext,
  channel: RecordedChannel | undefined,
): void {
  pass(client, server, (text) => {
    channel?.up(text);
    return text;
  });
  pass(server, client, (text) => {
    channel?.down(text);
    return rewrite(text);
  });
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on('close', (code, reason) => {
      channel?.closed(code);
      passClose(other, code, reason);
    });
    one.on('ping', (data) => other.readyState === WebSocket.OPEN && other.ping(data));
    one.on('pong', (data) => other.readyState === WebSocket.OPEN && other.pong(data));
    // The close that follows an error reports it.
    one.on('error', () => undefined);
  }
}

/** Passes messages in one direction. A slow reader pauses the other side, so that no data piles up between. */
function pass(from: WebSocket, to: WebSocket, seen: (text: string) => string): void {
  from.on('message', (data: RawData, isBinary) => {
    if (to.readyState !== WebSocket.OPEN) return;
    const message = isBinary ? data : seen((data as Buffer).toString('utf8'));
    to.send(message, { binary: isBinary }, () => {
      if (from.isPaused && to.bufferedAmount < WAITING_BYTES) from.resume();
    });
    if (to.bufferedAmount >= WAITING_BYTES) from.pause();
  });
  // The reader is gone: data that still arrives must not delay the close.
  to.on('close', () => from.isPaused && from.resume());
}

function passClose(to: WebSocket, code: number, reason: Buffer): void {
  if (to.readyState !== WebSocket.OPEN) return;
  if (code === NO_CODE) to.close();
  else if (UNSENDABLE.includes(code)) to.terminate();
  else to.close(code, reason);
}

/** Sends the client the status and body with which the server refused the upgrade. */
async function passRefusal(answer: IncomingMessage, socket: Duplex): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= REFUSAL_BYTES) chunks.push(chunk);
    }
  } catch {
    // Sends the part of the body that arrived.
  }
  const body = Buffer.concat(chunks);
  const headers = Object.entries(passedOn(answer.headers, ['content-length', 'content-encoding']));
  const lines = [
    `HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${String(value)}`),
    `content-length: ${body.length}`,
    'connection: close',
    '',
    '',
  ];
  if (!socket.writable) return;
  socket.write(lines.join('\r\n'));
  socket.end(body, () => socket.destroy());
}
