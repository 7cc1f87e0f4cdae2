/** Requests over HTTP at their limits, and the contents of a refusal. */
import { beforeEach, describe, expect, it } from 'vitest';
import golden from '../../../fixtures/wire/logs.json' with { type: 'json' };
import { LIMITS } from '../../../src/protocol/limits.ts';
import { isCallingPath } from '../../../sim/exchange/http/routes.ts';
import { MemoryStore } from '../../../sim/store/memory-store.ts';
import { AV, createExchangeFixture, type Device, type ExchangeFixture } from './exchange-fixture.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

let fixture: ExchangeFixture;
let store: MemoryStore;
let alice: Device;
let bob: Device;

async function open(options: Parameters<typeof createExchangeFixture>[0] = {}): Promise<void> {
  store = new MemoryStore();
  fixture = createExchangeFixture({ store, ...options });
  alice = await fixture.device('alice');
  bob = await fixture.device('bob');
}
beforeEach(() => open());

const invalid = (param: string) => ({
  status: 400,
  body: { code: ErrorCode.INVALID_PARAMETER_VALUE, message: `${param} is an invalid or empty value.` },
});
const UNAUTHENTICATED = {
  status: 401,
  body: { code: ErrorCode.USER_NOT_AUTHENTICATED, message: 'The user is not authenticated.' },
};

describe('paths', () => {
  it('begin with /v1/', () => {
    expect(['/v1/x', '/v1/', '/v1', '/v10/x', '/x/v1/'].map(isCallingPath)).toEqual([true, true, false, false, false]);
  });

  it.each([
    ['GET', '/v1/nothing', 404, ErrorCode.ERR_REQUEST_FAILED],
    ['GET', '/v1/users/alice', 404, ErrorCode.ERR_REQUEST_FAILED],
    ['GET', '/v1/users/alice/calls/x', 404, ErrorCode.ERR_REQUEST_FAILED],
    ['POST', '/v1/users/alice/calls', 405, ErrorCode.ERR_REQUEST_FAILED],
    ['get', '/v1/users/alice/calls', 405, ErrorCode.ERR_REQUEST_FAILED],
  ])('%s %s is answered with %d and a message', async (method, path, status, code) => {
    const answer = await fixture.http(method, path, { headers: alice.headers });
    expect(answer).toEqual({ status, body: { code, message: expect.stringMatching(/^There is no|^The path/) } });
  });

  it('are decoded segment by segment, and a segment that cannot be decoded is refused', async () => {
    expect(await fixture.http('POST', '/v1/users/%E0%A4%A/login')).toEqual(invalid('path'));
    const { status } = await fixture.http('GET', '/v1/users/%61lice/calls', { headers: alice.headers });
    expect(status).toBe(200);
  });
});

describe('a NUL character, which PostgreSQL does not store,', () => {
  it.each<[string, string, string, string, object?]>([
    ['POST', '/v1/direct_calls/a%00b/summary', '', 'call_id', {}],
    ['PUT', '/v1/direct_calls/a%00b/custom_items', '', 'call_id', { custom_items: { a: '1' }, mode: 'upsert' }],
    ['DELETE', '/v1/direct_calls/a%00b/custom_items', '', 'call_id'],
    ['GET', '/v1/direct_calls/missed_signal', 'call_ids', 'call_ids'],
    ['GET', '/v1/users/alice/calls', 'next', 'next'],
    ['DELETE', '/v1/users/alice/push/fcm_voip/a%00b', '', 'push_token'],
    ['GET', '/v1/rooms/a%00b', '', 'room_id'],
    ['POST', '/v1/rooms/a%00b/invitation', '', 'room_id', { invitee_id: 'bob' }],
    ['PUT', '/v1/rooms/r/participants/a%00b/audio', '', 'participant_id', { on: true }],
    ['DELETE', '/v1/rooms/r/participants/p/endpoints/a%00b', '', 'endpoint_id'],
  ])('is refused in %s %s%s, and no store reads it', async (method, path, name, param, body) => {
    const headers = alice.headers;
    const query = name === '' ? {} : { [name]: 'a\0b' };
    expect(await fixture.http(method, path, { headers, query, body })).toEqual(invalid(param));
  });

  it.each(['alive', 'end'] as const)('is refused in the call id of the command %s', (type) => {
    expect(alice.send(type, { call_id: 'a\0b' }).error).toMatchObject({ code: ErrorCode.INVALID_PARAMETER_VALUE });
  });
});

