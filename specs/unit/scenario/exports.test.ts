import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { frameText } from '../../../sim/scenario/export/wire-text.ts';
import { ROOM_GROUP } from '../../../src/protocol/messages/rooms.ts';
import { harOf } from '../../../sim/scenario/export/har.ts';
import { pcapngOf } from '../../../sim/scenario/export/pcapng.ts';
import { closeFrame, textFrame } from '../../../sim/scenario/export/websocket-bytes.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';
import { harRules } from './support/har-rules.ts';
import { framesOf, readCapture, streamsOf } from './support/read-capture.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const message = (at: number, device: string, direction: 'up' | 'down', cmd: string, more: object = {}): TraceEvent => ({
  at,
  kind: 'message',
  device,
  direction,
  cmd,
  payload: { call_id: 'c1' },
  ...more,
});
const http = (
  at: number,
  device: string,
  direction: 'up' | 'down',
  request: string,
  more: object = {},
): TraceEvent => ({ at, kind: 'http', device, direction, request, body: {}, ...more });
const socket = (at: number, device: string, what: 'open' | 'close', more: object = {}): TraceEvent => ({
  at,
  kind: 'socket',
  device,
  what,
  ...more,
});

const LONG = Array.from({ length: 200 }, (_, at) => `a=line-${at}:${'x'.repeat(20)}`);
const EXCHANGE = '192.0.2.1:80';

/** Anything that a trace may contain. */
const TRACE: readonly TraceEvent[] = [
  message(0, 'alice', 'up', 'dial'),
  message(1, 'bob.phone', 'down', 'dial', { payload: { turn_credential: { password: 'hush' }, where: '10.1.2.3' } }),
  http(2, 'alice', 'up', 'POST /v1/action/direct_call', { body: { type: 'dial_rcv', session_token: 'hush' } }),
  http(2, 'alice', 'up', 'GET /v1/lost', { fate: 'dropped', body: '' }),
  http(2, 'alice', 'up', 'GET /v1/twice', { body: '' }),
  http(3, 'alice', 'up', 'GET /v1/twice', { body: '' }),
  http(5, 'alice', 'down', 'POST /v1/action/direct_call', { status: 403, body: { message: 'no' } }),
  http(6, 'alice', 'down', 'GET /v1/twice', { status: 200, body: { first: true } }),
  http(7, 'alice', 'down', 'GET /v1/twice', { status: 204, body: '' }),
  message(8, 'alice', 'up', 'offer', { payload: { session: LONG } }),
  message(9, 'bob.phone', 'down', 'offer', { fate: 'dropped' }),
  message(9, 'bob.phone', 'down', 'candidate', { fate: '2 copies' }),
  message(10, 'bob.phone', 'down', 'end_ack', { error: ErrorCode.ERR_CALL_DOES_NOT_EXIST, fate: 'delayed 300 ms' }),
  message(11, 'bob.phone', 'down', 'video'),
  socket(20, 'bob.phone', 'close', { code: 1006 }),
  message(21, 'bob.phone', 'down', 'audio'),
  socket(30, 'bob.phone', 'close', { code: 1006, status: 401 }),
  socket(31, 'bob.phone', 'close', { code: 1006 }),
  socket(40, 'bob.phone', 'open'),
  message(41, 'bob.phone', 'up', 'end'),
  http(44, 'bob.phone', 'up', 'GET /v1/again', { fate: 'dropped', body: '' }),
  http(44, 'bob.phone', 'up', 'GET /v1/again', { body: '' }),
  http(45, 'bob.phone', 'up', 'POST /v1/direct_calls/c1/summary'),
  http(46, 'bob.phone', 'down', 'GET /v1/again', { status: 200 }),
  socket(50, 'alice', 'close', { code: 1000 }),
  socket(60, 'bob.phone', 'close', { code: 1005 }),
];

const har = () => harOf(TRACE, { version: '1.2.3' });

