import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Log } from '../../../sim/exchange/logging/log.ts';
import type { LogEntry } from '../../../sim/exchange/ports.ts';
import { allowedHostsOf } from '../../../sim/server/allowed-hosts.ts';
import { createClientAddresses } from '../../../sim/server/client-address.ts';
import { createHttpServer } from '../../../sim/server/http-server.ts';
import { startSim, type Sim } from '../../../sim/server/start-sim.ts';
import { packSdp } from '../../../src/protocol/sdp-codec.ts';
import { answerOf, json, Terminal, until, upgrade } from './terminals.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const AV = { audio: true, video: true };
const CONNECTION = { connection_type: 'host', relay_protocol: null, protocol: 'udp' };
const PACKED = packSdp('v=0\r\n');
/** A budget that no test uses up. */
const AMPLE = { burst: 1e9, perSecond: 1 };

let sim: Sim;
const log: LogEntry[] = [];

beforeAll(async () => {
  sim = await startSim({ demo: true, port: 0, log: (entry) => log.push(entry), pingMs: 60 });
});
afterAll(() => sim.close());

const ws = (path: string) => `${sim.url.replace('http', 'ws')}${path}`;

const dial = async (from: Terminal, callee_id: string): Promise<string> =>
  (await from.send('dial', { callee_id, is_video_call: true, constraints: AV, capabilities: [] })).payload.call_id;

/** Sends these bytes over TCP. Returns all bytes that arrive until the server closes. */
function sendRaw(text: string, port: number = sim.port): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk) => (received += chunk));
    socket.on('close', () => resolve(received)).on('error', reject);
  });
}

/** Returns the status of the answer to a request with this host name. */
const statusFor = async (host: string, port: number, origin?: string) => {
  const from = origin === undefined ? '' : `Origin: ${origin}\r\n`;
  const answer = await sendRaw(`GET /demo/users HTTP/1.1\r\nHost: ${host}\r\n${from}Connection: close\r\n\r\n`, port);
  return Number(answer.split(' ')[1]);
};

describe('a call over real sockets', () => {
  it('RT-01 RT-02 HTTP-18 HTTP-25 goes from login to its end', async () => {
    const alice = await Terminal.signIn(sim, 'alice');
    const bob = await Terminal.signIn(sim, 'bob', 'bob-1');
    const bob2 = await Terminal.signIn(sim, 'bob', 'bob-2');
    const call_id = await dial(alice, 'bob');
    const { short_lived_token, caller } = await bob.event('dial');
    expect(caller).toMatchObject({ user_id: 'alice', profile_url: `${sim.url}/portraits/alice.svg` });
    const received = bob.frame('dial_rcv', {
      call_id,
      callee_delivery_info: { channel: 'websocket' },
      received_type: 'websocket',
    });
    const headers = { 'x-client-id': 'bob-1', 'x-short-lived-token': short_lived_token };
    expect(await answerOf(await fetch(`${sim.url}/v1/action/direct_call`, json(received, headers)))).toMatchObject({
      status: 200,
      body: { type: 'dial_rcv_ack', payload: { call_id } },
    });
    await alice.event('dial_rcv');
    await bob.send('accept', { call_id, constraints: AV, capabilities: [] });
    await alice.event('accept');
    await bob2.event('other_device_accepted');
    await alice.send('offer', { call_id, sdp: PACKED });
    expect(await bob.event('offer')).toEqual({ call_id, sdp: PACKED });
    await bob.send('answer', { call_id, sdp: PACKED });
    await alice.event('answer');
    await alice.send('connected', { call_id, connection: CONNECTION, reconnect: false });
    await bob.send('connected', { call_id, connection: CONNECTION, reconnect: false });
    await alice.send('end', { call_id });
    expect(await bob.event('end')).toMatchObject({ end_result: 'completed', ended_by: { user_id: 'alice' } });
    expect(sim.exchange.records.at(-1)).toMatchObject({ callId: call_id, endResult: 'completed' });
    await Promise.all([alice, bob, bob2].map((terminal) => terminal.disconnect()));
  });

  it('HTTP-26 F01 continues while a socket is closed, and the client can request the missed signals', async () => {
    const alice = await Terminal.signIn(sim, 'alice');
    const bob = await Terminal.signIn(sim, 'bob');
    const call_id = await dial(alice, 'bob');
    alice.socket.terminate();
    await until(() => alice.closeCode !== undefined, 'the close');
    await bob.send('accept', { call_id, constraints: AV, capabilities: [] });
    await bob.send('audio', { call_id, is_enabled: false });
    await alice.connect();
    expect((await alice.event('snapshot')).signal_snapshot).toMatchObject({ is_audio_enabled: false });
    const url = `${sim.url}/v1/direct_calls/missed_signal?call_ids=${call_id}`;
    const { body } = await answerOf(await fetch(url, { headers: alice.headers }));
    expect(body.signals.map(({ type, sequence_number }: any) => [type, sequence_number])).toEqual([
      ['accept', 1],
      ['audio', 2],
    ]);
    await alice.send('end', { call_id });
    expect((await bob.event('end')).end_result).toBe('not_connected');
    await Promise.all([alice, bob].map((terminal) => terminal.disconnect()));
  });

  it('HTTP-25 F26 continues over HTTP while the channel is lost', async () => {
    const alice = await Terminal.signIn(sim, 'alice');
    const bob = await Terminal.signIn(sim, 'bob');
    const call_id = await dial(alice, 'bob');
    await alice.disconnect();
    const frame = alice.frame('cancel', { call_id });
    const send = () => fetch(`${sim.url}/v1/action/direct_call`, json(frame, alice.headers)).then(answerOf);
    const [first, second] = await Promise.all([send(), send()]);
    expect([first.status, second]).toEqual([200, first]);
    expect((await bob.event('cancel')).end_result).toBe('canceled');
    const other = json({ ...frame, payload: { call_id: 'other' } }, alice.headers);
    expect(await answerOf(await fetch(`${sim.url}/v1/action/direct_call`, other))).toMatchObject({ status: 409 });
    await bob.disconnect();
  });
});

