/** The decisions of the server by the address of a client, before it reads a body. */
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Log } from '../../../sim/exchange/logging/log.ts';
import { createClientAddresses } from '../../../sim/server/client-address.ts';
import { allowedHostsOf } from '../../../sim/server/allowed-hosts.ts';
import { createHttpServer, type HttpEdge } from '../../../sim/server/http-server.ts';
import { startSim, type Sim } from '../../../sim/server/start-sim.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { answerOf, json, Terminal, until, upgrade } from './terminals.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

let sim: Sim;
beforeAll(async () => {
  sim = await startSim({ demo: true, port: 0, trustedProxies: ['127.0.0.1'], bufferedBytes: 2_000 });
});
afterAll(() => sim.close());

/** Returns the headers of a request that the proxy forwards for a client. */
const from = (address: string, more: Record<string, string> = {}) => ({ 'x-forwarded-for': address, ...more });

/** Returns the answer of the server to a request head whose body is never sent. */
async function answerToHead(lines: readonly string[], port = sim.port): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`${['POST', ...lines].join('\r\n').replace('\r\n', ' ')}\r\nHost: localhost\r\n\r\n`);
  return readUntilClose(socket);
}

async function readUntilClose(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return text;
}

async function signIn(user_id: string, address = '192.0.2.1'): Promise<{ token: string }> {
  return (await answerOf(await fetch(`${sim.url}/auth/login`, json({ user_id }, from(address))))).body;
}

