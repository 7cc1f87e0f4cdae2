import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../sim/virtual/random.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import { CALLS, callSignals } from '../../../src/calls/direct-call/call-signals.ts';
import type { CallFrame } from '../../../src/calls/direct-call/incoming-signals.ts';
import { Log } from '../../../src/calls/logging/log.ts';
import { CatchUp } from '../../../src/calls/realtime/catch-up.ts';
import { Channel } from '../../../src/calls/realtime/channel.ts';
import { directCommand } from '../../../src/calls/realtime/command-frame.ts';
import { pendingRequests } from '../../../src/calls/realtime/requests.ts';
import {
  channelPolicy,
  descriptionPolicy,
  genericPolicy,
  type RetryPolicy,
} from '../../../src/calls/realtime/retry-policy.ts';
import { Signalling } from '../../../src/calls/realtime/signalling.ts';
import { action } from '../../../src/calls/rest/requests.ts';
import { RestClient } from '../../../src/calls/rest/rest-client.ts';
import type { EventFrame } from '../../../src/protocol/envelope.ts';
import { eventFrame, outcomeOf, replyTo, ScriptedExchange, type Command } from '../virtual/scripted-exchange.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';

const ADDRESS = { wsHost: 'wss://ws.example', sessionToken: 'tok/en', clientId: 'client 1', version: '1.10.20' };

const over = (callId: string) => ({
  call_id: callId,
  end_result: 'completed',
  ended_by: null,
  ended_at: 1,
  duration: 1,
});
const audio = (callId: string, sequence: number) =>
  eventFrame('COMM', 'audio', { call_id: callId, is_enabled: true }, sequence, 'missed_signal');
const listed = (callId: string) => ({
  call_id: callId,
  call_type: 'direct',
  user_role: 'dc_caller',
  caller_client_id: 'client 1',
  callee_client_id: null,
  signal_seq: 3,
  signal_snapshot: { is_audio_enabled: true, is_video_enabled: false, custom_items: {}, recording: 'none' },
});

/** A channel with all its parts, to a scripted exchange. */
function setUp({ random = () => 0 }: { random?: () => number } = {}) {
  const world = createWorld({ seed: 1, exchange: () => new ScriptedExchange() });
  const platform = world.platform('alice');
  const log = new Log(platform, loadedParts().logText);
  log.setConsoleLevel('WARNING');
  const happened: string[] = [];
  const events: EventFrame[] = [];
  const channel = new Channel({
    isUrgent: () => false,
    ...platform,
    random,
    log,
    events: {
      event: (frame) => {
        events.push(frame);
        if (frame.type === 'log_level') throw new Error('a listener fails');
      },
      roomEvent: (frame) => happened.push(`room ${frame.type}`),
      lost: () => happened.push('lost'),
      restored: () => happened.push('restored'),
      refused: () => happened.push('refused'),
    },
  });
  const rest = new RestClient({
    ...platform,
    log,
    apiHost: 'https://api.example',
    clientId: ADDRESS.clientId,
    session: () => ADDRESS.sessionToken,
  });
  const signalling = new Signalling({
    ...platform,
    channel,
    log,
    action: (frame, limitMs) => action(rest, frame, { limitMs }),
  });
  const { exchange, clock } = world;
  const open = async () => {
    const connected = channel.connect(ADDRESS);
    await clock.advance(10);
    await connected;
  };
  /** The times at which sockets were opened, in milliseconds since `from`. */
  const knocks: number[] = [];
  exchange.admit = () => {
    knocks.push(clock.now());
    return undefined;
  };
  return { world, platform, log, channel, rest, signalling, exchange, clock, happened, events, open, knocks };
}

describe('retry policies', () => {
  const noCall = () => false;
  const waits = (policy: RetryPolicy, count: number) => Array.from({ length: count }, (_, n) => policy.waitBefore(n));

  test('RT-03 the channel retries after 2 s, then 5, 10, 20 and 30 s for ever (D07)', () => {
    expect(
      waits(
        channelPolicy(() => 0, noCall),
        7,
      ),
    ).toEqual([2_000, 5_000, 10_000, 20_000, 30_000, 30_000, 30_000]);
  });

  test('RT-03 D07 noise only lengthens a wait: by up to a fifth in a call, otherwise by up to 10 s or its length', () => {
    const noises = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(noises, fc.nat(50), fc.boolean(), (noise, retry, inCall) => {
        const plain = channelPolicy(() => 0, noCall).waitBefore(retry) ?? NaN;
        const noisy =
          channelPolicy(
            () => noise,
            () => inCall,
          ).waitBefore(retry) ?? NaN;
        const most = inCall ? plain * 1.2 : plain + Math.max(plain, 10_000);
        return noisy >= plain && noisy <= most;
      }),
    );
    expect(
      waits(
        channelPolicy(() => 0.5, noCall),
        6,
      ),
    ).toEqual([7_000, 10_000, 15_000, 30_000, 45_000, 45_000]);
  });

  test('F14 at most a quarter of 2 000 clients that an exchange lost at once returns in any second', () => {
    const random = seededRandom(7);
    const seconds = new Map<number, number>();
    for (let client = 0; client < 2_000; client += 1) {
      const second = Math.floor((channelPolicy(random, noCall).waitBefore(0) ?? NaN) / 1_000);
      seconds.set(second, (seconds.get(second) ?? 0) + 1);
    }
    expect(Math.max(...seconds.keys()) - Math.min(...seconds.keys())).toBeGreaterThanOrEqual(9);
    expect(Math.max(...seconds.values())).toBeLessThan(500);
  });

  test('RT-07 the generic schedule waits 1000, 2000, 3000 ms, then stops', () => {
    expect(waits(genericPolicy, 5)).toEqual([1_000, 2_000, 3_000, null, null]);
  });

  test('descriptions are sent 12 times: resent after 2500 ms, each further wait 1000 ms longer', () => {
    const all = waits(descriptionPolicy, 13);
    expect(all.slice(0, 3)).toEqual([2_500, 3_500, 4_500]);
    expect(all.filter((wait) => wait !== null)).toHaveLength(11);
    expect(all.slice(11)).toEqual([null, null]);
  });
});

