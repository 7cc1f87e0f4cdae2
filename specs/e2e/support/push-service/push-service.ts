/**
 * A push service for Chromium, in the process of the test: check-in, registration, and the connection that delivers
 * messages (MCS). Three flags of Chromium select it. A server posts a message to the address of a subscription,
 * which is one of Google's. The test finds the subscription by the last part of the address. Nothing is ever sent to
 * Google.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { selfSigned } from './certificate.ts';
import { encode, readVarint, textsOf, varint } from './protobuf.ts';

/** The tags of the connection's messages. */
const TAG = { ping: 0, ack: 1, login: 2, loggedIn: 3, data: 8 } as const;
const VERSION = 41;
/** The field of the login that lists the received messages. */
const RECEIVED_IDS = 10;

interface Installation {
  readonly app: string;
  readonly subtype: string;
  readonly sender: string;
}

export interface PushService {
  /** The flags with which Chromium must start. */
  readonly chromiumArguments: readonly string[];
  /** Takes a message for a subscription. Returns the status of a push service's response. */
  post(url: string, message: { readonly body: Uint8Array }): Promise<number>;
  close(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const installations = new Map<string, Installation>();
  const connections = new Set<TLSSocket>();
  /** The messages by id. The client names the received ones at each login, and drops its first connection. */
  const messages = new Map<string, Buffer>();

  async function answer(request: IncomingMessage): Promise<Buffer | string> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    if (request.url?.startsWith('/checkin')) {
      return encode([
        [1, 1],
        [3, Date.now()],
        [7, { fixed64: 4_242n }],
        [8, { fixed64: 2_424n }],
      ]);
    }
    const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
    const token = randomBytes(16).toString('base64url');
    installations.set(token, {
      app: form.get('app') ?? '',
      subtype: form.get('X-subtype') ?? '',
      sender: form.get('sender') ?? '',
    });
    return `token=${token}`;
  }

  const http = createServer((request, response) => {
    void answer(request).then((body) => response.end(body));
  });

  const mcs = createTlsServer(selfSigned(), (socket) => {
    let bytes = Buffer.alloc(0);
    let isFirst = true;
    connections.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => connections.delete(socket));
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (isFirst && bytes.length > 0) {
        isFirst = false;
        bytes = bytes.subarray(1);
      }
      for (let size = readVarint(bytes, 1); size !== undefined && bytes.length >= size.end + size.value;) {
        const tag = bytes[0];
        const message = bytes.subarray(size.end, size.end + size.value);
        bytes = bytes.subarray(size.end + size.value);
        hear(socket, tag ?? -1, message);
        size = readVarint(bytes, 1);
      }
    });
  });

  function hear(socket: TLSSocket, tag: number, message: Uint8Array): void {
    if (tag === TAG.ping) say(socket, TAG.ack, encode([]));
    if (tag !== TAG.login) return;
    for (const id of textsOf(message, RECEIVED_IDS)) messages.delete(id);
    socket.write(Buffer.from([VERSION]));
    say(socket, TAG.loggedIn, encode([[1, 'push-test']]));
    for (const waiting of messages.values()) say(socket, TAG.data, waiting);
  }

  await Promise.all(
    [http, mcs].map((server) => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))),
  );
  const at = (server: { address(): unknown }) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    chromiumArguments: [
      `--gcm-checkin-url=http://${at(http)}/checkin`,
      `--gcm-registration-url=http://${at(http)}/register`,
      `--gcm-mcs-endpoint=https://${at(mcs)}`,
      '--ignore-certificate-errors',
    ],
    post(url, { body }) {
      const installation = installations.get(url.split('/').at(-1) ?? '');
      if (installation === undefined) return Promise.resolve(404);
      const id = randomBytes(8).toString('hex');
      const data = (key: string, value: string) =>
        [
          7,
          encode([
            [1, key],
            [2, value],
          ]),
        ] as const;
      const message = encode([
        [3, installation.sender],
        [5, installation.app],
        data('subtype', installation.subtype),
        data('content-encoding', 'aes128gcm'),
        [9, id],
        [21, body],
      ]);
      messages.set(id, message);
      for (const socket of connections) say(socket, TAG.data, message);
      return Promise.resolve(201);
    },
    async close() {
      for (const socket of connections) socket.destroy();
      http.closeAllConnections();
      await Promise.all([http, mcs].map((server) => new Promise((closed) => void server.close(closed))));
    },
  };
}

function say(socket: TLSSocket, tag: number, message: Buffer): void {
  socket.write(Buffer.concat([Buffer.from([tag]), varint(message.length), message]));
}