describe('the user of a request', () => {
  const who = (headers: Record<string, string>) =>
    fixture.http('GET', '/v1/direct_calls/missed_signal', { query: { call_ids: 'x' }, headers });

  it('is found by the session token and the client id together', async () => {
    expect(await who({ 'x-client-id': alice.clientId })).toEqual(UNAUTHENTICATED);
    expect(await who({ 'x-session-token': alice.token })).toEqual(UNAUTHENTICATED);
    expect(await who({ 'x-session-token': bob.token, 'x-client-id': alice.clientId })).toEqual(UNAUTHENTICATED);
    expect(await who(alice.headers)).toMatchObject({ status: 200 });
  });

  it('B67 may query fifty calls at once, each counted once', async () => {
    const ask = (call_ids: string) =>
      fixture.http('GET', '/v1/direct_calls/missed_signal', { query: { call_ids }, headers: alice.headers });
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join(',');
    expect(await ask(ids(50))).toEqual({ status: 200, body: { signals: [] } });
    expect(await ask(`${ids(50)},c1,c2,`)).toMatchObject({ status: 200 });
    expect(await ask(ids(51))).toEqual(invalid('call_ids'));
    const none = await fixture.http('GET', '/v1/direct_calls/missed_signal', { headers: alice.headers });
    expect(none).toEqual(invalid('call_ids'));
  });
});

describe('a login', () => {
  const login = (body: unknown, clientId: string | null = 'phone') =>
    fixture.http('POST', '/v1/users/carol/login', {
      headers: clientId === null ? {} : { 'x-client-id': clientId },
      body,
    });
  const right = { app_id: 'ringback-demo', user_id: 'carol' };

  it('B54 is refused with the name of its faulty part', async () => {
    expect(await login(undefined)).toEqual(invalid('body'));
    expect(await login({ ...right, user_id: 'dave' })).toEqual(invalid('user_id'));
    for (const clientId of [null, '', 'x'.repeat(129)])
      expect(await login(right, clientId)).toEqual(invalid('x-client-id'));
    expect(await login(right, 'x'.repeat(128))).toMatchObject({ status: 200 });
    const refused = await login({ ...right, app_id: 'other' });
    expect(refused).toEqual({
      status: 401,
      body: { code: ErrorCode.USER_NOT_AUTHENTICATED, message: expect.stringContaining('is wrong') },
    });
  });

  it('B55 is refused above the limit, with the cause', async () => {
    await open({ settings: { logins: { burst: 1, perSecond: 1 } } });
    await login(right);
    expect(await login(right)).toEqual({
      status: 429,
      body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: expect.stringContaining('Too many') },
      headers: { 'retry-after': '1' },
    });
  });

  it('passes the access token to the host, or null without one', async () => {
    const asked: unknown[] = [];
    fixture = createExchangeFixture({ policy: { mayLogIn: (...one) => asked.push(one) > 0 } });
    await login(right);
    await login({ ...right, access_token: 'a' });
    expect(asked).toEqual([
      ['carol', null],
      ['carol', 'a'],
    ]);
  });
});