describe('pending requests', () => {
  const { world, platform, log } = setUp();
  const requests = () => pendingRequests({ clock: world.clock, log });

  test('LIB-12 B33 registering the same request id twice is an error, and does not affect the first one', async () => {
    const pending = requests();
    const first = outcomeOf(pending.register('r1', directCommand('cancel', { call_id: 'c1' }).read));
    expect(() => pending.register('r1', directCommand('cancel', { call_id: 'c1' }).read)).toThrow(
      expect.objectContaining({ code: ErrorCode.INVALID_PARAMETER_VALUE, param: 'requestId' }),
    );
    pending.settle({ version: 1, request_id: 'r1', cmd: 'CALL', type: 'cancel_ack', payload: { call_id: 'c1' } });
    await world.settle();
    expect(first).toEqual({ times: 1, value: { call_id: 'c1' } });
  });

  test('LIB-13 B33 registering an empty request id is an error', () => {
    expect(() => requests().register('', directCommand('cancel', { call_id: 'c1' }).read)).toThrow(
      expect.objectContaining({ code: ErrorCode.INVALID_PARAMETER_VALUE, param: 'requestId' }),
    );
    expect(world.clock.pending).toEqual([]);
  });

  test('DC-58 a reply without a pending request is logged as a wrong-response error', () => {
    requests().settle({ version: 1, request_id: 'none', cmd: 'CALL', type: 'cancel_ack' });
    expect(platform.printed.at(-1)).toMatch(/\[ERROR\] wrong response.*1800205/);
  });

  test('a reply is accepted once: the second one has no pending request', async () => {
    const pending = requests();
    const first = outcomeOf(pending.register('r2', directCommand('cancel', { call_id: 'c1' }).read));
    const frame = {
      version: 1,
      request_id: 'r2',
      cmd: 'CALL',
      type: 'cancel_ack',
      payload: { call_id: 'c1' },
    } as const;
    pending.settle(frame);
    const printed = platform.printed.length;
    pending.settle(frame);
    expect(platform.printed.slice(printed)).toEqual([expect.stringContaining('wrong response')]);
    pending.failAll();
    await world.advance(120_000);
    expect(first).toEqual({ times: 1, value: { call_id: 'c1' } });
  });
});

