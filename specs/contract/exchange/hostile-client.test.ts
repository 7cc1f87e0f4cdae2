/**
 * Hostile clients over real sockets. The server closes them with the code of the cause, and serves all other
 * clients.
 */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { LogEntry } from '../../../sim/exchange/ports.ts';
import { OpenConnections } from '../../../sim/server/open-connections.ts';
import { startSim, type Sim } from '../../../sim/server/start-sim.ts';
import { countInflated } from '../../unit/protocol/count-inflated.ts';
import { answerOf, json, Terminal, until } from './terminals.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const AV = { audio: true, video: true };
const FLOODERS = 2;
const FLOOD = 2_500;
const BOMBS = 50;

let sim: Sim;
const log: LogEntry[] = [];

beforeAll(async () => {
  const settings = { sent: { burst: 1e9, perSecond: 1 } };
  sim = await startSim({ demo: true, port: 0, settings, log: (entry) => log.push(entry) });
});
afterAll(() => sim.close());

/** Connects two users in a call. */
async function connectCall() {
  const [alice, bob] = [await Terminal.signIn(sim, 'alice'), await Terminal.signIn(sim, 'bob')];
  const dial = { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] };
  const { call_id } = (await alice.send('dial', dial)).payload;
  await bob.send('accept', { call_id, constraints: AV, capabilities: [] });
  const leave = async () => {
    expect((await alice.send('end', { call_id })).error).toBeUndefined();
    await Promise.all([alice.disconnect(), bob.disconnect()]);
  };
  return { alice, bob, call_id, leave };
}

describe('hostile clients', () => {
  it('B41 S14 S18: two clients that send five thousand messages are closed with 1008, and a call is served meanwhile', async () => {
    const { alice, bob, call_id, leave } = await connectCall();
    const flooders = await Promise.all(
      Array.from({ length: FLOODERS }, (_, at) => Terminal.signIn(sim, 'carol', `flooder-${at}`)),
    );
    const rss = process.memoryUsage().rss;
    for (const { socket } of flooders) for (let at = 0; at < FLOOD; at += 1) socket.send(`{"flood":${at}}`);
    expect((await alice.send('audio', { call_id, is_enabled: false })).error).toBeUndefined();
    expect(await bob.event('audio')).toEqual({ call_id, is_enabled: false });
    for (const flooder of flooders) expect(await until(() => flooder.closeCode, 'the close')).toBe(1008);
    expect(log.filter(({ message }) => message === 'too many messages')).toHaveLength(FLOODERS);
    expect(process.memoryUsage().rss - rss).toBeLessThan(64 * 1024 * 1024);
    await leave();
  });

  it('B42 S13: each of fifty compressed bombs is refused, and inflated only up to the limit', async () => {
    const { alice, call_id, leave } = await connectCall();
    const sdp = gzipSync(Buffer.alloc(16 * 1024 * 1024)).toString('base64');
    using inflated = countInflated();
    for (let at = 0; at < BOMBS; at += 1) {
      expect((await alice.send('offer', { call_id, sdp })).error).toMatchObject({ code: ErrorCode.ERR_MALFORMED_DATA });
    }
    // The server runs in this process. The whole bombs would inflate to 800 MiB.
    expect(inflated.bytes()).toBe(BOMBS * LIMITS.sdpBytes);
    await leave();
  });

  it('B37 S18: a client that sends invalid UTF-8 is closed with 1007, an invalid frame is logged, and the next client is served', async () => {
    const { alice, call_id, leave } = await connectCall();
    const mallory = await Terminal.signIn(sim, 'carol', 'mallory');
    const before = log.length;
    const texts = [
      'null',
      '[]',
      '"x"',
      '',
      '[['.repeat(16_000),
      `\uFEFF{"version":1}`,
      '{"version":1,"version":2}',
      String.raw`{"request_id":"\ud800"}`,
      '{"__proto__":{"request_id":"r"},"constructor":{"prototype":{"polluted":1}}}',
    ];
    for (const text of texts) mallory.socket.send(text);
    const unreadable = () => log.slice(before).filter(({ message }) => message === 'unreadable frame');
    await until(() => unreadable().length === texts.length, 'the log of each');
    expect((await mallory.send('unended_calls', {})).payload).toEqual({ calls: [] });
    mallory.socket.send(Buffer.from([0xff, 0xfe, 0x80]), { binary: false });
    expect(await until(() => mallory.closeCode, 'the close')).toBe(1007);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect((await alice.send('alive', { call_id })).error).toBeUndefined();
    await leave();
  });

  it('B40 B69: a socket that violates the framing rules is closed, and the next client is served', async () => {
    const { alice, call_id, leave } = await connectCall();
    const mallory = await Terminal.signIn(sim, 'carol', 'mallory');
    const { pathname, search } = new URL(mallory.channelUrl);
    // Unmasked, reserved bits, an unknown opcode, a fragmented control frame, a length beyond every limit.
    const frames = [
      [0x81, 0x01, 0x78],
      [0xf1, 0x80, 0, 0, 0, 0],
      [0x83, 0x80, 0, 0, 0, 0],
      [0x09, 0x80, 0, 0, 0, 0],
    ];
    const endless = [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
    for (const frame of [...frames, endless]) {
      const socket = connect(sim.port, '127.0.0.1');
      socket.on('error', () => undefined);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(
        `GET ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      );
      await new Promise((resolve) => socket.once('data', resolve));
      socket.write(Buffer.from(frame));
      socket.resume();
      await closed;
    }
    expect((await alice.send('alive', { call_id })).error).toBeUndefined();
    await leave();
  });

  it('S14: a socket counts for the address of its client from its upgrade until it has closed, also a refused one', async () => {
    const address = '192.0.2.7';
    let [opened, closed] = [0, 0];
    const { open } = OpenConnections.prototype;
    const spy = vi.spyOn(OpenConnections.prototype, 'open').mockImplementation(function (this: OpenConnections, from) {
      const close = open.call(this, from);
      if (from !== address) return close;
      opened += 1;
      return () => {
        closed += 1;
        close?.();
      };
    });
    const proxied = await startSim({ demo: true, port: 0, trustedProxies: ['127.0.0.1'] });
    const connectFrom = (session_token: string) => {
      const query = new URLSearchParams({ session_token, client_id: 'carol-1', version: '1' });
      const socket = new WebSocket(`${proxied.url.replace('http', 'ws')}/v1/realtime?${query}`, {
        headers: { 'x-forwarded-for': address },
      });
      socket.on('error', () => undefined);
      return socket;
    };
    try {
      const login = json({ app_id: 'ringback-demo', user_id: 'carol' }, { 'x-client-id': 'carol-1' });
      const { body } = await answerOf(await fetch(`${proxied.url}/v1/users/carol/login`, login));
      const socket = connectFrom(body.sbcall_session_token);
      await until(() => socket.readyState === WebSocket.OPEN, 'the open socket');
      expect([opened, closed]).toEqual([1, 0]);
      socket.close();
      await until(() => closed > 0, 'the end of the first socket');
      connectFrom('unknown');
      await until(() => closed > 1, 'the end of the second socket');
      expect([opened, closed]).toEqual([2, 2]);
    } finally {
      spy.mockRestore();
      await proxied.close();
    }
  });
});