describe('admission to the server', () => {
  it('S03 D18 refuses an upgrade before it happens: 401 by session, 403 by origin, 404 by path', async () => {
    const alice = await Terminal.signIn(sim, 'alice');
    const status = async (url: string, headers: Record<string, string> = {}) =>
      (await upgrade(url, { headers })).status;
    expect(await status(ws('/v1/realtime'))).toBe(401);
    expect(await status(alice.channelUrl.replace('alice-1', 'alice-2'))).toBe(401);
    expect(JSON.parse((await upgrade(ws('/v1/realtime'))).body)).toMatchObject({
      code: ErrorCode.USER_NOT_AUTHENTICATED,
    });
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost.evil.example',
      'http://127.0.0.1@evil.example',
    ]) {
      expect(await status(alice.channelUrl, { origin })).toBe(403);
    }
    expect(await status(alice.channelUrl, { origin: 'http://localhost:4871' })).toBe(101);
    expect(await status(ws('/elsewhere'))).toBe(404);
  });

  it('D07 refuses the session of a page by the close code, because a browser hides the status', async () => {
    let code: number | undefined;
    const page = { headers: { origin: 'http://localhost:4871' } };
    await upgrade(ws('/v1/realtime'), page, { listen: (socket) => socket.once('close', (closed) => (code = closed)) });
    expect(await until(() => code, 'the close')).toBe(4401);
  });

  it('S18 the server survives garbage that such a page sends before its socket is closed', async () => {
    const socket = connect(sim.port, '127.0.0.1');
    socket.resume().on('error', () => undefined);
    const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const head = 'Host: 127.0.0.1\r\nOrigin: http://localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
    const wrongFrame = Buffer.from([0xff, 0x80, 0, 0, 0, 0]);
    socket.write(
      Buffer.concat([Buffer.from(`GET /v1/realtime?session_token=x HTTP/1.1\r\n${head}${key}`), wrongFrame]),
    );
    await gone;
    expect((await fetch(`${sim.url}/demo/users`)).status).toBe(200);
  });

  it('S02 answers only to its own host names', async () => {
    const ask = (host: string) => statusFor(host, sim.port);
    expect(await Promise.all(['127.0.0.1', `localhost:${sim.port}`, '[::1]:1'].map(ask))).toEqual([200, 200, 200]);
    const others = ['evil.example', `127.0.0.1.evil.example:${sim.port}`, '192.0.2.7', ''];
    expect(await Promise.all(others.map(ask))).toEqual([421, 421, 421, 421]);
    const rebound = sendRaw(
      'GET /v1/realtime HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    expect((await rebound).split(' ')[1]).toBe('421');
  });

  it('S02 a server at a wildcard address answers to any IP address, because only a name can be redirected to this server', async () => {
    const open = await startSim({ demo: true, port: 0, host: '0.0.0.0' });
    const ask = (host: string) => statusFor(host, open.port);
    expect(await Promise.all([`192.0.2.7:${open.port}`, '[2001:db8::7]', 'localhost'].map(ask))).toEqual([
      200, 200, 200,
    ]);
    expect(await Promise.all(['evil.example', '1.2.3.4.evil.example', '[evil]'].map(ask))).toEqual([421, 421, 421]);
    await open.close();
  });

  it('S05 admits pages of this machine by their exact origin, and no others', async () => {
    const ask = (origin: string, method = 'GET') => fetch(`${sim.url}/demo/users`, { method, headers: { origin } });
    const page = await ask('http://localhost:4871');
    expect(page.headers.get('access-control-allow-origin')).toBe('http://localhost:4871');
    expect(page.headers.get('vary')).toBe('Origin');
    const preflight = await ask('http://127.0.0.1:4871', 'OPTIONS');
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-session-token');
    for (const origin of ['https://evil.example', 'null']) {
      const refused = await ask(origin);
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    }
  });

  it('S05 admits pages of named origins, and its own pages if it may, also at a port that the system chose', async () => {
    const allowedOrigins = ['https://app.example'];
    for (const allowsOwnPages of [true, false]) {
      const named = await startSim({ demo: true, port: 0, allowedOrigins, allowsOwnPages });
      onTestFinished(() => named.close());
      const statusOf = async (origin: string, host = '127.0.0.1') => {
        const { status } = await fetch(`http://${host}:${named.port}/demo/users`, { headers: { origin } });
        return status;
      };
      const own = allowsOwnPages ? 200 : 403;
      expect(await statusOf('https://app.example')).toBe(200);
      expect(await statusOf(named.url)).toBe(own);
      expect(await statusOf(`http://localhost:${named.port}`, 'localhost')).toBe(own);
      expect(await statusOf(`http://localhost:${named.port}`)).toBe(own);
      const others = [`https://127.0.0.1:${named.port}`, 'http://127.0.0.1:4871', 'http://evil.example'];
      expect(await Promise.all(others.map((origin) => statusOf(origin)))).toEqual([403, 403, 403]);
    }
  });

  it('S05 admits its own pages at any address of its machine, also without named origins', async () => {
    for (const allowsOwnPages of [true, false]) {
      const open = await startSim({ demo: true, port: 0, host: '0.0.0.0', allowsOwnPages });
      onTestFinished(() => open.close());
      const ask = (origin: string) => statusFor(`192.0.2.7:${open.port}`, open.port, origin);
      expect(await ask(`http://192.0.2.7:${open.port}`)).toBe(allowsOwnPages ? 200 : 403);
      expect(await ask(`http://192.0.2.8:${open.port}`)).toBe(403);
      expect(await ask(`http://localhost:4871`)).toBe(200);
    }
  });

  it('S01 listens on the loopback address only', () => {
    expect(new URL(sim.url).hostname).toBe('127.0.0.1');
  });

  it('F58 reports which port is taken, and keeps the error code', async () => {
    await expect(startSim({ demo: true, port: sim.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `Port ${sim.port} of 127.0.0.1 is taken by another program.`,
    });
  });
});