describe('the channel', () => {
  test('RT-02 session token, client id and version travel in the query', async () => {
    const { exchange, open } = setUp();
    await open();
    expect(exchange.latest.who).toEqual({ sessionToken: 'tok/en', clientId: 'client 1', version: '1.10.20' });
  });

  test('RT-01 one websocket carries commands, their replies and events', async () => {
    const { channel, exchange, clock, open, events } = setUp();
    await open();
    const reply = channel.request('end', { call_id: 'c7' }, { requestId: 'r-1' });
    exchange.latest.send(eventFrame('COMM', 'video', { call_id: 'c7', is_enabled: false }));
    await clock.advance(10);
    expect(JSON.parse(exchange.latest.received[0] ?? '')).toEqual({
      version: 1,
      request_id: 'r-1',
      cmd: 'CALL',
      type: 'end',
      payload: { call_id: 'c7' },
    });
    expect(await reply).toEqual({ call_id: 'c7' });
    expect(events.map(({ type }) => type)).toEqual(['video']);
    expect(exchange.connections).toHaveLength(1);
  });

  test('a refusal of the exchange is raised as its code', async () => {
    const { channel, exchange, clock, open } = setUp();
    exchange.command = ({ request_id, cmd, type }, connection) =>
      connection.send({
        version: 1,
        request_id,
        cmd,
        type: `${type}_ack`,
        error: { code: ErrorCode.ERR_CALL_DOES_NOT_EXIST, message: '' },
      });
    await open();
    const ended = outcomeOf(channel.request('end', { call_id: 'c7' }));
    await clock.advance(10);
    expect(ended).toEqual({ times: 1, code: ErrorCode.ERR_CALL_DOES_NOT_EXIST });
  });

  test('connecting while it opens shares the outcome; connecting while open does nothing', async () => {
    const { channel, exchange, clock } = setUp();
    const both = [outcomeOf(channel.connect(ADDRESS)), outcomeOf(channel.connect(ADDRESS))];
    expect(channel.state).toBe('connecting');
    await clock.advance(10);
    both.push(outcomeOf(channel.connect(ADDRESS)));
    await clock.advance(10);
    expect(both.map(({ times, code }) => [times, code])).toEqual([
      [1, undefined],
      [1, undefined],
      [1, undefined],
    ]);
    expect(exchange.connections).toHaveLength(1);
  });

  test('RT-03 F01 a lost channel is opened again after 2 s, then with backoff, and emits one event for each change', async () => {
    const { channel, platform, clock, happened, open, knocks } = setUp();
    await open();
    platform.net.dropSockets();
    const lostAt = clock.now();
    platform.net.setSockets('down');
    await clock.advance(36_000);
    expect(happened).toEqual(['lost']);
    expect(channel.state).toBe('waiting');
    platform.net.setSockets('up');
    await clock.advance(31_000);
    expect(happened).toEqual(['lost', 'restored']);
    expect(channel.state).toBe('open');
    // 2 + 5 + 10 + 20 s of waits, and the latency of the failed attempts.
    expect((knocks.at(-1) ?? 0) - lostAt).toBeGreaterThanOrEqual(37_000);
    expect((knocks.at(-1) ?? 0) - lostAt).toBeLessThan(37_100);
  });

  test('RT-03 F01 the first retry comes 2 s after the loss', async () => {
    const { platform, clock, open, knocks } = setUp();
    await open();
    const lostAt = clock.now();
    platform.net.dropSockets();
    await clock.advance(1_999);
    expect(knocks).toHaveLength(1);
    await clock.advance(10);
    expect((knocks[1] ?? 0) - lostAt).toBe(2_001);
  });

  test.each([1001, 1011, 1012])('F02 a clean close with %i is a loss like any other', async (code) => {
    const { exchange, clock, happened, open } = setUp();
    await open();
    exchange.latest.close(code);
    await clock.advance(2_100);
    expect(happened).toEqual(['lost', 'restored']);
  });

  test('F08 a flapping channel backs off, keeps one socket, and emits no event twice', async () => {
    const { exchange, clock, happened, platform, open, knocks } = setUp();
    await open();
    let sockets = 0;
    for (let time = 0; time < 60_000; time += 1_500) {
      await clock.advance(1_500);
      sockets = Math.max(sockets, platform.net.openSockets);
      platform.net.dropSockets();
    }
    expect(sockets).toBe(1);
    const gaps = knocks.slice(1).map((at, n) => at - (knocks[n] ?? 0));
    expect(gaps.length).toBeGreaterThan(2);
    expect(gaps.every((gap, n) => n === 0 || gap > (gaps[n - 1] ?? 0))).toBe(true);
    expect(happened.filter((what) => what === 'lost')).toHaveLength(exchange.connections.length);
    expect(happened.filter((what) => what === 'restored')).toHaveLength(exchange.connections.length - 1);
  });

  test('a channel that lived for 5 s resets the backoff', async () => {
    const { platform, clock, open, knocks } = setUp();
    await open();
    for (let round = 0; round < 3; round += 1) {
      await clock.advance(6_000);
      platform.net.dropSockets();
      await clock.advance(2_010);
    }
    expect(knocks).toHaveLength(4);
  });

  test('RT-04 F07 requests pending when it is lost fail with 1800204, exactly once', async () => {
    const { channel, exchange, platform, clock, open } = setUp();
    exchange.command = () => undefined;
    await open();
    const pending = ['a', 'b', 'c'].map((id) => outcomeOf(channel.request('end', { call_id: id })));
    await clock.advance(10);
    platform.net.dropSockets();
    await clock.advance(120_000);
    expect(pending).toEqual(
      pending.map(() => ({ times: 1, code: ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST })),
    );
  });

  test('ERR-1800204 RT-04 the pending caller gets the name and the message of the catalogue', async () => {
    const { channel, exchange, platform, clock, open } = setUp();
    exchange.command = () => undefined;
    await open();
    const told = channel.request('end', { call_id: 'c1' }).catch((error: unknown) => error);
    await clock.advance(10);
    platform.net.dropSockets();
    await clock.advance(10);
    expect(await told).toMatchObject({
      code: ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST,
      name: 'ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST',
      message: 'The request failed because the websocket connection is lost.',
    });
  });

  test('RT-05 a request with no reply in 60 s fails with 1800203, though the channel lives', async () => {
    const { channel, exchange, clock, open } = setUp();
    exchange.command = (command, connection) => {
      if (command.type === 'heartbeat') connection.reply(command, {});
    };
    await open();
    const ended = outcomeOf(channel.request('end', { call_id: 'c1' }));
    await clock.advance(59_999);
    expect(ended).toEqual({ times: 0 });
    await clock.advance(1);
    expect(ended).toEqual({ times: 1, code: ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT });
  });

  test.each(['stalled', 'silent'] as const)(
    'F03 a channel that is %s is lost 10 s after a command without a reply, and replaced at once',
    async (mode) => {
      const { channel, platform, clock, happened, open, knocks } = setUp();
      await open();
      platform.net.setSockets(mode);
      const ended = outcomeOf(channel.request('end', { call_id: 'c1' }));
      await clock.advance(9_999);
      expect([ended, happened]).toEqual([{ times: 0 }, []]);
      platform.net.setSockets('unanswered');
      await clock.advance(1);
      expect([ended, happened, channel.state]).toEqual([
        { times: 1, code: ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST },
        ['lost'],
        'connecting',
      ]);
      platform.net.setSockets('up');
      await clock.advance(10);
      expect([happened, knocks.length, platform.net.openSockets]).toEqual([['lost', 'restored'], 2, 1]);
    },
  );

  test('F03 a channel on which the exchange answers heartbeats, even with a refusal, is never replaced', async () => {
    const { channel, exchange, clock, happened, open, knocks } = setUp();
    exchange.command = ({ request_id, cmd, type }, connection) =>
      connection.send({
        version: 1,
        request_id,
        cmd,
        type: `${type}_ack`,
        error: { code: ErrorCode.ERR_WRONG_RESPONSE, message: '' },
      });
    await open();
    await clock.advance(600_000);
    expect([channel.state, happened, knocks.length]).toEqual(['open', [], 1]);
    expect(exchange.latest.received).toHaveLength(59);
  });

  test('ERR-1800303 a command that is refused for the session closes the channel, which emits the loss', async () => {
    const { channel, exchange, clock, happened, open, platform } = setUp();
    exchange.command = ({ request_id, cmd, type }, connection) =>
      connection.send({
        version: 1,
        request_id,
        cmd,
        type: `${type}_ack`,
        error: { code: ErrorCode.USER_NOT_AUTHENTICATED, message: '' },
      });
    await open();
    const ended = outcomeOf(channel.request('end', { call_id: 'c1' }));
    await clock.advance(10);
    expect([ended, happened, channel.state]).toEqual([
      { times: 1, code: ErrorCode.USER_NOT_AUTHENTICATED },
      ['refused'],
      'closed',
    ]);
    expect([clock.pending, platform.net.openSockets, exchange.latest.isClosed]).toEqual([[], 0, true]);
  });

  test('a channel that gets another session while it opens uses that session, and the waiting caller gets one result', async () => {
    const { channel, exchange, platform, clock } = setUp();
    platform.net.setSockets('unanswered');
    const connected = outcomeOf(channel.connect(ADDRESS));
    await clock.advance(10);
    channel.readdress({ ...ADDRESS, sessionToken: 'newer' });
    platform.net.setSockets('up');
    await clock.advance(10);
    expect([connected, exchange.latest.who.sessionToken, platform.net.openSockets]).toEqual([{ times: 1 }, 'newer', 1]);
  });

  test('RT-06 F04 a failed connection gives 1800202, a message sent meanwhile gives 1800201, and retries continue', async () => {
    const { channel, platform, clock, happened } = setUp();
    platform.net.setSockets('down');
    const connected = outcomeOf(channel.connect(ADDRESS));
    await clock.advance(10);
    expect(connected).toEqual({ times: 1, code: ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED });
    const ended = outcomeOf(channel.request('end', { call_id: 'c1' }));
    await clock.settle();
    expect(ended.code).toBe(ErrorCode.ERR_WEBSOCKET_CONNECTION_NOT_OPENED);
    platform.net.setSockets('up');
    await clock.advance(2_100);
    expect(channel.state).toBe('open');
    expect(happened).toEqual(['restored']);
  });

  test('RT-06 F06 an upgrade that is never answered gives 1800202 after 60 s', async () => {
    const { channel, platform, clock } = setUp();
    platform.net.setSockets('stalled');
    const connected = outcomeOf(channel.connect(ADDRESS));
    await clock.advance(60_000);
    expect(connected).toEqual({ times: 1, code: ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED });
    expect(channel.state).toBe('waiting');
  });

  test.each([401, 403])('F05 an upgrade refused with %i gives 1800303 and stops the retries', async (status) => {
    const { channel, exchange, clock, happened } = setUp();
    exchange.admit = () => ({ status });
    const connected = outcomeOf(channel.connect(ADDRESS));
    await clock.advance(120_000);
    expect(connected).toEqual({ times: 1, code: ErrorCode.USER_NOT_AUTHENTICATED });
    expect([channel.state, happened, clock.pending]).toEqual(['closed', ['refused'], []]);
  });

  test('F05 an upgrade that is refused with 503 is retried with backoff', async () => {
    const { channel, exchange, clock } = setUp();
    let knocks = 0;
    exchange.admit = () => {
      knocks += 1;
      return { status: 503 };
    };
    const connected = outcomeOf(channel.connect(ADDRESS));
    await clock.advance(60_000);
    expect(connected.code).toBe(ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED);
    expect(knocks).toBe(5);
  });

  test('a session refused on a retry is reported, and pending connects get 1800303', async () => {
    const { channel, exchange, platform, clock, happened, open } = setUp();
    await open();
    exchange.admit = () => ({ status: 401 });
    platform.net.dropSockets();
    await clock.advance(3_000);
    expect([channel.state, happened]).toEqual(['closed', ['lost', 'refused']]);
  });

  test('closing stops everything: pending requests fail once, and no retry, event or timer follows', async () => {
    const { channel, exchange, clock, happened, open } = setUp();
    exchange.command = () => undefined;
    await open();
    const pending = outcomeOf(channel.request('end', { call_id: 'c1' }));
    channel.close();
    channel.close();
    await clock.advance(120_000);
    expect(pending).toEqual({ times: 1, code: ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST });
    expect([channel.state, happened, clock.pending, exchange.latest.isClosed]).toEqual(['closed', [], [], true]);
  });

  test('closing while it opens rejects the waiting callers, and closing between retries ends them', async () => {
    const { channel, platform, clock, world } = setUp();
    const connected = outcomeOf(channel.connect(ADDRESS));
    channel.close();
    await clock.advance(100);
    expect(connected).toEqual({ times: 1, code: ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED });
    platform.net.setSockets('down');
    outcomeOf(channel.connect(ADDRESS));
    await clock.advance(10);
    channel.close();
    await clock.settle();
    expect(world.leftovers()).toEqual([]);
  });

  test('reconnecting now does not wait for the next retry', async () => {
    const { channel, platform, clock, happened, open } = setUp();
    await open();
    platform.net.cut();
    await clock.advance(20_000);
    platform.net.restore();
    channel.reconnectNow();
    await clock.advance(10);
    expect([channel.state, happened]).toEqual(['open', ['lost', 'restored']]);
  });

  test('reconnecting now replaces an open channel: one socket is left, the old one is closed', async () => {
    const { channel, exchange, platform, clock, happened, open } = setUp();
    await open();
    channel.reconnectNow();
    await clock.advance(10);
    expect([happened, platform.net.openSockets, exchange.connections[0]?.isClosed]).toEqual([
      ['lost', 'restored'],
      1,
      true,
    ]);
  });

  test.each([
    ['not JSON', '{'],
    ['of an unknown kind', JSON.stringify(eventFrame('CALL', 'surprise', {}))],
    ['broken in its payload', JSON.stringify(eventFrame('CALL', 'dial_rcv', { call_id: 1 }))],
    ['too large', JSON.stringify({ version: 1, padding: 'x'.repeat(64 * 1024) })],
    ['null', 'null'],
  ])('a frame that is %s is logged as an error, and the socket stays open', async (_, text) => {
    const { channel, exchange, platform, clock, open } = setUp();
    await open();
    exchange.latest.send(text);
    const ended = outcomeOf(channel.request('end', { call_id: 'c1' }));
    await clock.advance(10);
    expect(platform.printed.at(-1)).toContain('unreadable frame');
    expect(ended.value).toEqual({ call_id: 'c1' });
  });

  test('a listener that throws is logged, and the channel continues', async () => {
    const { channel, exchange, platform, clock, open } = setUp();
    await open();
    exchange.latest.send(eventFrame('UTIL', 'log_level', { level: 'INFO' }, 0));
    await clock.advance(10);
    expect(platform.printed.at(-1)).toContain('a listener of the realtime channel failed');
    expect(channel.state).toBe('open');
  });

  test('a request with an invalid or too large payload (D25) fails with 1800300 and the name of the part, and is not sent', async () => {
    const { channel, exchange, clock, open } = setUp();
    await open();
    const ended = channel.request('end', { call_id: '' });
    await expect(ended).rejects.toMatchObject({ code: ErrorCode.INVALID_PARAMETER_VALUE, param: 'payload.call_id' });
    const candidate = { sdp: 'x'.repeat(2_048), sdp_mline_index: 0, sdp_mid: '0' };
    const candidates = Array.from({ length: 100 }, () => candidate);
    const large = channel.request('remove_candidates', { call_id: 'c1', candidates });
    await expect(large).rejects.toMatchObject({ code: ErrorCode.INVALID_PARAMETER_VALUE, param: 'payload' });
    await clock.advance(10);
    expect(exchange.latest.received).toEqual([]);
  });
});

