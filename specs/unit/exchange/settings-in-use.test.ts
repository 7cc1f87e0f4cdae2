/** Each default of the exchange where it is kept to: at its bound, and one beyond it. */
import { beforeEach, describe, expect, it } from 'vitest';
import golden from '../../../fixtures/wire/logs.json' with { type: 'json' };
import { AV, createHouse, type Device, type House } from './house.ts';

/** Budgets that no test here uses up by the way. */
const AMPLE = { burst: 1_000_000, perSecond: 1 };

let house: House;
let alice: Device;
let bob: Device;

async function open(settings: NonNullable<Parameters<typeof createHouse>[0]>['settings'] = {}): Promise<void> {
  house = createHouse({ settings });
  alice = await house.device('alice');
  bob = await house.device('bob');
}
beforeEach(() => open());

const dialCode = () => alice.code('dial', { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] });
const codes = (count: number, ask: () => number) => Array.from({ length: count }, ask);
const keepAlive = (call_id: string, ms: number) => {
  for (let left = ms; left > 0; left -= 30_000) {
    for (const device of [alice, bob]) device.send('alive', { call_id });
    house.clock.advance(Math.min(30_000, left));
  }
};

describe('S14 the budgets of the exchange', () => {
  it('let a user dial sixty times at once, and four times a second after that', () => {
    expect(new Set(codes(60, dialCode))).toEqual(new Set([0]));
    expect(dialCode()).toBe(1400999);
    house.clock.advance(249);
    expect(dialCode()).toBe(1400999);
    house.clock.advance(1);
    expect([dialCode(), dialCode()]).toEqual([0, 1400999]);
  });

  it('let a user log in 120 times at once, and four times a second after that', async () => {
    const login = async () => {
      const body = { app_id: 'ringback-demo', user_id: 'carol' };
      const headers = { 'x-client-id': 'c' };
      return (await house.http('POST', '/v1/users/carol/login', { headers, body })).status;
    };
    const first = new Set<number>();
    for (let at = 0; at < 120; at += 1) first.add(await login());
    expect([[...first], await login()]).toEqual([[200], 429]);
    house.clock.advance(249);
    expect(await login()).toBe(429);
    house.clock.advance(1);
    expect([await login(), await login()]).toEqual([200, 429]);
  });

  it('let a socket send four hundred messages at once, and a hundred a second after that', () => {
    for (let at = 0; at < 400; at += 1) alice.send('unended_calls', {});
    house.clock.advance(10);
    alice.send('unended_calls', {});
    house.clock.advance(1_000);
    for (let at = 0; at < 100; at += 1) alice.send('unended_calls', {});
    expect(alice.closes).toEqual([]);
    house.clock.advance(9);
    alice.receive('x');
    expect(alice.closes).toEqual([1008]);
  });
});

describe('the times of the exchange', () => {
  it('S08 a session lasts a day', () => {
    house.clock.advance(86_400_000 - 1);
    expect(alice.code('unended_calls', {})).toBe(0);
    house.clock.advance(1);
    expect(alice.code('unended_calls', {})).toBe(1800303);
  });

  it('it ends a call that rings after five minutes, and one that is set up five minutes after the accept', () => {
    const ringing = alice.dial('bob');
    keepAlive(ringing, 300_000 - 1);
    expect(alice.told).toBeUndefined();
    house.clock.advance(1);
    expect(alice.told).toBe('no_answer');
    const slow = alice.dial('bob');
    bob.accept(slow);
    keepAlive(slow, 300_000 - 1);
    expect(house.exchange.liveCalls).toHaveLength(1);
    house.clock.advance(1);
    expect([alice.told, bob.told]).toEqual(['timed_out', 'timed_out']);
  });
});

describe('what the exchange keeps', () => {
  it('are two thousand calls that ended', async () => {
    await open({ dials: AMPLE, messages: AMPLE });
    const end = () => {
      const call_id = alice.dial('bob');
      alice.code('cancel', { call_id });
      return call_id;
    };
    const first = end();
    for (let at = 1; at < 2_000; at += 1) end();
    expect(house.exchange.records[0]?.callId).toBe(first);
    end();
    expect([house.exchange.records.length, house.exchange.records[0]?.callId === first]).toEqual([2_000, false]);
  });

  it('are five hundred signals of a leg, and a thousand answers of a device', async () => {
    await open({ messages: AMPLE });
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    const frame = JSON.stringify(bob.frame('alive', { call_id }, 'first'));
    bob.receive(frame);
    const first = bob.replies.at(-1);
    for (let at = 0; at < 999; at += 1) bob.send('audio', { call_id, is_enabled: true });
    house.clock.advance(1_000);
    bob.receive(frame);
    expect(bob.replies.at(-1)).toEqual(first);
    bob.send('audio', { call_id, is_enabled: true });
    bob.receive(frame);
    expect(bob.replies.at(-1)).not.toEqual(first);
    const query = { call_ids: call_id };
    const { body } = await house.http('GET', '/v1/direct_calls/missed_signal', { query, headers: alice.headers });
    // One accept, and a thousand changes of audio.
    expect([body.signals.length, body.signals.at(-1).sequence_number]).toEqual([500, 1_001]);
  });

  it('are two thousand statistics, and five thousand lines of logs', async () => {
    const call_id = alice.dial('bob');
    const log_data = { ...golden.stats.log_data, call_id };
    for (let at = 0; at <= 2_000; at += 1) {
      const body = { log_group: 'call_stats', log_data: { ...log_data, device_timestamp: at } };
      await house.http('POST', '/v1/sdk/logs', { headers: alice.headers, body });
    }
    const stats = house.exchange.statsLogsOf(call_id);
    expect([stats.length, stats[0]?.device_timestamp]).toEqual([2_000, 1]);
    const logs = Array.from({ length: 500 }, () => golden.debug.logs[0]);
    for (let at = 0; at < 11; at += 1) {
      await house.http('POST', '/v1/sdk/debug_logs', { headers: alice.headers, body: { ...golden.debug, logs } });
    }
    expect(house.exchange.debugLogsOf('alice')).toHaveLength(5_000);
  });
});