describe('a command by HTTP', () => {
  const post = (body: unknown, headers: Record<string, string> = alice.headers) =>
    fixture.http('POST', '/v1/action/direct_call', { headers, body });

  it('HTTP-25 is refused with the name of the error', async () => {
    const frame = alice.frame('unended_calls', {});
    expect(await post(frame, {})).toEqual(UNAUTHENTICATED);
    expect(await post(frame, { 'x-short-lived-token': 'forged' })).toEqual(UNAUTHENTICATED);
    expect(await post(null)).toMatchObject({ status: 400, body: { code: ErrorCode.ERR_MALFORMED_DATA } });
    const payload = { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] };
    await post(alice.frame('dial', payload, 'r1'));
    expect(await post(alice.frame('unended_calls', {}, 'r1'))).toEqual({
      status: 409,
      body: { code: ErrorCode.INVALID_PARAMETER_VALUE, message: 'request_id is an invalid or empty value.' },
    });
  });
});

describe('a token that was never issued', () => {
  it('S11 S18: is refused before the frame of the request is read', async () => {
    const fresh = createExchangeFixture();
    const read: string[] = [];
    const body = new Proxy({}, { get: (_, key) => void read.push(String(key)), has: () => true });
    const headers = { 'x-short-lived-token': 'made-up', 'x-client-id': 'c' };
    expect((await fresh.http('POST', '/v1/action/direct_call', { headers, body })).status).toBe(401);
    expect(read).toEqual([]);
  });
});

describe('a request that fails', () => {
  it('gets the answer by which the host explains the failure, and 500 without one', async () => {
    const down = { status: 503, body: { message: 'the database is down' } };
    const explained: unknown[] = [];
    const database = new MemoryStore();
    database.history = () => Promise.reject(new Error('lost'));
    const made = createExchangeFixture({
      store: database,
      policy: {
        explain: async (error) => {
          explained.push((error as Error).message);
          return explained.length === 1 ? down : null;
        },
      },
    });
    const device = await made.device('alice');
    const history = () => made.http('GET', '/v1/users/alice/calls', { headers: device.headers });
    expect(await history()).toMatchObject(down);
    expect((await history()).status).toBe(500);
    // A refusal is no failure.
    expect((await made.http('GET', '/v1/users/alice/calls', { headers: {} })).status).toBe(401);
    expect(explained).toEqual(['lost', 'lost']);
  });
});

describe('push tokens', () => {
  it('are not in the log when the store fails, because the log has the name of the request and not its path', async () => {
    store.removePushToken = () => Promise.reject(new Error('full'));
    const answer = await fixture.http('DELETE', '/v1/users/alice/push/fcm_voip/secret-token', {
      headers: alice.headers,
    });
    expect(answer.status).toBe(500);
    expect(fixture.log.at(-1)?.fields).toMatchObject({ request: 'unregisterPushToken' });
    expect(JSON.stringify(fixture.log)).not.toContain('secret-token');
  });

  it('HTTP-21 that do not exist are refused as not found', async () => {
    const gone = await fixture.http('DELETE', '/v1/users/alice/push/fcm_voip/none', { headers: alice.headers });
    expect(gone).toEqual({
      status: 404,
      body: { code: ErrorCode.ERR_REQUEST_FAILED, message: expect.stringContaining('no such') },
    });
  });
});

