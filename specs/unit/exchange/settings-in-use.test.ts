/** Each default of the exchange where it applies: at its limit, and one beyond it. */
import { beforeEach, describe, expect, it } from 'vitest';
import golden from '../../../fixtures/wire/logs.json' with { type: 'json' };
import { AV, createExchangeFixture, type Device, type ExchangeFixture } from './exchange-fixture.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { DEFAULT_SETTINGS } from '../../../sim/exchange/settings.ts';

/** Budgets that no test here exhausts by accident. */
const AMPLE = { burst: 1_000_000, perSecond: 1 };

let fixture: ExchangeFixture;
let alice: Device;
let bob: Device;

async function open(
  settings: NonNullable<Parameters<typeof createExchangeFixture>[0]>['settings'] = {},
): Promise<void> {
  fixture = createExchangeFixture({ settings });
  alice = await fixture.device('alice');
  bob = await fixture.device('bob');
}
beforeEach(() => open());

const dialCode = () => alice.code('dial', { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] });
const codes = (count: number, ask: () => number) => Array.from({ length: count }, ask);
const keepAlive = (call_id: string, ms: number) => {
  for (let left = ms; left > 0; left -= 30_000) {
    for (const device of [alice, bob]) device.send('alive', { call_id });
    fixture.clock.advance(Math.min(30_000, left));
  }
};

describe('S14 the budgets of the exchange', () => {
  it('let a user dial sixty times at once, and four times a second after that', () => {
    expect(new Set(codes(60, dialCode))).toEqual(new Set([0]));
    expect(dialCode()).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
    fixture.clock.advance(249);
    expect(dialCode()).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
    fixture.clock.advance(1);
    expect([dialCode(), dialCode()]).toEqual([0, ErrorCode.ERR_SERVER_INTERNAL_ERROR]);
  });

  it('let a user log in 120 times at once, and four times a second after that', async () => {
    const login = async () => {
      const body = { app_id: 'ringback-demo', user_id: 'carol' };
      const headers = { 'x-client-id': 'c' };
      return (await fixture.http('POST', '/v1/users/carol/login', { headers, body })).status;
    };
    const first = new Set<number>();
    for (let at = 0; at < 120; at += 1) first.add(await login());
    expect([[...first], await login()]).toEqual([[200], 429]);
    fixture.clock.advance(249);
    expect(await login()).toBe(429);
    fixture.clock.advance(1);
    expect([await login(), await login()]).toEqual([200, 429]);
  });

  it('let a socket send four hundred messages at once, and a hundred a second after that', () => {
    for (let at = 0; at < 400; at += 1) alice.send('unended_calls', {});
    fixture.clock.advance(10);
    alice.send('unended_calls', {});
    fixture.clock.advance(1_000);
    for (let at = 0; at < 100; at += 1) alice.send('unended_calls', {});
    expect(alice.closes).toEqual([]);
    fixture.clock.advance(9);
    alice.receive('x');
    expect(alice.closes).toEqual([1008]);
  });

  it('let a device send 256 Ki characters of commands at once, and 32 Ki a second after that', () => {
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    fixture.clock.advance(10_000);
    const sdp = 'x'.repeat(32_768);
    // Each is refused for its content, until it is refused for its amount.
    const code = () => alice.code('offer', { call_id, sdp });
    expect(codes(9, code)).toEqual([
      ...Array.from({ length: 7 }, () => ErrorCode.ERR_MALFORMED_DATA),
      ErrorCode.ERR_SERVER_INTERNAL_ERROR,
      ErrorCode.ERR_SERVER_INTERNAL_ERROR,
    ]);
    fixture.clock.advance(999);
    expect(code()).toBe(ErrorCode.ERR_MALFORMED_DATA);
    fixture.clock.advance(1);
    expect([code(), bob.code('audio', { call_id, is_enabled: false })]).toEqual([
      ErrorCode.ERR_SERVER_INTERNAL_ERROR,
      0,
    ]);
    fixture.clock.advance(1_001);
    expect(code()).toBe(ErrorCode.ERR_MALFORMED_DATA);
  });
});

describe('S14 the limits of one user', () => {
  it('are 256 sessions: a further login ends the least recently used, and no login of another user does', async () => {
    await open({ logins: AMPLE, devicesPerUser: 1_000 });
    const [first, second] = [await fixture.device('carol', 'c-1'), await fixture.device('carol', 'c-2')];
    for (let at = 3; at <= 256; at += 1) await fixture.device('carol', `c-${at}`);
    for (let at = 1; at <= 300; at += 1) await fixture.device('dave', `d-${at}`);
    expect(second.code('unended_calls', {})).toBe(0);
    await fixture.device('carol', 'c-257');
    expect([first, second].map((device) => device.code('unended_calls', {}))).toEqual([
      ErrorCode.USER_NOT_AUTHENTICATED,
      0,
    ]);
    // A client that logs in again has one session, as before.
    await fixture.device('carol', 'c-257');
    await fixture.device('carol', 'c-258');
    expect(second.code('unended_calls', {})).toBe(0);
  });

  it('are a hundred live calls as the caller', async () => {
    await open({ dials: AMPLE });
    const carol = await fixture.device('carol');
    const calls = Array.from({ length: 100 }, () => alice.dial('bob'));
    expect(dialCode()).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
    // Calls that others dialled do not count.
    carol.dial('alice');
    alice.send('cancel', { call_id: calls[0] ?? '' });
    expect([dialCode(), dialCode()]).toEqual([0, ErrorCode.ERR_SERVER_INTERNAL_ERROR]);
  });
});

