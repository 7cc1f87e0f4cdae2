import { beforeEach, describe, expect, it } from 'vitest';
import golden from '../../../fixtures/wire/logs.json' with { type: 'json' };
import { createExchangeFixture, type Device, type ExchangeFixture } from './exchange-fixture.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const STATS = '/v1/sdk/logs';
const DEBUG = '/v1/sdk/debug_logs';
const { log_data } = golden.stats;

let fixture: ExchangeFixture;
let alice: Device;
let bob: Device;
beforeEach(async () => {
  fixture = createExchangeFixture({ settings: { statsLogs: 3, debugLogs: 700 } });
  [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
});

const refused = (param: string) => ({
  status: 400,
  body: { code: ErrorCode.INVALID_PARAMETER_VALUE, message: `${param} is an invalid or empty value.` },
});

describe('the statistics of a call', () => {
  const send = (from: Device, more: Record<string, unknown>, group = 'call_stats') =>
    fixture.http('POST', STATS, {
      headers: from.headers,
      body: { log_group: group, log_data: { ...log_data, ...more } },
    });

  it('HTTP-23 ST-05 are accepted from both sides and stored with their sender', async () => {
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    expect(await send(alice, { call_id })).toEqual({ status: 200, body: {} });
    alice.code('end', { call_id });
    expect(await send(bob, { call_id, role: 'dc_callee' })).toEqual({ status: 200, body: {} });
    expect(fixture.exchange.statsLogsOf(call_id)).toEqual([
      { ...log_data, call_id, userId: 'alice', clientId: 'alice-1' },
      { ...log_data, call_id, role: 'dc_callee', userId: 'bob', clientId: 'bob-1' },
    ]);
  });

  it('HTTP-23 ST-05 are refused with the name of a field that is missing, unknown or of another type', async () => {
    const call_id = alice.dial('bob');
    for (const field of Object.keys(log_data)) {
      expect(await send(alice, { call_id, [field]: undefined })).toEqual(refused(`log_data.${field}`));
    }
    expect(await send(alice, { call_id, extra: 1 })).toEqual(refused('log_data.extra'));
    expect(await send(alice, { call_id }, 'other')).toEqual(refused('log_group'));
    for (const metadata of [{ interval: 3 }, { measure_count: 3 }]) {
      expect(await send(alice, { call_id, metadata })).toMatchObject({ status: 400 });
    }
    for (const interval of [0, 61, '3', Number.NaN]) {
      expect(await send(alice, { call_id, metadata: { measure_count: 3, interval } })).toEqual(
        refused('log_data.metadata.interval'),
      );
    }
    expect(await send(alice, { call_id, metadata: { measure_count: 1.5, interval: 3 } })).toEqual(
      refused('log_data.metadata.measure_count'),
    );
    expect(fixture.exchange.statsLogsOf(call_id)).toEqual([]);
  });

  it('HTTP-23 are refused when they contradict the call', async () => {
    const call_id = alice.dial('bob');
    for (const wrong of [
      { app_id: 'another' },
      { role: 'dc_callee' },
      { caller_id: 'bob' },
      { callee_id: 'carol' },
      { is_video_call: false },
    ]) {
      expect(await send(alice, { call_id, ...wrong })).toEqual(refused(`log_data.${Object.keys(wrong)[0] ?? ''}`));
    }
  });

  it('HTTP-23 S20 are refused equally for a call of other users and for an unknown call, and always without a session', async () => {
    const call_id = alice.dial('bob');
    const carol = await fixture.device('carol');
    const answer = await send(carol, { call_id });
    expect(answer).toMatchObject({ status: 404, body: { code: ErrorCode.ERR_CALL_DOES_NOT_EXIST } });
    expect(await send(carol, { call_id: 'none' })).toEqual(answer);
    expect(await fixture.http('POST', STATS, { body: golden.stats })).toMatchObject({ status: 401 });
  });

  it('B52 with a score of 99 or -1 are clamped to the scale, and with a score that is no number are refused', async () => {
    const call_id = alice.dial('bob');
    for (const mos of [99, -1, null]) expect(await send(alice, { call_id, mos })).toMatchObject({ status: 200 });
    expect(await send(alice, { call_id, mos: Number.NaN })).toEqual(refused('log_data.mos'));
    expect(fixture.exchange.statsLogsOf(call_id).map(({ mos }) => mos)).toEqual([4.5, 1, null]);
  });

  it('are stored up to the limit, and the newest are kept', async () => {
    const call_id = alice.dial('bob');
    for (let at = 1; at <= 5; at += 1) await send(alice, { call_id, device_timestamp: at });
    expect(fixture.exchange.statsLogsOf(call_id).map(({ device_timestamp }) => device_timestamp)).toEqual([3, 4, 5]);
  });
});

describe('the log of a client', () => {
  const [line] = golden.debug.logs;
  const send = (logs: readonly unknown[], more: Record<string, unknown> = {}) =>
    fixture.http('POST', DEBUG, { headers: alice.headers, body: { ...golden.debug, logs, ...more } });

  it('HTTP-24 LOG-04 is accepted and stored with its owner', async () => {
    expect(await send([line])).toEqual({ status: 200, body: {} });
    expect(fixture.exchange.debugLogsOf('alice')).toEqual([{ ...line, userId: 'alice', clientId: 'alice-1' }]);
    expect(fixture.exchange.debugLogsOf('bob')).toEqual([]);
    expect(await fixture.http('POST', DEBUG, { body: golden.debug })).toMatchObject({ status: 401 });
  });

  it('HTTP-24 LOG-02 B63 is refused with more than 500 lines', async () => {
    const lines = (count: number) => Array.from({ length: count }, () => line);
    expect(await send(lines(501))).toEqual(refused('logs'));
    expect(fixture.exchange.debugLogsOf('alice')).toEqual([]);
    expect(await send(lines(500))).toMatchObject({ status: 200 });
    expect(await send(lines(500))).toMatchObject({ status: 200 });
    expect(fixture.exchange.debugLogsOf('alice')).toHaveLength(700);
  });

  it.each([
    ['logs.0.log_level', { log_level: 'FATAL' }],
    ['logs.0.log_level', { log_level: 'NONE' }],
    ['logs.0.log_level', { log_level: undefined }],
    ['logs.0.log_dt', { log_dt: '2026-01-01T00:00:03.008Z' }],
    ['logs.0.log_dt', { log_dt: undefined }],
    ['logs.0.log_message', { log_message: 'x'.repeat(1_001) }],
    ['logs.0.log_message', { log_message: 7 }],
    ['logs.0.extra', { extra: 1 }],
  ])('HTTP-24 LOG-03 LOG-04 B63 is refused for %s where a line has %o', async (place, more) => {
    expect(await send([{ ...line, ...more }])).toEqual(refused(place));
    expect(fixture.exchange.debugLogsOf('alice')).toEqual([]);
  });

  it('HTTP-24 LOG-04 is refused without its version or without the flag of lost lines', async () => {
    expect(await send([line], { version: '1' })).toEqual(refused('version'));
    expect(await send([line], { is_overflow_logs: 'no' })).toEqual(refused('is_overflow_logs'));
    expect(await send([line], { is_overflow_logs: undefined })).toEqual(refused('is_overflow_logs'));
  });

  it('LOG-01 B63 is stored without control characters and without secrets, whatever a client sends', async () => {
    await send([{ ...line, log_message: 'a\r\nb\u001b[31m\u0000 token=s3cret from 10.20.30.40' }]);
    expect(fixture.exchange.debugLogsOf('alice').map(({ log_message }) => log_message)).toEqual([
      String.raw`a\u000d\u000ab\u001b[31m\u0000 token=*** from ***`,
    ]);
  });
});

describe('the level of the uploaded log', () => {
  it('PAY-18 is sent to every connected device of the user, and to those that connect later', async () => {
    const other = await fixture.device('alice', 'alice-2');
    fixture.exchange.setUploadLevel('alice', 'INFO');
    fixture.exchange.setUploadLevel('alice', 'DEBUG');
    const late = await fixture.device('alice', 'alice-3');
    const levels = (device: Device) =>
      device.events.flatMap(({ type, payload }) => (type === 'log_level' && 'level' in payload ? payload.level : []));
    expect([alice, other, late, bob].map(levels)).toEqual([['INFO', 'DEBUG'], ['INFO', 'DEBUG'], ['DEBUG'], []]);
  });
});