describe('an HTTP archive of a trace', () => {
  it('follows the rules of HAR 1.2, with a page for each device', () => {
    expect(v.safeParse(harRules, JSON.parse(JSON.stringify(har()))).issues).toBeUndefined();
    expect(har().log.pages?.map(({ title }) => title)).toEqual(['alice', 'bob.phone']);
    expect(v.safeParse(harRules, harOf([], { version: '0' })).success).toBe(true);
  });

  it('has each request with its answer and its duration, or the reason without one', () => {
    const requests = har().log.entries.filter(({ _resourceType }) => _resourceType === 'fetch');
    expect(requests.map(({ request, response, time }) => [request.method, request.url, response.status, time])).toEqual(
      [
        ['POST', 'http://exchange.test/v1/action/direct_call', 403, 3],
        ['GET', 'http://exchange.test/v1/lost', 0, 0],
        ['GET', 'http://exchange.test/v1/twice', 200, 4],
        ['GET', 'http://exchange.test/v1/twice', 204, 4],
        ['GET', 'http://exchange.test/v1/again', 0, 0],
        ['GET', 'http://exchange.test/v1/again', 200, 2],
        ['POST', 'http://exchange.test/v1/direct_calls/c1/summary', 0, 0],
      ],
    );
    expect(requests.map(({ response }) => (response as { _error?: string })._error)).toEqual([
      undefined,
      'the request was lost',
      undefined,
      undefined,
      'the request was lost',
      undefined,
      'no answer came',
    ]);
    expect(requests[2]?.response.content.text).toBe('{"first":true}');
  });

  it('has the realtime channels with the messages that the device received', () => {
    const channels = har().log.entries.filter(({ _resourceType }) => _resourceType === 'websocket');
    const seen = channels.map(({ pageref, response, _webSocketMessages }) => [
      pageref,
      response.status,
      (_webSocketMessages ?? []).map(({ type, data }) => `${type} ${(JSON.parse(data) as { type: string }).type}`),
    ]);
    expect(seen).toEqual([
      ['page_alice', 101, ['send dial', 'send offer']],
      [
        'page_bob.phone',
        101,
        ['receive dial', 'receive candidate', 'receive candidate', 'receive video', 'receive audio', 'receive end_ack'],
      ],
      ['page_bob.phone', 401, []],
      ['page_bob.phone', 0, []],
      ['page_bob.phone', 101, ['send end']],
    ]);
    const [refusal] = channels[1]?._webSocketMessages?.slice(-1) ?? [];
    expect(refusal).toEqual({
      type: 'receive',
      time: (Date.UTC(2026, 0, 1) + 310) / 1_000,
      opcode: 1,
      data: '{"cmd":"CALL","type":"end_ack","error":{"code":1400102}}',
    });
  });
});

