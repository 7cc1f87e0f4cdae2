/** The recorder over real sockets of this machine, in front of a server that the test controls. */
import { createServer, type IncomingMessage, request as ask, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { websocketOf } from '../../../sim/record/addresses.ts';
import { type Recorder, startRecorder } from '../../../sim/record/start-recorder.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { ListenError } from '../../../sim/server/listen.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function serve(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return server;
}

interface Recorded extends Recorder {
  readonly kept: TraceEvent[];
}

async function recordAt(url: string): Promise<Recorded> {
  const http = new URL(url);
  const kept: TraceEvent[] = [];
  const recorder = await startRecorder({
    upstream: { http, websocket: websocketOf(http) },
    port: 0,
    clock: nodeClock,
    keep: (event) => kept.push(event),
  });
  undo.push(() => recorder.close());
  return Object.assign(Object.create(recorder) as Recorder, { kept });
}

const recordOf = (server: Server, path = '') => recordAt(`http://127.0.0.1:${portOf(server)}${path}`);

/** A request with headers that fetch would refuse. */
function send(url: string, options: { method?: string; headers?: Record<string, string> } = {}, body?: string) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; text: string }>((resolve, reject) => {
    const request = ask(url, { agent: false, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe('a request', () => {
  it('is forwarded with its method, path, query and body, and answered, without the hop headers of either side', async () => {
    let seen: { method?: string; url?: string; headers?: IncomingMessage['headers']; body?: string } = {};
    const server = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += String(chunk)));
      request.on('end', () => {
        seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
        response.writeHead(201, {
          'content-type': 'application/json',
          'x-its': 'own',
          'keep-alive': 'timeout=9',
          connection: 'keep-alive, x-hop',
          'x-hop': '1',
        });
        response.end(JSON.stringify({ at: `http://${request.headers.host ?? ''}/v1/x` }));
      });
    });
    const recorder = await recordOf(server, '/base');
    const headers = {
      'content-type': 'application/json',
      'x-client-id': 'one',
      te: 'trailers',
      'accept-encoding': 'gzip',
      'x-mine': 'yes',
      origin: recorder.url,
    };
    const answer = await send(`${recorder.url}/v1/x?a=b%20c`, { method: 'PUT', headers }, '{"a":1}');
    expect(seen).toMatchObject({
      method: 'PUT',
      url: '/base/v1/x?a=b%20c',
      body: '{"a":1}',
      headers: { host: `127.0.0.1:${portOf(server)}`, 'x-mine': 'yes', origin: `http://127.0.0.1:${portOf(server)}` },
    });
    expect(seen.headers?.te).toBeUndefined();
    // Compressed content could not be read.
    expect(seen.headers?.['accept-encoding']).toBe('identity');
    expect(answer).toMatchObject({ status: 201, headers: { 'x-its': 'own' } });
    expect(answer.headers['x-hop']).toBeUndefined();
    // The path of the server is not a path of this address.
    expect(answer.text).toBe(JSON.stringify({ at: `http://127.0.0.1:${portOf(server)}/v1/x` }));
    expect(recorder.kept).toEqual([
      expect.objectContaining({ kind: 'http', direction: 'up', request: 'PUT /v1/x', body: { a: 1 } }),
      expect.objectContaining({ kind: 'http', direction: 'down', request: 'PUT /v1/x', status: 201 }),
    ]);
  });

  it('is answered with the recorder’s addresses instead of the server’s, also in a redirect', async () => {
    const server = await serve((_request, response) => {
      const own = `http://127.0.0.1:${portOf(server)}`;
      response.writeHead(302, { 'content-type': 'application/json', location: `${own}/there` });
      response.end(JSON.stringify({ api: own, ws: own.replace('http', 'ws'), other: 'http://127.0.0.1:1' }));
    });
    const recorder = await recordOf(server);
    const { headers, text } = await send(recorder.url);
    expect(headers.location).toBe(`${recorder.url}/there`);
    expect(JSON.parse(text)).toEqual({
      api: recorder.url,
      ws: recorder.url.replace('http', 'ws'),
      other: 'http://127.0.0.1:1',
    });
  });

  it('is forwarded in pieces, like its answer, for any length', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    let taken = 0;
    const server = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => (taken += chunk.length));
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        for (let count = 0; count < 40; count += 1) response.write(piece);
        response.end();
      });
    });
    const recorder = await recordOf(server);
    const headers = { 'content-type': 'application/json' };
    const answer = await send(recorder.url, { method: 'POST', headers }, 'y'.repeat(3_000_000));
    expect([taken, answer.text.length]).toEqual([3_000_000, 40 * piece.length]);
    expect(recorder.kept).toMatchObject([{ body: '(3000000 bytes)' }, { body: `(${40 * piece.length} bytes)` }]);
  });

  it('is answered while the answer arrives, so a stream is not delayed', async () => {
    let more: () => void = () => undefined;
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('first');
      more = () => response.end('second');
    });
    const recorder = await recordOf(server);
    const response = await fetch(recorder.url);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first');
    more();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('second');
  });

  it('to an unreachable server is a 502 that names the server, and is in the recording', async () => {
    const server = await serve(() => undefined);
    const port = portOf(server);
    const recorder = await recordOf(server);
    await new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
    const answer = await send(`${recorder.url}/v1/x`, { method: 'POST' }, '{}');
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      502,
      {
        code: ErrorCode.ERR_REQUEST_FAILED,
        message: `The recorder: 127.0.0.1:${port} cannot be reached (ECONNREFUSED).`,
      },
    ]);
    expect(recorder.kept.at(-1)).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/^POST \/v1\/x: .*ECONNREFUSED/),
    });
  });

  it('is aborted when its answer is aborted', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    const recorder = await recordOf(server);
    await expect(send(recorder.url)).rejects.toThrow(/aborted|hang up/);
    expect(recorder.kept.at(-1)?.kind).toBe('error');
  });

  it('by another host name is refused, because another page can point its name at this address', async () => {
    const server = await serve((_request, response) => response.end());
    const recorder = await recordOf(server);
    expect((await send(recorder.url, { headers: { host: 'evil.example' } })).status).toBe(421);
    expect(recorder.kept).toEqual([]);
  });
});