describe('signalling', () => {
  const byHttp = (exchange: ScriptedExchange) =>
    exchange.requests.map(({ method, path, body }) => [method, path, (body as Command).request_id]);

  test('RT-06 sending before the channel was ever open gives 1800201', async () => {
    const { signalling, exchange } = setUp();
    await expect(signalling.request('end', { call_id: 'c1' })).rejects.toMatchObject({
      code: ErrorCode.ERR_WEBSOCKET_CONNECTION_NOT_OPENED,
    });
    expect(exchange.requests).toEqual([]);
  });

  test('HTTP-25 F26 while the channel is lost commands are sent by POST /v1/action/direct_call', async () => {
    const { signalling, exchange, platform, clock, open } = setUp();
    exchange.answer = ({ body }) => ({ status: 200, body: replyTo(body as Command, { call_id: 'c1' }) });
    await open();
    platform.net.dropSockets();
    platform.net.setSockets('down');
    const ended = outcomeOf(signalling.request('end', { call_id: 'c1' }, { requestId: 'r9' }));
    await clock.advance(10);
    expect(ended).toEqual({ times: 1, value: { call_id: 'c1' } });
    expect(exchange.requests[0]?.body).toEqual({
      version: 1,
      request_id: 'r9',
      cmd: 'CALL',
      type: 'end',
      payload: { call_id: 'c1' },
    });
    expect(byHttp(exchange)).toEqual([['POST', '/v1/action/direct_call', 'r9']]);
  });

  test('HTTP-25 a command whose channel is lost meanwhile is sent over HTTP with the same request id', async () => {
    const { signalling, exchange, platform, clock, open } = setUp();
    exchange.command = () => undefined;
    exchange.answer = ({ body }) => ({ status: 200, body: replyTo(body as Command, { call_id: 'c1' }) });
    await open();
    const ended = outcomeOf(signalling.request('end', { call_id: 'c1' }));
    await clock.advance(10);
    platform.net.dropSockets();
    await clock.advance(10);
    const { request_id } = JSON.parse(exchange.latest.received[0] ?? '');
    expect(byHttp(exchange)).toEqual([['POST', '/v1/action/direct_call', request_id]]);
    expect(ended).toEqual({ times: 1, value: { call_id: 'c1' } });
  });

  test('a command has one time limit of 60 s on both routes together', async () => {
    const { signalling, exchange, platform, clock, open, world } = setUp();
    exchange.command = () => undefined;
    exchange.answer = ({ body }) => ({ status: 200, body: replyTo(body as Command, { call_id: 'c1' }) });
    world.network.rule(({ via, direction }) =>
      via === 'http' && direction === 'down' ? { delayMs: 300_000 } : undefined,
    );
    await open();
    const ended = outcomeOf(signalling.request('end', { call_id: 'c1' }));
    await clock.advance(4_000);
    platform.net.dropSockets();
    await clock.advance(55_900);
    expect([ended.times, byHttp(exchange)]).toEqual([0, [['POST', '/v1/action/direct_call', expect.any(String)]]]);
    await clock.advance(200);
    expect(ended).toEqual({ times: 1, code: ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT });
  });

  test('RT-07 F23 a failed HTTP request is retried after 1, 2 and 3 s with the same request id, then fails with 1800200', async () => {
    const { signalling, exchange, platform, clock, open, world } = setUp();
    exchange.answer = ({ body }) => ({ status: 200, body: replyTo(body as Command, { call_id: 'c1' }) });
    await open();
    platform.net.dropSockets();
    platform.net.setSockets('down');
    // The exchange gets each request. Its answer is lost.
    world.network.rule(({ via, direction }) => (via === 'http' && direction === 'down' ? 'drop' : undefined));
    const ended = outcomeOf(signalling.request('end', { call_id: 'c1' }));
    const tries: number[] = [];
    for (let second = 0; second < 8; second += 1) {
      await clock.advance(1_000);
      tries.push(exchange.requests.length);
    }
    expect(tries).toEqual([1, 2, 2, 3, 3, 3, 4, 4]);
    expect(new Set(byHttp(exchange).map(([, , id]) => id)).size).toBe(1);
    expect(ended).toEqual({ times: 1, code: ErrorCode.ERR_REQUEST_FAILED });
  });

  test('F26 a channel that returns before the next retry sends the command again', async () => {
    const { signalling, exchange, platform, clock, open } = setUp();
    await open();
    platform.net.cut();
    await clock.advance(10);
    const ended = outcomeOf(signalling.request('end', { call_id: 'c1' }));
    await clock.advance(1_500);
    platform.net.restore();
    await clock.advance(2_000);
    expect(ended).toEqual({ times: 1, value: { call_id: 'c1' } });
    expect(exchange.requests).toEqual([]);
  });

  test('a refusal of the exchange is not retried', async () => {
    const { signalling, exchange, platform, clock, open } = setUp();
    exchange.answer = () => ({ status: 400, body: { code: ErrorCode.ERR_INVALID_CALL_STATUS, message: '' } });
    await open();
    platform.net.dropSockets();
    platform.net.setSockets('down');
    const ended = outcomeOf(signalling.request('end', { call_id: 'c1' }));
    await clock.advance(10_000);
    expect(ended).toEqual({ times: 1, code: ErrorCode.ERR_INVALID_CALL_STATUS });
    expect(exchange.requests).toHaveLength(1);
  });

  test('closing during a command does not send it over HTTP', async () => {
    const { signalling, channel, exchange, clock, open } = setUp();
    exchange.command = () => undefined;
    await open();
    const ended = outcomeOf(signalling.request('end', { call_id: 'c1' }));
    await clock.advance(10);
    channel.close();
    signalling.close();
    await clock.advance(10);
    expect([ended, exchange.requests]).toEqual([
      { times: 1, code: ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST },
      [],
    ]);
  });

  test('closing ends pending retries, and leaves no timer', async () => {
    const { signalling, channel, platform, clock, open, world } = setUp();
    await open();
    platform.net.cut();
    const ended = outcomeOf(signalling.request('end', { call_id: 'c1' }));
    await clock.advance(100);
    channel.close();
    signalling.close();
    await clock.settle();
    expect(ended).toEqual({ times: 1, code: ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST });
    expect(world.leftovers()).toEqual([]);
  });
});