describe('a capture of a trace', () => {
  const capture = () => readCapture(pcapngOf(TRACE));
  const channel = (at: number) => [...streamsOf(capture().packets).values()][at];
  const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
  const afterHead = (bytes: Uint8Array = new Uint8Array()) => bytes.subarray(text(bytes).indexOf('\r\n\r\n') + 4);

  it('has valid blocks, lengths, checksums and byte numbers, in the order of time', () => {
    const { application, names, packets } = capture();
    expect([application, names]).toEqual([
      'ringback',
      { '192.0.2.1': 'exchange.test', '192.0.2.2': 'alice', '192.0.2.3': 'bob.phone' },
    ]);
    expect(packets.map(({ at }) => at)).toEqual(packets.map(({ at }) => at).toSorted((a, b) => a - b));
    expect(new Set(packets.map(({ at }) => at)).size).toBe(packets.length);
    expect(packets[0]?.at).toBe(Date.UTC(2026, 0, 1) * 1_000);
    // Each packet acknowledges exactly the bytes that the other side has sent before.
    const sent = new Map<string, number>();
    for (const { from, to, sequence, acknowledged, flags, data } of packets) {
      if (flags.includes('A')) expect(acknowledged).toBe(sent.get(`${to} ${from}`));
      sent.set(`${from} ${to}`, sequence + data.length + (/[SF]/.test(flags) ? 1 : 0));
    }
  });

  it('has only addresses for documentation, and an interface for each device', () => {
    const { packets } = capture();
    for (const { from, to, device } of packets) {
      expect([from, to]).toContain(EXCHANGE);
      const own = from === EXCHANGE ? to : from;
      expect(own.split(':')[0]).toBe(device === 'alice' ? '192.0.2.2' : '192.0.2.3');
    }
  });

  it('opens a channel with its upgrade, and masks what a client sends', () => {
    const alice = channel(0);
    expect(text(alice?.client)).toMatch(
      /^GET \/v1\/realtime HTTP\/1\.1\r\nHost: exchange\.test\r\nConnection: Upgrade\r\n/,
    );
    expect(text(alice?.server)).toMatch(/^HTTP\/1\.1 101 [\s\S]*Sec-WebSocket-Accept: [\w+/]{27}=\r\n/);
    const frames = framesOf(afterHead(alice?.client));
    expect(frames.map(({ masked }) => masked)).toEqual([true, true, true]);
    expect(frames[0]?.text).toBe('{"cmd":"CALL","type":"dial","payload":{"call_id":"c1"}}');
    // The frame is larger than one packet.
    expect(JSON.parse(frames[1]?.text ?? '')).toMatchObject({ payload: { session: LONG } });
    expect(frames[2]).toEqual({ masked: true, code: 1000 });
    const bob = framesOf(afterHead(channel(1)?.server));
    expect(bob.map(({ masked, text: said }) => [masked, (JSON.parse(said ?? '') as { type: string }).type])).toEqual([
      [false, 'dial'],
      [false, 'offer'],
      [false, 'candidate'],
      [false, 'end_ack'],
      [false, 'video'],
      [false, 'audio'],
    ]);
  });

  it('aborts, refuses and closes channels like the trace, and names the effect of a fault on a message', () => {
    const { packets } = capture();
    const ofBob = packets.filter(({ device, flags }) => device === 'bob.phone' && /[SFR]/.test(flags));
    expect(ofBob.map(({ from, flags }) => `${from === EXCHANGE ? 'exchange' : 'bob'} ${flags}`)).toEqual([
      ...['bob S', 'exchange SA', 'bob RA'],
      ...['bob S', 'exchange SA', 'exchange FA', 'bob FA'],
      'bob S',
      ...['bob S', 'exchange SA'],
      ...['bob S', 'exchange SA'],
      ...['bob S', 'exchange SA'],
      ...['bob S', 'exchange SA'],
      ...['bob FA', 'exchange FA'],
      ...['bob FA', 'exchange FA'],
    ]);
    expect(text(channel(6)?.server)).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(packets.flatMap(({ remark }) => (remark === '' ? [] : [remark]))).toEqual([
      'dropped',
      'dropped',
      '2 copies',
      'delayed 300 ms',
      'the channel broke',
      'dropped',
    ]);
  });

  it('writes frames of every length', () => {
    for (const length of [0, 125, 126, 127, 65_535, 65_536]) {
      const said = 'x'.repeat(length);
      expect(framesOf(textFrame(said, undefined)), `${length}`).toEqual([{ masked: false, text: said }]);
      expect(textFrame(said, undefined).length - length).toBe(length < 126 ? 2 : length < 65_536 ? 4 : 10);
    }
    expect([1000, 1005, 1006, 4000].map((code) => framesOf(closeFrame(code, undefined))[0]?.code)).toEqual([
      1000,
      undefined,
      undefined,
      4000,
    ]);
  });

  it('has the requests in plain text', () => {
    const [, , refused] = [...streamsOf(capture().packets).values()];
    expect(text(refused?.client)).toBe(
      'POST /v1/action/direct_call HTTP/1.1\r\nHost: exchange.test\r\nContent-Type: application/json\r\nContent-Length: 41\r\n\r\n{"type":"dial_rcv","session_token":"***"}',
    );
    expect(text(refused?.server)).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*\r\n\r\n\{"message":"no"\}$/);
  });

  it('is refused with more devices than addresses', () => {
    const crowd = Array.from({ length: 254 }, (_, at) => message(at, `d${at}`, 'up', 'dial'));
    expect(() => pcapngOf(crowd)).toThrow('a capture holds up to 253 devices, and this trace has 254');
    expect(readCapture(pcapngOf(crowd.slice(1))).packets.at(-1)?.device).toBe('d253');
  });
});