describe('a websocket', () => {
  interface Sockets {
    readonly recorder: Recorded;
    readonly server: Server;
    /** The server's ends, in the order they were opened. */
    readonly ends: WebSocket[];
    readonly requests: IncomingMessage[];
    open(path?: string, protocols?: string[]): Promise<WebSocket>;
  }

  async function sockets(): Promise<Sockets> {
    const server = await serve((_request, response) => response.end());
    const websockets = new WebSocketServer({ server, autoPong: false });
    const ends: WebSocket[] = [];
    const requests: IncomingMessage[] = [];
    websockets.on('connection', (end, request) => {
      ends.push(end);
      requests.push(request);
    });
    const recorder = await recordOf(server);
    return {
      recorder,
      server,
      ends,
      requests,
      open: (path = '/v1/realtime?client_id=one', protocols = []) =>
        new Promise((resolve, reject) => {
          const client = new WebSocket(`${recorder.url.replace('http', 'ws')}${path}`, protocols, {
            origin: 'http://localhost:1',
          });
          undo.push(() => client.terminate());
          client.once('open', () => resolve(client));
          client.once('error', reject);
        }),
    };
  }

  const next = (end: WebSocket) =>
    new Promise<string>((resolve) => end.once('message', (data: Buffer) => resolve(String(data))));
  const closing = (end: WebSocket) =>
    new Promise<[number, string]>((resolve) => end.once('close', (code, reason) => resolve([code, String(reason)])));
  const event = (end: WebSocket, name: 'ping' | 'pong') =>
    new Promise<string>((resolve) => end.once(name, (data: Buffer) => resolve(String(data))));

  it('is forwarded with its query, origin and subprotocol; messages go both ways and are recorded', async () => {
    const { open, ends, requests, recorder, server } = await sockets();
    const client = await open('/v1/realtime?client_id=one&session_token=t', ['first', 'second']);
    const [end] = ends as [WebSocket];
    expect(requests[0]?.url).toBe('/v1/realtime?client_id=one&session_token=t');
    expect(requests[0]?.headers.origin).toBe('http://localhost:1');
    expect([client.protocol, end.protocol]).toEqual(['first', 'first']);
    client.send('{"type":"alive","payload":{}}');
    expect(await next(end)).toBe('{"type":"alive","payload":{}}');
    end.send(`{"type":"dial","at":"http://127.0.0.1:${portOf(server)}/p"}`);
    expect(await next(client)).toBe(`{"type":"dial","at":"${recorder.url}/p"}`);
    end.send(Buffer.from([1, 2, 3]));
    expect(await next(client)).toBe('\u0001\u0002\u0003');
    expect(recorder.kept.map((one) => (one.kind === 'message' ? `${one.direction} ${one.cmd}` : one.kind))).toEqual([
      'socket',
      'up alive',
      'down dial',
    ]);
  });

  it.each([
    ['with a code and its reason', 4401, 'not taken', [4401, 'not taken']],
    ['without a code', undefined, undefined, [1005, '']],
  ] as const)(
    'is closed by either side %s, and the other side gets the same close',
    async (_how, code, reason, seen) => {
      const { open, ends, recorder } = await sockets();
      const first = await open();
      const told = closing(first);
      ends[0]?.close(code, reason);
      expect(await told).toEqual(seen);
      const second = await open();
      const heard = closing(ends[1] as WebSocket);
      second.close(code, reason);
      expect(await heard).toEqual(seen);
      expect(recorder.kept.flatMap((one) => (one.kind === 'socket' && one.what === 'close' ? [one.code] : []))).toEqual(
        [seen[0], seen[0]],
      );
    },
  );

  it('by another host name is refused like a request', async () => {
    const { recorder, ends } = await sockets();
    const address = `${recorder.url.replace('http', 'ws')}/v1/realtime?client_id=one`;
    const client = new WebSocket(address, { headers: { host: 'evil.example' } });
    undo.push(() => client.terminate());
    const opened = new Promise((resolve, reject) => client.once('open', resolve).once('error', reject));
    await expect(opened).rejects.toThrow('421');
    expect([ends, recorder.kept]).toEqual([[], []]);
  });

  it('that is cut on one side is cut on the other side', async () => {
    const { open, ends } = await sockets();
    const client = await open();
    const told = closing(client);
    ends[0]?.terminate();
    expect(await told).toEqual([1006, '']);
    const second = await open();
    const heard = closing(ends[1] as WebSocket);
    second.terminate();
    expect(await heard).toEqual([1006, '']);
  });

  it('answers a ping of the server only from the client', async () => {
    const { open, ends } = await sockets();
    const client = await open();
    const [end] = ends as [WebSocket];
    const asked = event(client, 'ping');
    const answered = event(end, 'pong');
    end.ping('there?');
    expect(await asked).toBe('there?');
    expect(await answered).toBe('there?');
    const heard = event(end, 'ping');
    client.ping('and you?');
    expect(await heard).toBe('and you?');
  });

  it('of a client that does not read makes the server wait: the recorder buffers up to its limit', async () => {
    const { open, ends } = await sockets();
    const client = await open();
    const [end] = ends as [WebSocket];
    client.pause();
    const message = 'x'.repeat(64 * 1024);
    const count = 400;
    for (let sent = 0; sent < count; sent += 1) end.send(message);
    // The sockets of the system and the recorder buffer a part of the 25 MB. The rest waits at the server.
    await new Promise<void>((resolve) => {
      let before = -1;
      const look = setInterval(() => {
        if (end.bufferedAmount === before) {
          clearInterval(look);
          resolve();
        }
        before = end.bufferedAmount;
      }, 200);
    });
    expect(end.bufferedAmount).toBeGreaterThan(5_000_000);
    let taken = 0;
    const all = new Promise<void>((resolve) => client.on('message', () => (taken += 1) === count && resolve()));
    client.resume();
    await all;
    expect(taken).toBe(count);
  });

  it('that the server refuses is refused with its answer, and one to an unreachable server with a 502', async () => {
    const { recorder, server } = await sockets();
    server.removeAllListeners('upgrade');
    server.on('upgrade', (_request, socket) =>
      socket.end('HTTP/1.1 429 Too Many\r\ncontent-type: text/plain\r\nx-its: own\r\ncontent-length: 4\r\n\r\nbusy'),
    );
    const upgrade = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'x3JJHMbDL1EzLkh9GBhXDw==',
      'sec-websocket-version': '13',
    };
    const refused = await send(`${recorder.url}/v1/realtime?client_id=one`, { headers: upgrade });
    expect(refused).toMatchObject({ status: 429, headers: { 'x-its': 'own' }, text: 'busy' });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const nobody = await send(`${recorder.url}/v1/realtime?client_id=one`, { headers: upgrade });
    expect([nobody.status, nobody.text]).toEqual([502, expect.stringMatching(/cannot be reached \(ECONNREFUSED\)/)]);
    expect(recorder.kept).toMatchObject([
      { kind: 'error', message: 'WS /v1/realtime: refused with 429' },
      { kind: 'error', message: expect.stringContaining('ECONNREFUSED') },
    ]);
  });

  it('is closed as going away when the recording ends, which is not recorded', async () => {
    const { open, ends, recorder } = await sockets();
    const client = await open();
    const told = [closing(client), closing(ends[0] as WebSocket)];
    await recorder.close();
    expect(await Promise.all(told)).toEqual([
      [1001, 'the recording is over'],
      [1001, 'the recording is over'],
    ]);
    expect(recorder.kept).toHaveLength(1);
  });
});

describe('the end of a recording', () => {
  it('waits for pending requests, and frees the port', async () => {
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      void serve((_request, response) => {
        answer = () => response.end('done');
        resolve();
      }).then(async (server) => {
        const recorder = await recordOf(server);
        under = { recorder, text: send(recorder.url).then(({ text }) => text) };
      });
    });
    let under: { recorder: Recorded; text: Promise<string> } | undefined;
    await asked;
    const closed = under?.recorder.close();
    answer();
    expect(await under?.text).toBe('done');
    await closed;
    expect(under?.recorder.kept.at(-1)).toMatchObject({ kind: 'http', direction: 'down', status: 200 });
    const port = Number(new URL(under?.recorder.url ?? '').port);
    await expect(
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy()));
        socket.on('error', reject);
      }),
    ).rejects.toThrow('ECONNREFUSED');
  });

  it('does not apply when the port is taken: the recording does not start', async () => {
    const server = await serve(() => undefined);
    const http = new URL('http://127.0.0.1:1');
    const start = startRecorder({
      upstream: { http, websocket: websocketOf(http) },
      port: portOf(server),
      clock: nodeClock,
      keep: () => undefined,
    });
    await expect(start).rejects.toBeInstanceOf(ListenError);
  });
});