describe('the edge of the server', () => {
  it('S14 B55: counts logins by the client’s address, and answers further ones with 429 and Retry-After', async () => {
    const login = (address: string) =>
      fetch(`${sim.url}/auth/login`, json({ user_id: 'alice' }, from(address))).then(async (response) => {
        await response.body?.cancel();
        return response;
      });
    for (let count = 0; count < 60; count += 1) expect((await login('198.51.100.7')).status).toBe(200);
    const refused = await fetch(`${sim.url}/auth/login`, json({ user_id: 'alice' }, from('198.51.100.7')));
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(await answerOf(refused)).toEqual({
      status: 429,
      body: { code: 'too_many', message: expect.stringContaining('Try again in'), retry_after: wait },
    });
    expect((await login('198.51.100.8')).status).toBe(200);
  });

  it('S14 S17: refuses a client that used its points up before it reads the body', async () => {
    for (let count = 0; count < 60; count += 1) {
      await fetch(`${sim.url}/auth/login`, json({ user_id: 'alice' }, from('198.51.100.9')));
    }
    const head = ['/auth/login HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 9000'];
    const answer = await answerToHead([...head, 'X-Forwarded-For: 198.51.100.9']);
    expect(answer).toMatch(/^HTTP\/1.1 429 [^]*connection: close/i);
  });

  it('S14: counts every request by address, with the error code of its service', async () => {
    const ask = (path: string) => fetch(`${sim.url}${path}`, { headers: from('198.51.100.10') });
    const all: number[] = [];
    for (let batch = 0; batch < 60; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask('/nowhere')));
      for (const answer of answers) {
        all.push(answer.status);
        await answer.body?.cancel();
      }
    }
    expect(new Set(all)).toEqual(new Set([404]));
    expect(await answerOf(await ask('/v1/nowhere'))).toMatchObject({
      status: 429,
      body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR },
    });
    expect(await answerOf(await ask('/users/discover'))).toMatchObject({ status: 429, body: { code: 'too_many' } });
  });

  it('S17: refuses an upload without a session before it reads the file', async () => {
    const head = ['/media?for=profile HTTP/1.1', 'Content-Type: image/jpeg', 'Content-Length: 8388608'];
    expect(await answerToHead(head)).toMatch(/^HTTP\/1.1 401 [^]*connection: close/i);
    const document = ['/verification/identity/documents HTTP/1.1', 'Content-Type: application/json'];
    expect(await answerToHead([...document, 'Content-Length: 1400000'])).toMatch(/^HTTP\/1.1 401 /);
    const small = ['/auth/login HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 16385'];
    expect(await answerToHead(small)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('S14: counts upgrades by address', async () => {
    const ask = (address: string) =>
      upgrade(`${sim.url.replace('http', 'ws')}/ws/nowhere`, { headers: from(address) }).then(({ status }) => status);
    const statuses: number[] = [];
    for (let batch = 0; batch < 12; batch += 1) {
      statuses.push(...(await Promise.all(Array.from({ length: 50 }, () => ask('198.51.100.11')))));
    }
    expect(new Set(statuses)).toEqual(new Set([404]));
    expect(await ask('198.51.100.11')).toBe(429);
    expect(await ask('198.51.100.12')).toBe(404);
  });

  it('S14: gives a user 64 sockets of the product, and closes one that sends many messages with 1008', async () => {
    const { token } = await signIn('alice');
    const url = `${sim.url.replace('http', 'ws')}/ws/events`;
    const open = () => upgrade(url, { headers: from('192.0.2.1') }, { protocols: [token] });
    const sockets = [];
    for (let count = 0; count < 64; count += 1) sockets.push(await open());
    expect(new Set(sockets.map(({ status }) => status))).toEqual(new Set([101]));
    expect((await open()).status).toBe(429);
    const [first, ...others] = sockets;
    let code: number | undefined;
    first?.socket.once('close', (given: number) => (code = given));
    for (let count = 0; count < 31; count += 1) first?.socket.send('{}');
    expect(await until(() => code, 'the close')).toBe(1008);
    const again = await until(() => code !== undefined && open(), 'another socket');
    expect(again.status).toBe(101);
    for (const { socket } of [...others, again]) socket.terminate();
  });

  it('S16: counts bytes, not characters, of messages that wait for a client', async () => {
    const [mina, ken] = [await signIn('carol'), await signIn('bob')];
    const authorization = (token: string) => from('192.0.2.1', { authorization: `Bearer ${token}` });
    const post = async (path: string, body: unknown) =>
      answerOf(await fetch(`${sim.url}${path}`, json(body, authorization(mina.token))));
    const { socket } = await upgrade(
      `${sim.url.replace('http', 'ws')}/ws/events`,
      { headers: from('192.0.2.1') },
      { protocols: [ken.token] },
    );
    let isClosed = false;
    socket.once('close', () => (isClosed = true));
    const channel = await post('/channels', { u_id: 'bob' });
    expect(channel.status).toBe(200);
    const text = '語'.repeat(1_000);
    const sent = await post(`/channels/${channel.body.channel_url}/messages`, {
      client_id: 'message-1',
      type: 'text',
      text,
    });
    expect(sent.status).toBe(200);
    await until(() => isClosed, 'the close');
  });
});

describe('a client that reads', () => {
  it('S16: gets more in one turn of the server than it may leave unread', async () => {
    const alice = await Terminal.signIn(sim, 'alice');
    const before = alice.events.length;
    // A level has about 250 bytes, and the limit of this server is 2,000.
    for (let count = 0; count < 40; count += 1) sim.exchange.setUploadLevel('alice', 'NONE');
    await until(() => alice.events.length === before + 40 || alice.closeCode !== undefined, 'the levels');
    expect([alice.events.length - before, alice.closeCode]).toEqual([40, undefined]);
    await alice.disconnect();
  });
});

describe('a client that sends and leaves', () => {
  it('has every command handled that came before the end of its socket', async () => {
    const AMPLE = { burst: 1e9, perSecond: 1 };
    const settings = { messages: AMPLE, accountMessages: AMPLE, sent: AMPLE };
    const ample = await startSim({ demo: true, port: 0, settings });
    onTestFinished(() => ample.close());
    const [alice, bob] = [await Terminal.signIn(ample, 'alice'), await Terminal.signIn(ample, 'bob')];
    const media = { constraints: { audio: true, video: true }, capabilities: [] };
    const { call_id } = (await alice.send('dial', { callee_id: 'bob', is_video_call: true, ...media })).payload;
    await bob.send('accept', { call_id, ...media });
    const COUNT = 1_000;
    for (let at = 0; at < COUNT; at += 1)
      alice.socket.send(JSON.stringify(alice.frame('audio', { call_id, is_enabled: at % 2 === 1 })));
    // A client that reads a ping answers it, and an answer after the end would reset the connection.
    alice.socket.pause();
    // The end of the stream is behind the frames. There is no close frame.
    (alice.socket as unknown as { _socket: Socket })._socket.end();
    await until(() => bob.events.filter(({ type }) => type === 'audio').length === COUNT, 'the last event');
    alice.socket.resume();
    await until(() => alice.closeCode !== undefined, 'the close');
  });
});

describe('a client that sends text and then bytes', () => {
  it('gets the replies to the text before the close', async () => {
    const alice = await Terminal.signIn(sim, 'alice');
    alice.socket.send(JSON.stringify(alice.frame('heartbeat', {})));
    alice.socket.send(Buffer.from('bytes'));
    await until(() => alice.closeCode !== undefined, 'the close');
    expect([alice.closeCode, alice.replies.map(({ type }) => type)]).toEqual([1003, ['heartbeat_ack']]);
  });
});

describe('a server for one answer', () => {
  async function serve(more: Partial<HttpEdge>): Promise<number> {
    const server = createHttpServer({
      allowedHosts: allowedHostsOf('127.0.0.1', []),
      log: new Log(() => undefined, { wallTime: Date.now }),
      addresses: createClientAddresses(['127.0.0.1']),
      admit: () => Promise.resolve({ maxBytes: 8 * 1024 * 1024, mediaTypes: ['image/jpeg'] }),
      answer: () => ({ status: 200, body: {} }),
      ...more,
    }).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('S14: cuts off a client whose headers come too slowly', async () => {
    const port = await serve({ headMs: scaled(200) });
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
    expect(await readUntilClose(socket)).toMatch(/^HTTP\/1.1 408 /);
  });

  it('S18: answers a handler that throws with 500 without the reason, and counts it like any refusal', async () => {
    const failed: unknown[] = [];
    const port = await serve({
      answer: () => {
        throw new Error('hunter2');
      },
      onFailed: (answer) => void failed.push(answer),
    });
    const url = `http://127.0.0.1:${port}/`;
    const thrown = { status: 500, body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: '' } };
    expect(await answerOf(await fetch(url))).toEqual(thrown);
    expect((await answerOf(await fetch(url, json({})))).status).toBe(415);
    expect(failed).toEqual([thrown, { status: 415, body: null }]);
  });

  it('S14: holds 24 MiB of the bodies of one address, 64 MiB of all, and gives the memory back', async () => {
    const port = await serve({});
    const part = Buffer.alloc(7 * 1024 * 1024);
    const begin = (address: string): Socket => {
      const socket = connect(port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      socket.write(
        `POST / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\nContent-Type: image/jpeg\r\n` +
          `Content-Length: ${part.length + 1}\r\n\r\n`,
      );
      socket.write(part);
      return socket;
    };
    const statusOf = async (socket: Socket): Promise<string> => {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      return chunk.toString().slice(9, 12);
    };
    const status = (socket: Socket) => statusOf(socket).then((code) => ({ socket, code }));
    // One of the four is refused, and any of them may be that one.
    const four = [1, 2, 3, 4].map(() => begin('192.0.2.1'));
    const refused = await Promise.race(four.map(status));
    expect(refused.code).toBe('503');
    const others = [1, 2, 3, 4, 5, 6, 7].map((at) => begin(`192.0.2.1${at}`));
    expect((await Promise.race(others.map(status))).code).toBe('503');
    const [first, ...rest] = four.filter((socket) => socket !== refused.socket);
    for (const socket of [...others, ...rest]) socket.destroy();
    first?.write('x');
    expect(first && (await statusOf(first))).toBe('200');
    const last = begin('192.0.2.1');
    last.write('x');
    expect(await statusOf(last)).toBe('200');
  });
});