describe('exports', () => {
  it('have no secret and no address, and are the same for the same trace', () => {
    for (const bytes of [Buffer.from(JSON.stringify(har())), pcapngOf(TRACE)]) {
      expect(bytes.includes('hush')).toBe(false);
      expect(bytes.includes('10.1.2.3')).toBe(false);
    }
    expect(pcapngOf(TRACE).equals(pcapngOf(TRACE))).toBe(true);
  });

  it('of a real call are valid for Wireshark', async (context) => {
    const file = 'fixtures/scenarios/direct/happy-video.yaml';
    const [result] = await runScenario(readScenario(file, readFileSync(file, 'utf8')), {
      name: 'virtual',
      world: virtualWorld,
      stopwatch: () => 0,
    });
    const trace = result?.trace ?? [];
    const answers = trace.filter((event) => event.kind === 'http' && event.direction === 'down');
    expect(answers.map((event) => event.kind === 'http' && event.status)).toEqual(answers.map(() => 200));
    expect(answers.length).toBeGreaterThan(0);
    expect(v.safeParse(harRules, JSON.parse(JSON.stringify(harOf(trace, { version: '0' })))).issues).toBeUndefined();
    const folder = mkdtempSync(join(tmpdir(), 'ringback-capture-'));
    try {
      writeFileSync(join(folder, 'call.pcapng'), pcapngOf(trace));
      const words = [
        '-r',
        join(folder, 'call.pcapng'),
        '-o',
        'tcp.check_checksum:TRUE',
        '-o',
        'ip.check_checksum:TRUE',
      ];
      const tshark = (...more: string[]) =>
        execFileSync('tshark', [...words, ...more], { encoding: 'utf8', stdio: 'pipe' });
      let frames: string;
      try {
        const shown = ['-T', 'fields', '-e', 'frame.interface_name', '-e', 'websocket.payload.text'];
        frames = tshark('-Y', 'websocket', ...shown);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') context.skip('no tshark here');
        throw error;
      }
      const messages = trace.flatMap((event) => (event.kind === 'message' ? [`${event.device} ${event.cmd}`] : []));
      const read = frames.split('\n').filter((line) => line !== '');
      expect(read.map((line) => line.replace(/^(\S+)\t.*"type":"(\w+)".*$/, '$1 $2'))).toEqual(messages);
      const requests = tshark('-Y', 'http.request.method == POST', '-T', 'fields', '-e', 'http.request.uri');
      const asked = trace.flatMap((event) =>
        event.kind === 'http' && event.direction === 'up' ? [event.request] : [],
      );
      expect(
        requests
          .trim()
          .split('\n')
          .map((path) => `POST ${path}`),
      ).toEqual(asked);
      expect(tshark('-Y', '_ws.malformed || _ws.expert.severity >= "Warning"')).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('a frame has the group of its message, also that of a room', () => {
  const groupOf = (cmd: string) => {
    const frame = frameText({ kind: 'message', at: 0, device: 'alice', direction: 'up', cmd, payload: {} });
    return (JSON.parse(frame) as { readonly cmd?: string }).cmd;
  };
  expect(['dial', 'dial_ack', 'room_create', 'room_enter_ack', 'offer', 'unknown'].map(groupOf)).toEqual([
    'CALL',
    'CALL',
    ROOM_GROUP,
    ROOM_GROUP,
    'SGNL',
    undefined,
  ]);
});