describe('unreadable input', () => {
  const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    fetch(`${sim.url}/v1/users/alice/login`, { method: 'POST', headers, body }).then(answerOf);

  it('S05 B68 the server answers 415, 413, 405, 404 and 400 in JSON, without details of its software', async () => {
    const answers = [
      await post('{}', { 'content-type': 'text/plain' }),
      await post(`"${'x'.repeat(1024 * 1024)}"`),
      await answerOf(await fetch(`${sim.url}/v1/users/alice/login`)),
      await answerOf(await fetch(`${sim.url}/nothing`)),
      await post('{"app_id":'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([415, 413, 405, 404, 400]);
    // The product service answers an unknown path, with an error code that is a word.
    const code = expect.any(Number);
    expect(answers.map(({ body }) => body)).toEqual(
      [code, code, code, 'not_found', code].map((one) => ({ code: one, message: expect.any(String) })),
    );
    expect(JSON.stringify(answers)).not.toMatch(/node_modules|at \/|\.ts/);
  });

  it('S17 B69 answers input that is not HTTP with 400, closes, and serves the next client', async () => {
    const received = await sendRaw('GET\0 / HTTP/9.9\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1.1 400 /);
    for (const target of ['//', '/%', '//[', '/v1/users/%zz/login', '/?%']) {
      await sendRaw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      await sendRaw(
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      );
    }
    expect((await fetch(`${sim.url}/demo/users`)).status).toBe(200);
  });

  it('a connection that was opened in advance and waits too long gets a time-out, after which a browser opens another', async () => {
    const edge = {
      allowedHosts: allowedHostsOf('127.0.0.1', []),
      log: new Log(() => {}, { wallTime: Date.now }),
      addresses: createClientAddresses(),
      admit: () => Promise.resolve({ maxBytes: 0, mediaTypes: [] }),
      answer: () => ({ status: 200, body: {} }),
    };
    const server = createHttpServer(edge).listen(0, '127.0.0.1');
    server.once('connection', (socket) =>
      server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
    );
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await sendRaw('', port)).toMatch(/^HTTP\/1.1 408 .*connection: close/s);
    server.close();
  });

  it('B37 S18 a garbage frame is logged; the socket and the call go on', async () => {
    const alice = await Terminal.signIn(sim, 'alice');
    const bob = await Terminal.signIn(sim, 'bob');
    const call_id = await dial(alice, 'bob');
    const before = log.length;
    alice.socket.send('{"version":');
    alice.socket.send('{"version":1,"request_id":"bad","cmd":"CALL","type":"explode","payload":{}}');
    expect(
      (await until(() => alice.replies.find(({ request_id }) => request_id === 'bad'), 'the refusal')).error,
    ).toMatchObject({
      code: ErrorCode.ERR_WRONG_RESPONSE,
    });
    expect(log.slice(before).filter(({ level }) => level === 'error')).toHaveLength(2);
    await bob.send('accept', { call_id, constraints: AV, capabilities: [] });
    expect((await alice.send('offer', { call_id, sdp: btoa('corrupt') })).error).toMatchObject({
      code: ErrorCode.ERR_MALFORMED_DATA,
    });
    expect((await alice.send('end', { call_id })).error).toBeUndefined();
    await Promise.all([alice, bob].map((terminal) => terminal.disconnect()));
  });

  it('S12 B39 D25 F13 closes with 1009 after a message that is too large and 1003 after a binary one; a truncated frame affects no other client', async () => {
    const alice = await Terminal.signIn(sim, 'alice');
    alice.socket.send(`"${'x'.repeat(64 * 1024)}"`);
    expect(await until(() => alice.closeCode, 'the close')).toBe(1009);
    await alice.connect();
    alice.socket.send(Buffer.from([1, 2, 3]));
    expect(await until(() => alice.closeCode, 'the close')).toBe(1003);

    await alice.connect();
    const { pathname, search } = new URL(alice.channelUrl);
    const half = connect(sim.port, '127.0.0.1');
    half.write(
      `GET ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    await new Promise((resolve) => half.once('data', resolve));
    half.write(Buffer.from([0x81, 0xfe, 0x01, 0x00, 1, 2, 3, 4, 5]));
    half.destroy();
    await alice.connect();
    expect((await alice.send('unended_calls', {})).error).toBeUndefined();
    await alice.disconnect();
  });

  it('S12 B40 closes with 1008 after a message in too many fragments', async () => {
    const alice = await Terminal.signIn(sim, 'alice');
    for (let at = 0; at < 100; at += 1) alice.socket.send('x', { fin: false });
    expect(await until(() => alice.closeCode, 'the close')).toBe(1008);
  });

  it('S15 cuts off a client that answers no ping, and keeps one that does', async () => {
    const alice = await Terminal.signIn(sim, 'alice');
    const bob = await Terminal.signIn(sim, 'bob');
    await alice.connect({ autoPong: false });
    await until(() => sim.exchange.presenceOf('alice') === 'offline', 'the cut');
    expect(sim.exchange.presenceOf('bob')).toBe('online');
    await bob.disconnect();
  });

  it('S16 F16 cuts off a client that does not read, and serves the others', async () => {
    const other = await startSim({ demo: true, port: 0, bufferedBytes: 64 * 1024, settings: { sent: AMPLE } });
    const alice = await Terminal.signIn(other, 'alice');
    const bob = await Terminal.signIn(other, 'bob');
    const call_id = await dial(alice, 'bob');
    await bob.send('accept', { call_id, constraints: AV, capabilities: [] });
    bob.socket.pause();
    const sdp = packSdp(randomBytes(16 * 1024).toString('hex'));
    for (let at = 0; at < 350; at += 1) {
      await alice.send('offer', { call_id, sdp });
      if (other.exchange.deviceCount === 1) break;
    }
    expect(other.exchange.deviceCount).toBe(1);
    expect((await alice.send('end', { call_id })).error).toBeUndefined();
    bob.socket.terminate();
    await other.close();
  });

  it('S14 S16 F16 cuts off no client whose peer sends as much as its limit permits', async () => {
    const other = await startSim({ demo: true, port: 0 });
    const [alice, bob] = [await Terminal.signIn(other, 'alice'), await Terminal.signIn(other, 'bob')];
    const call_id = await dial(alice, 'bob');
    await bob.send('accept', { call_id, constraints: AV, capabilities: [] });
    bob.socket.pause();
    const sdp = packSdp(randomBytes(16 * 1024).toString('hex'));
    const codes = new Set<number | undefined>();
    for (let at = 0; at < 350; at += 1) codes.add((await alice.send('offer', { call_id, sdp })).error?.code);
    // The operating system buffers a part. Without the limit several more mebibytes would be buffered.
    expect([[...codes], other.exchange.deviceCount]).toEqual([[undefined, ErrorCode.ERR_SERVER_INTERNAL_ERROR], 2]);
    bob.socket.resume();
    await until(() => bob.events.some(({ type }) => type === 'offer'), 'the offer');
    await other.close();
  });

  it('S17 the server stops without waiting for refused clients that keep their side open', async () => {
    const other = await startSim({ demo: true, port: 0 });
    const upgradeHead = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
    const refused = [`GET /v1/realtime HTTP/1.1\r\nHost: 127.0.0.1\r\n${upgradeHead}\r\n`, 'no request\r\n\r\n'];
    const sockets = await Promise.all(
      refused.map(async (text) => {
        const socket = connect({ port: other.port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(text));
        await new Promise((resolve) => socket.resume().on('end', resolve));
        return socket;
      }),
    );
    await other.close();
    for (const socket of sockets) socket.destroy();
  });

  it('F59 closes sockets with 1012 when it stops, and frees its port', async () => {
    const other = await startSim({ demo: true, port: 0 });
    const alice = await Terminal.signIn(other, 'alice');
    await Terminal.signIn(other, 'bob');
    await alice.send('dial', { callee_id: 'bob', is_video_call: false, constraints: AV, capabilities: [] });
    await other.close();
    expect(alice.closeCode).toBe(1012);
    expect(alice.events.at(-1)).toMatchObject({ type: 'unknown_end', payload: { end_result: 'unknown' } });
    const again = await startSim({ demo: true, port: other.port });
    await again.close();
  });
});

describe('the log', () => {
  it('S10 S32 LOG-01 contains no session token', () => {
    const text = JSON.stringify(log);
    expect(log.length).toBeGreaterThan(20);
    expect(text).not.toMatch(/[\w-]{43}/);
    expect(text).not.toContain('127.0.0.1');
  });
});