describe('catch-up', () => {
  function withCatchUp(live: string[], { random = () => 0 }: { random?: () => number } = {}) {
    const setup = setUp();
    const { rest, log, signalling, clock, exchange } = setup;
    const fed: string[] = [];
    const unknown: string[] = [];
    const calls = {
      receive: (frame: CallFrame) => {
        fed.push(`${frame.payload.call_id} ${frame.type} ${frame.sequence_number}`);
        if (frame.type === 'end') live.splice(live.indexOf('c1'), 1);
      },
      liveIds: () => [...live],
      unknown: (id: string) => unknown.push(id),
    };
    const consumers = [callSignals(calls, { signalling, rest }, log)];
    const catchUp = new CatchUp({ consumers, clock, random, log });
    let list: unknown[] = [];
    exchange.command = (command, connection) => connection.reply(command, { calls: list });
    const listing = (...ids: string[]) => (list = ids.map(listed));
    return { ...setup, catchUp, fed, unknown, listing };
  }

  test('DC-49 HTTP-26 F14 unended calls are listed, and their missed signals applied in order of sequence', async () => {
    const { catchUp, open, clock, exchange, fed, unknown, listing } = withCatchUp(['c1']);
    listing('c1');
    exchange.answer = () => ({ status: 200, body: { signals: [audio('c1', 3), audio('c1', 2)] } });
    await open();
    const done = outcomeOf(catchUp.run());
    await clock.advance(20);
    expect(done.times).toBe(1);
    expect(exchange.requests.map(({ method, path, query }) => [method, path, query])).toEqual([
      ['GET', '/v1/direct_calls/missed_signal', { call_ids: 'c1' }],
    ]);
    expect(fed).toEqual(['c1 audio 2', 'c1 audio 3']);
    expect(unknown).toEqual([]);
  });

  // The sink ends the call at once on `end`, and not yet on `connection_lost`: the exchange has a trace of both.
  test.each(['end', 'connection_lost'])(
    'DC-49 a call that ended meanwhile ends by its missed signals (%s), and is not unknown',
    async (type) => {
      const { catchUp, open, clock, exchange, fed, unknown } = withCatchUp(['c1']);
      const ending = eventFrame('CALL', type, over('c1'), 4, 'missed_signal');
      exchange.answer = () => ({ status: 200, body: { signals: [ending] } });
      await open();
      outcomeOf(catchUp.run());
      await clock.advance(20);
      expect(exchange.requests[0]?.query).toEqual({ call_ids: 'c1' });
      expect([fed, unknown]).toEqual([[`c1 ${type} 4`], []]);
    },
  );

  test('DC-49 F15 a live call that is neither listed nor in the missed signals is unknown (D12)', async () => {
    const { catchUp, open, clock, exchange, unknown, listing } = withCatchUp(['c1', 'c2']);
    listing('c2');
    exchange.answer = () => ({ status: 200, body: { signals: [] } });
    await open();
    outcomeOf(catchUp.run());
    await clock.advance(20);
    expect(unknown).toEqual(['c1']);
  });

  test('DC-49 a call dialled while the list of unended calls is requested is not unknown', async () => {
    const live = ['c1'];
    const { catchUp, open, clock, exchange, unknown, listing } = withCatchUp(live);
    listing('c1');
    const list = exchange.command;
    exchange.command = (command, connection) => {
      list(command, connection);
      live.push('c2');
    };
    exchange.answer = () => ({ status: 200, body: { signals: [] } });
    await open();
    const done = outcomeOf(catchUp.run());
    await clock.advance(20);
    expect([done.times, live, unknown]).toEqual([1, ['c1', 'c2'], []]);
  });

  test('a live call that the client does not know gets its signals, and an ended one does not', async () => {
    const { catchUp, open, clock, exchange, fed, listing } = withCatchUp([]);
    listing('c8', 'c9');
    exchange.answer = () => ({
      status: 200,
      body: {
        signals: [audio('c8', 1), audio('c9', 1), eventFrame('CALL', 'other_device_accepted', { call_id: 'c9' }, 2)],
      },
    });
    await open();
    outcomeOf(catchUp.run());
    await clock.advance(20);
    expect(fed).toEqual(['c8 audio 1']);
  });

  test.each([0, 0.5])(
    'RT-08 F27 missed signals are requested again every 2 s and up to 1 s of noise (%d), 10 times, then it is logged',
    async (noise) => {
      const { catchUp, open, channel, clock, exchange, platform, unknown } = withCatchUp(['c1'], {
        random: () => noise,
      });
      const asked: number[] = [];
      exchange.answer = () => {
        asked.push(clock.now());
        return { status: 500 };
      };
      await open();
      const done = outcomeOf(catchUp.run());
      await clock.advance(60_000);
      const waits = asked.slice(1).map((at, n) => at - (asked[n] ?? 0));
      expect(new Set(waits).size).toBe(1);
      // The request takes one millisecond of this, and its answer another.
      expect(waits[0]).toBe(2_000 + noise * 1_000 + 2);
      expect([asked.length, done.times, unknown]).toEqual([11, 1, []]);
      expect(platform.printed.at(-1)).toContain('catch-up gave up on missed signals');
      channel.close();
      await clock.advance(10);
      expect(clock.pending).toEqual([]);
    },
  );

  test('RT-08 each retry has a separate noise', async () => {
    const noises = [0, 0.9, 0.3];
    const { catchUp, open, clock, exchange, channel } = withCatchUp(['c1'], { random: () => noises.shift() ?? 0 });
    const asked: number[] = [];
    exchange.answer = () => {
      asked.push(clock.now());
      return { status: 500 };
    };
    await open();
    outcomeOf(catchUp.fetchMissed(CALLS, 'c1'));
    await clock.advance(8_000);
    catchUp.close();
    channel.close();
    await clock.advance(10);
    const waits = asked.slice(1).map((at, n) => Math.floor((at - (asked[n] ?? 0)) / 100) * 100);
    expect(waits.slice(0, 3)).toEqual([2_000, 2_900, 2_300]);
  });

  test('F27 an unreadable signal is logged and affects no other', async () => {
    const { catchUp, open, clock, exchange, platform, fed, listing } = withCatchUp(['c1']);
    listing('c1');
    exchange.answer = () => ({ status: 200, body: { signals: [{ nonsense: true }, audio('c1', 1)] } });
    await open();
    outcomeOf(catchUp.run());
    await clock.advance(20);
    expect(fed).toEqual(['c1 audio 1']);
    expect(platform.printed.at(-1)).toContain('unreadable missed signal');
  });

  test('a newer restoration supersedes an older one: signals are applied once', async () => {
    const { catchUp, open, clock, exchange, fed, listing } = withCatchUp(['c1']);
    listing('c1');
    exchange.answer = () => ({ status: 200, body: { signals: [audio('c1', 1)] } });
    await open();
    const runs = [outcomeOf(catchUp.run()), outcomeOf(catchUp.run())];
    // The next one starts while the signals of the previous one are requested.
    await clock.advance(3);
    expect(exchange.requests).toHaveLength(1);
    runs.push(outcomeOf(catchUp.run()));
    await clock.advance(20);
    expect(runs.map(({ times }) => times)).toEqual([1, 1, 1]);
    expect(fed).toEqual(['c1 audio 1']);
  });

  test('a gap in the sequence of a call is fetched once, for several requests', async () => {
    const { catchUp, open, clock, exchange, fed } = withCatchUp(['c1']);
    exchange.answer = () => ({ status: 200, body: { signals: [audio('c1', 5)] } });
    await open();
    outcomeOf(catchUp.fetchMissed(CALLS, 'c1'));
    outcomeOf(catchUp.fetchMissed(CALLS, 'c1'));
    await clock.advance(20);
    expect([exchange.requests.length, fed]).toEqual([1, ['c1 audio 5']]);
  });

  test('closing stops the catch-up', async () => {
    const { catchUp, open, clock, exchange, channel, world, fed } = withCatchUp(['c1']);
    exchange.answer = () => ({ status: 500 });
    await open();
    const both = [outcomeOf(catchUp.run()), outcomeOf(catchUp.fetchMissed(CALLS, 'c1'))];
    await clock.advance(500);
    catchUp.close();
    channel.close();
    await clock.advance(10);
    expect(both.map(({ times }) => times)).toEqual([1, 1]);
    expect([world.leftovers(), fed]).toEqual([[], []]);
  });
});