describe('a summary', () => {
  const data = {
    end_result: 'completed',
    pdd: 80,
    setup_time: 300,
    reconnection_count: 0,
    network_type: null,
    candidate_type: 'host',
    audio: { codec: 'opus', mos_list: [4.4], mos: 4.4, packet_loss_rate: 0, rtt: 12 },
    video: null,
    stats_interval: 3,
  };
  const send = (device: Device, call_id: string, user_role: string, more: object = {}) =>
    fixture.http('POST', `/v1/direct_calls/${call_id}/summary`, {
      headers: device.headers,
      body: { version: 1, user_role, summary_data: { ...data, ...more } },
    });

  it('HTTP-28 B65 is stored at its first request, and an invalid one is refused with the name of its field', async () => {
    const saved: unknown[] = [];
    store.saveSummary = async (...one) => void saved.push(one);
    const call_id = alice.dial('bob');
    expect(await send(alice, call_id, 'dc_callee')).toEqual(invalid('user_role'));
    expect(await send(bob, call_id, 'dc_caller')).toEqual(invalid('user_role'));
    expect(await send(alice, 'none', 'dc_caller')).toEqual({
      status: 404,
      body: { code: ErrorCode.ERR_CALL_DOES_NOT_EXIST, message: '' },
    });
    await send(alice, call_id, 'dc_caller');
    await send(alice, call_id, 'dc_caller', { pdd: 1 });
    await send(bob, call_id, 'dc_callee');
    await fixture.exchange.kept();
    const device = (userId: string) => ({ userId, clientId: `${userId}-1` });
    expect(saved).toEqual([
      [call_id, device('alice'), { version: 1, user_role: 'dc_caller', summary_data: data }],
      [call_id, device('bob'), { version: 1, user_role: 'dc_callee', summary_data: data }],
    ]);
    expect(fixture.exchange.summariesOf('none')).toEqual([]);
  });

  it('S13 S18 with more scores than the seconds of the call plus a minute is refused', async () => {
    const call_id = alice.dial('bob');
    fixture.clock.advance(40_000);
    const scores = (count: number) => ({ audio: { ...data.audio, mos_list: Array.from({ length: count }, () => 4) } });
    expect(await send(alice, call_id, 'dc_caller', scores(101))).toEqual(invalid('summary_data.audio.mos_list'));
    // The wall clock is set forward, and back.
    fixture.clock.set(3_600_000);
    expect(await send(alice, call_id, 'dc_caller', scores(101))).toEqual(invalid('summary_data.audio.mos_list'));
    fixture.clock.set(-7_200_000);
    expect(await send(bob, call_id, 'dc_callee', scores(100))).toMatchObject({ status: 200 });
    fixture.clock.set(3_600_000);
    alice.send('cancel', { call_id });
    fixture.clock.advance(40_000);
    expect(await send(alice, call_id, 'dc_caller', scores(101))).toEqual(invalid('summary_data.audio.mos_list'));
    expect(await send(alice, call_id, 'dc_caller', scores(100))).toMatchObject({ status: 200 });
  });
});

describe('custom items of a call that ended', () => {
  const put = (call_id: string, custom_items: unknown) =>
    fixture.http('PUT', `/v1/direct_calls/${call_id}/custom_items`, {
      headers: alice.headers,
      body: { custom_items, mode: 'upsert' },
    });
  const ended = async () => {
    const call_id = alice.dial('bob');
    alice.code('cancel', { call_id });
    await fixture.exchange.kept();
    return call_id;
  };

  it('ENT-10 are changed though another exchange changes them nine times meanwhile, and not after the tenth', async () => {
    const call_id = await ended();
    const { replaceCustomItems } = store;
    let others = 9;
    store.replaceCustomItems = async (...one) => {
      others -= 1;
      return others < 0 ? replaceCustomItems.apply(store, one) : false;
    };
    expect(await put(call_id, { a: '1' })).toMatchObject({ status: 200, body: { custom_items: { a: '1' } } });
    expect(bob.types.at(-1)).toBe('custom_items_update');
    others = 10;
    expect(await put(call_id, { a: '2' })).toEqual({
      status: 500,
      body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: '' },
    });
    expect((await put(call_id, {})).body.custom_items).toEqual({ a: '1' });
  });
});

describe('lines of a log', () => {
  it('LOG-03 B63 are stored whole up to a thousand characters', async () => {
    const log_message = 'x'.repeat(LIMITS.logMessageChars);
    const logs = [{ ...golden.debug.logs[0], log_message }];
    const body = { ...golden.debug, logs };
    expect(await fixture.http('POST', '/v1/sdk/debug_logs', { headers: alice.headers, body })).toMatchObject({
      status: 200,
    });
    expect(fixture.exchange.debugLogsOf('alice')[0]?.log_message).toBe(log_message);
  });
});