describe('the times of the exchange', () => {
  it('HTTP-02 S08 a session expires a day after its last use, by a frame or a request, whatever the wall clock says', async () => {
    fixture.clock.advance(86_400_000 - 1);
    expect(alice.code('heartbeat', {})).toBe(0);
    fixture.clock.advance(86_400_000 - 1);
    fixture.clock.set(86_400_000);
    const query = { call_ids: 'x' };
    const ask = () => fixture.http('GET', '/v1/direct_calls/missed_signal', { query, headers: alice.headers });
    expect((await ask()).status).toBe(200);
    fixture.clock.advance(86_400_000 - 1);
    expect(alice.code('unended_calls', {})).toBe(0);
    fixture.clock.advance(86_400_000);
    expect(alice.code('unended_calls', {})).toBe(ErrorCode.USER_NOT_AUTHENTICATED);
    expect((await ask()).status).toBe(401);
  });

  it('the exchange ends a ringing call after five minutes, and one in setup five minutes after the accept', () => {
    const ringing = alice.dial('bob');
    keepAlive(ringing, 300_000 - 1);
    expect(alice.told).toBeUndefined();
    fixture.clock.advance(1);
    expect(alice.told).toBe('no_answer');
    const slow = alice.dial('bob');
    bob.accept(slow);
    keepAlive(slow, 300_000 - 1);
    expect(fixture.exchange.liveCalls).toHaveLength(1);
    fixture.clock.advance(1);
    expect([alice.told, bob.told]).toEqual(['timed_out', 'timed_out']);
  });
});

describe('the stores of the exchange', () => {
  it('keep two thousand ended calls', async () => {
    await open({ dials: AMPLE, messages: AMPLE, sent: AMPLE });
    const end = () => {
      const call_id = alice.dial('bob');
      alice.code('cancel', { call_id });
      return call_id;
    };
    const first = end();
    for (let at = 1; at < 2_000; at += 1) end();
    expect(fixture.exchange.records[0]?.callId).toBe(first);
    end();
    expect([fixture.exchange.records.length, fixture.exchange.records[0]?.callId === first]).toEqual([2_000, false]);
  });

  it('keep five hundred signals of a leg, and 128 answers of a device', async () => {
    await open({ messages: AMPLE });
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    const frame = JSON.stringify(bob.frame('hold', { call_id, is_on_hold: true, was_relayed: false }, 'first'));
    const holds = () => alice.types.filter((type) => type === 'hold').length;
    bob.receive(frame);
    const change = (times: number) => {
      for (let at = 0; at < times; at += 1) bob.send('audio', { call_id, is_enabled: true });
    };
    change(127);
    bob.receive(frame);
    expect(holds()).toBe(1);
    change(1);
    bob.receive(frame);
    expect(holds()).toBe(2);
    change(872);
    const query = { call_ids: call_id };
    const { body } = await fixture.http('GET', '/v1/direct_calls/missed_signal', { query, headers: alice.headers });
    // One accept, two holds, and a thousand changes of audio.
    expect([body.signals.length, body.signals.at(-1).sequence_number]).toEqual([500, 1_003]);
  });

  it('keep two thousand statistics, and five thousand lines of logs', async () => {
    await open({ requestFactor: 10 });
    const call_id = alice.dial('bob');
    const log_data = { ...golden.stats.log_data, call_id };
    for (let at = 0; at <= 2_000; at += 1) {
      const body = { log_group: 'call_stats', log_data: { ...log_data, device_timestamp: at } };
      await fixture.http('POST', '/v1/sdk/logs', { headers: alice.headers, body });
    }
    const stats = fixture.exchange.statsLogsOf(call_id);
    expect([stats.length, stats[0]?.device_timestamp]).toEqual([2_000, 1]);
    const logs = Array.from({ length: 500 }, () => golden.debug.logs[0]);
    for (let at = 0; at < 11; at += 1) {
      await fixture.http('POST', '/v1/sdk/debug_logs', { headers: alice.headers, body: { ...golden.debug, logs } });
    }
    expect(fixture.exchange.debugLogsOf('alice')).toHaveLength(5_000);
  });
});

describe('the memory of the exchange', () => {
  it('S16 has limits in characters', () => {
    expect(DEFAULT_SETTINGS).toMatchObject({
      signalCharsPerLeg: 262_144,
      endedSignalChars: 16_384,
      missedSignalChars: 786_432,
      answerCharsPerDevice: 524_288,
      answerChars: 134_217_728,
      answerMs: 300_000,
    });
  });
});
