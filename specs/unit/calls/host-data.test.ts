import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../sim/faults/message.ts';
import type { ExchangeRequest } from '../../../sim/virtual/exchange-door.ts';
import { TokenType } from '../../../src/calls/host/public-enumerations.ts';
import { DirectCallUser } from '../../../src/calls/direct-call/call-identity.ts';
import { DirectCallLogListQuery } from '../../../src/calls/direct-call/call-log-query.ts';
import { DirectCallEndResult, DirectCallLog } from '../../../src/calls/direct-call/direct-call-log.ts';
import type { CustomItemsAnswer, HistoryAnswer } from '../../../src/protocol/http.ts';
import { callWorld, type CallWorld, type MediaPeer } from './support/call-world.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/** History, custom items, push tokens and webhooks: the requests of a host, and the answers of the exchange. */
const VOICE = { isVideoCall: false, callOption: {} };
const user = (user_id: string) => ({ user_id, nickname: user_id, profile_url: '', metadata: {}, is_active: true });
const refusal = (code: number, param?: string) => expect.objectContaining(param ? { code, param } : { code });

/** Answers some requests instead of the exchange, and records them. */
function answering(world: CallWorld, path: RegExp, answer: (request: ExchangeRequest) => Answer) {
  const { exchange } = world.world;
  const http = exchange.http.bind(exchange);
  const asked: ExchangeRequest[] = [];
  exchange.http = async (request) => {
    if (!path.test(request.path)) return http(request);
    asked.push(request);
    return { body: undefined, ...answer(request) };
  };
  return asked;
}

describe('the call history', () => {
  type CallRecord = HistoryAnswer['calls'][number];

  const record = (facts: Partial<CallRecord> = {}): CallRecord => ({
    call_id: 'call-1',
    call_type: 'direct',
    is_video_call: true,
    custom_items: { topic: 'dinner' },
    user_role: 'dc_callee',
    participants: [
      { ...user('bob'), role: 'dc_caller' },
      { ...user('alice'), role: 'dc_callee' },
    ],
    started_at: 1_000,
    ended_at: 4_000,
    ended_by: 'bob',
    duration: 3_000,
    end_result: 'completed',
    ...facts,
  });

  const empty: HistoryAnswer = { calls: [], next: null, has_next: false };

  async function alone(answer: (request: ExchangeRequest) => Answer = () => ({ status: 200, body: empty })) {
    const world = await callWorld();
    const alice = await world.party('alice');
    const asked = answering(world, /\/calls$/, answer);
    return { world, alice, asked, query: alice.client.createDirectCallLogListQuery.bind(alice.client) };
  }

  it('host 16: a new query has a next page, and none after the last', async () => {
    const { world, query } = await alone();
    const list = query();
    expect([list.hasNext, list.isLoading]).toEqual([true, false]);
    const page = list.next();
    expect([list.hasNext, list.isLoading]).toEqual([true, true]);
    expect(await world.done(page)).toEqual([]);
    expect([list.hasNext, list.isLoading]).toEqual([false, false]);
  });

  it('ENT-16 HTTP-19: pages follow the cursor; after the last page no request is sent', async () => {
    const { world, asked, query } = await alone(({ query: { next } }) => ({
      status: 200,
      body: { calls: [record({ call_id: next ?? 'newest' })], next: next ? null : 'c2', has_next: !next },
    }));
    const list = query();
    const ids = async () => (await world.done(list.next())).map(({ callId }) => callId);
    expect([await ids(), list.hasNext]).toEqual([['newest'], true]);
    expect([await ids(), list.hasNext]).toEqual([['c2'], false]);
    expect(await ids()).toEqual([]);
    expect(asked.map(({ path, query: { next } }) => [path, next])).toEqual([
      ['/v1/users/alice/calls', undefined],
      ['/v1/users/alice/calls', 'c2'],
    ]);
  });

  it('ENT-15: an unanswered call started when it was dialled, for both sides, while it lives and after', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const dialledAt = world.world.clock.wallTime();
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    const rung = bob.rung();
    expect([call.callLog.startedAt, call.callLog.duration, call.callLog.endedAt]).toEqual([dialledAt, 0, null]);
    await world.advance(61_000);
    expect([call.endResult, rung.endResult]).toEqual(['NO_ANSWER', 'NO_ANSWER']);
    expect([call.callLog.startedAt, call.callLog.duration]).toEqual([dialledAt, 0]);
    expect(rung.callLog.startedAt - dialledAt).toBeLessThan(1_000);
    expect([rung.callLog.startedAt >= dialledAt, rung.callLog.duration]).toEqual([true, 0]);
    for (const party of [alice, bob]) {
      const [log] = await world.done(party.client.createDirectCallLogListQuery().next());
      expect([log?.endResult, log?.duration]).toEqual(['NO_ANSWER', 0]);
      expect(Math.abs((log?.startedAt ?? 0) - dialledAt)).toBeLessThan(1_000);
    }
  });

  it('ENT-15: an answered call started when its media connected', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.advance(5_000);
    bob.rung().accept({ callOption: {} });
    const connectedAt = new Promise<number>((resolve) => {
      call.onConnected = () => resolve(world.world.clock.wallTime());
    });
    await world.advance(5_000);
    expect(call.callLog.startedAt).toBe(await connectedAt);
  });

  it('ENT-15 ENT-06 ENT-07 ENT-21: a call in it has every field of an ended call, and is from the server', async () => {
    const { world, query } = await alone(() => ({ status: 200, body: { ...empty, calls: [record()] } }));
    const [log] = await world.done(query().next());
    expect(log).toBeInstanceOf(DirectCallLog);
    expect(Object.fromEntries(Object.entries(log ?? {}))).toEqual({
      callId: 'call-1',
      isVideoCall: true,
      customItems: { topic: 'dinner' },
      userRole: 'dc_callee',
      caller: expect.objectContaining({ userId: 'bob', nickname: 'bob', role: 'dc_caller' }),
      callee: expect.objectContaining({ userId: 'alice', metaData: {}, role: 'dc_callee' }),
      participants: [log?.caller, log?.callee],
      startedAt: 1_000,
      endedAt: 4_000,
      endedBy: log?.caller,
      duration: 3_000,
      endResult: 'COMPLETED',
      callType: 'direct',
      isFromServer: true,
    });
    expect(log?.caller).toBeInstanceOf(DirectCallUser);
  });

  it('ENT-26 ENT-27 B51: every result is read by its public name, and an unknown one as UNKNOWN', async () => {
    const names = Object.keys(DirectCallEndResult);
    const calls = [...names.map((name) => name.toLowerCase()), 'hacked'].map((end_result) => ({
      ...record({ ended_by: null }),
      end_result,
    }));
    const { world, query } = await alone(() => ({ status: 200, body: { ...empty, calls } }));
    const logs = await world.done(query().next());
    expect(logs.map(({ endResult }) => endResult)).toEqual([...names, 'UNKNOWN']);
    expect(names).toHaveLength(11);
    expect(logs[0]?.endedBy).toBe(null);
  });

  it('QRY-01 B23 ERR-1800206: a second page is refused while a request is pending, which still succeeds', async () => {
    const { world, query } = await alone(() => ({ status: 200, body: { ...empty, calls: [record()] } }));
    const list = query();
    const first = list.next();
    await expect(list.next()).rejects.toMatchObject({
      code: ErrorCode.ERR_QUERY_IN_PROGRESS,
      name: 'ERR_QUERY_IN_PROGRESS',
      message: 'The previous query is still in progress.',
    });
    expect(list.isLoading).toBe(true);
    expect(await world.done(first)).toHaveLength(1);
  });

  it('QRY-03 B22: the limit is 20 by default, and is clamped to 10 to 100', async () => {
    const { world, asked, query } = await alone();
    for (const limit of [undefined, 1, -5, 10, 55.5, 100, 1e9, Infinity]) {
      await world.done(query(limit === undefined ? {} : { limit }).next());
    }
    expect(asked.map((request) => request.query['limit'])).toEqual(['20', '10', '10', '10', '55', '100', '100', '100']);
  });

  it('QRY-04 HTTP-19 D14: it filters by role, results in either case, and time', async () => {
    const { world, asked, query } = await alone();
    const params = { myRole: 'dc_caller', endResults: ['NO_ANSWER', 'declined'], start_ts: 10, end_ts: 20 } as const;
    await world.done(query(params).next());
    await world.done(query({ myRole: 'dc_callee', endResults: [] }).next());
    await world.done(query(null).next());
    expect(asked.map((request) => request.query)).toEqual([
      { role: 'dc_caller', limit: '20', end_result: 'no_answer,declined', start_ts: '10', end_ts: '20' },
      { role: 'dc_callee', limit: '20' },
      { limit: '20' },
    ]);
  });

  it('LIB-10 LIB-11: a faulty filter is named, and nothing is sent', async () => {
    const { asked, query } = await alone();
    const faults: [Record<string, unknown>, number, string][] = [
      [{ myRole: 'boss' }, ErrorCode.INVALID_PARAMETER_VALUE, 'myRole'],
      [{ myRole: 7 }, ErrorCode.INVALID_PARAMETER_TYPE, 'myRole'],
      [{ limit: '10' }, ErrorCode.INVALID_PARAMETER_TYPE, 'limit'],
      [{ endResults: 'NO_ANSWER' }, ErrorCode.INVALID_PARAMETER_TYPE, 'endResults'],
      [{ endResults: [7] }, ErrorCode.INVALID_PARAMETER_TYPE, 'endResults'],
      [{ endResults: ['HACKED'] }, ErrorCode.INVALID_PARAMETER_VALUE, 'endResults'],
      [{ start_ts: '2026' }, ErrorCode.INVALID_PARAMETER_TYPE, 'start_ts'],
      [{ start_ts: -1 }, ErrorCode.INVALID_PARAMETER_VALUE, 'start_ts'],
      [{ end_ts: Infinity }, ErrorCode.INVALID_PARAMETER_VALUE, 'end_ts'],
      [{ start_ts: 2, end_ts: 1 }, ErrorCode.INVALID_PARAMETER_VALUE, 'start_ts'],
    ];
    for (const [params, code, param] of faults) {
      expect(() => query(params), JSON.stringify(params)).toThrow(refusal(code, param));
    }
    expect(() => query('all' as never)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'params'));
    expect(asked).toEqual([]);
  });

  it('a callback always gets a list, also beside an error, and then the promise may be ignored', async () => {
    let status = 500;
    const { world, alice, query } = await alone(() => ({ status, body: { ...empty, calls: [record()] } }));
    const told: unknown[][] = [];
    const list = query();
    // An unhandled rejection would fail the test run.
    const tell = (...args: unknown[]) => {
      told.push(args);
      throw new Error('host');
    };
    void list.next(tell);
    await world.settle();
    status = 200;
    void list.next(tell);
    await world.settle();
    expect(told).toEqual([
      [[], refusal(ErrorCode.INTERNAL_SERVER_ERROR)],
      [[expect.any(DirectCallLog)], undefined],
    ]);
    expect(alice.errors().filter((line) => line.includes('the history callback'))).toHaveLength(2);
  });

  it('HTTP-33: an answer with a call without a caller is refused', async () => {
    const calls = [record({ participants: [] })];
    const { world, query } = await alone(() => ({ status: 200, body: { ...empty, calls } }));
    const list = query();
    await expect(world.done(list.next())).rejects.toMatchObject({ code: ErrorCode.ERR_WRONG_RESPONSE });
    expect([list.isLoading, list.hasNext]).toEqual([false, true]);
  });

  it('a next page without a cursor does not exist', async () => {
    const { world, query } = await alone(() => ({ status: 200, body: { ...empty, has_next: true } }));
    const list = query();
    await world.done(list.next());
    expect(list.hasNext).toBe(false);
  });

  it('LIB-09: a query may be made before a user is signed in, but it returns no page', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    const list = alice.client.createDirectCallLogListQuery();
    expect(list).toBeInstanceOf(DirectCallLogListQuery);
    alice.client.deauthenticate();
    await expect(list.next()).rejects.toMatchObject({ code: ErrorCode.USER_NOT_AUTHENTICATED });
    expect(list.isLoading).toBe(false);
  });
});

describe('custom items', () => {
  async function calling() {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', { ...VOICE, customItems: { topic: 'dinner' } });
    await world.settle();
    const [rung, told] = [bob.rung(), [] as unknown[][]];
    for (const side of [call, rung]) {
      side.onCustomItemsUpdated = (about, keys) => told.push([about.localUser.userId, 'updated', keys]);
      side.onCustomItemsDeleted = (about, keys) => told.push([about.localUser.userId, 'deleted', keys]);
    }
    return { world, alice, bob, call, rung, told };
  }

  const answer = (facts: Partial<CustomItemsAnswer> = {}): CustomItemsAnswer => ({
    custom_items: { topic: 'lunch' },
    updated: ['topic'],
    deleted: [],
    affected_at: 1_000,
    ...facts,
  });

  const event = (party: MediaPeer, callId: string, how: 'update' | 'delete', payload: object) =>
    party.inject({
      version: 1,
      message_id: `items-${how}`,
      cmd: 'CALL',
      type: `custom_items_${how}`,
      delivery_info: { channel: 'websocket' },
      sequence_number: 0,
      payload: { call_id: callId, ...payload },
    });

  it('CI-01 HTTP-27 ENT-10: a call’s items are updated and deleted by request, and the result lists the affected keys', async () => {
    const { world, call, told } = await calling();
    let affected_at = 0;
    const asked = answering(world, /custom_items$/, ({ method }) => ({
      status: 200,
      body:
        method === 'PUT'
          ? answer({ affected_at: (affected_at += 1) })
          : answer({ custom_items: {}, updated: [], deleted: ['topic'], affected_at: (affected_at += 1) }),
    }));
    expect(await world.done(call.updateCustomItems({ topic: 'lunch' }))).toEqual({
      customItems: { topic: 'lunch' },
      affectedKeys: ['topic'],
    });
    expect(call.customItems).toEqual({ topic: 'lunch' });
    const gone = { customItems: {}, affectedKeys: ['topic'] };
    expect(await world.done(call.deleteCustomItems(['topic']))).toEqual(gone);
    expect(await world.done(call.deleteAllCustomItems())).toEqual(gone);
    expect(call.customItems).toEqual({});
    expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PUT', `/v1/direct_calls/${call.callId}/custom_items`, { custom_items: { topic: 'lunch' }, mode: 'upsert' }],
      ['DELETE', `/v1/direct_calls/${call.callId}/custom_items`, { keys: ['topic'] }],
      ['DELETE', `/v1/direct_calls/${call.callId}/custom_items`, undefined],
    ]);
    expect(told).toEqual([
      ['alice', 'updated', ['topic']],
      ['alice', 'deleted', ['topic']],
      ['alice', 'deleted', ['topic']],
    ]);
  });

  it('CI-01: the facade changes any call’s items by its id; a call on this client applies them at once', async () => {
    const { world, alice, call } = await calling();
    const asked = answering(world, /custom_items$/, () => ({ status: 200, body: answer() }));
    const { updateCustomItems, deleteCustomItems, deleteAllCustomItems } = alice.client;
    await world.done(updateCustomItems(call.callId, { topic: 'lunch' }));
    expect(call.customItems).toEqual({ topic: 'lunch' });
    await world.done(deleteCustomItems('long/gone', ['topic']));
    await world.done(deleteAllCustomItems('long/gone'));
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `PUT /v1/direct_calls/${call.callId}/custom_items`,
      'DELETE /v1/direct_calls/long%2Fgone/custom_items',
      'DELETE /v1/direct_calls/long%2Fgone/custom_items',
    ]);
  });

  it('ENT-03 PAY-15: events change the items when they are newer, and name the keys', async () => {
    const { world, alice, call, told } = await calling();
    const items = (topic: string, affected_at: number) => ({ custom_items: { topic }, affected_at });
    event(alice, call.callId, 'update', { ...items('second', 2_000), updated: ['topic'] });
    event(alice, call.callId, 'update', { ...items('same', 2_000), updated: ['topic'] });
    event(alice, call.callId, 'update', { ...items('first', 1_000), updated: ['topic'] });
    expect(call.customItems).toEqual({ topic: 'second' });
    answering(world, /custom_items$/, () => ({ status: 200, body: answer({ affected_at: 1_500 }) }));
    expect((await world.done(call.updateCustomItems({ topic: 'lunch' }))).customItems).toEqual({ topic: 'lunch' });
    expect(call.customItems).toEqual({ topic: 'second' });
    event(alice, call.callId, 'delete', { custom_items: {}, deleted: ['topic'], affected_at: 3_000 });
    expect(call.customItems).toEqual({});
    expect(told).toEqual([
      ['alice', 'updated', ['topic']],
      ['alice', 'deleted', ['topic']],
    ]);
  });

  it('a change that has no effect emits no event', async () => {
    const { world, call, told } = await calling();
    answering(world, /custom_items$/, () => ({ status: 200, body: answer({ updated: [] }) }));
    expect(await world.done(call.deleteCustomItems(['none']))).toEqual({
      customItems: { topic: 'lunch' },
      affectedKeys: [],
    });
    expect(told).toEqual([]);
  });

  it('CI-03 B34 D24: items and keys are checked before anything is sent', async () => {
    const { world, alice, call } = await calling();
    const asked = answering(world, /custom_items$/, () => ({ status: 200, body: answer() }));
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
    const faults: [unknown, number][] = [
      [null, ErrorCode.INVALID_PARAMETER_TYPE],
      [undefined, ErrorCode.INVALID_PARAMETER_TYPE],
      ['topic', ErrorCode.INVALID_PARAMETER_TYPE],
      [['topic'], ErrorCode.INVALID_PARAMETER_TYPE],
      [new Map([['topic', 'lunch']]), ErrorCode.INVALID_PARAMETER_TYPE],
      [{ topic: 7 }, ErrorCode.INVALID_PARAMETER_TYPE],
      [{ topic: { nested: 'x' } }, ErrorCode.INVALID_PARAMETER_TYPE],
      [{ '': 'x' }, ErrorCode.INVALID_PARAMETER_VALUE],
      [{ topic: '' }, ErrorCode.INVALID_PARAMETER_VALUE],
      [{ 'a,b': 'x' }, ErrorCode.INVALID_PARAMETER_VALUE],
      [{ ['k'.repeat(129)]: 'x' }, ErrorCode.INVALID_PARAMETER_VALUE],
      [{ topic: 'v'.repeat(129) }, ErrorCode.INVALID_PARAMETER_VALUE],
      [{ topic: 'v'.repeat(1_000_000) }, ErrorCode.INVALID_PARAMETER_VALUE],
      [many(11), ErrorCode.INVALID_PARAMETER_VALUE],
      [many(10_000), ErrorCode.INVALID_PARAMETER_VALUE],
      [JSON.parse('{"__proto__":"x"}'), ErrorCode.INVALID_PARAMETER_VALUE],
      [JSON.parse('{"constructor":"x"}'), ErrorCode.INVALID_PARAMETER_VALUE],
      [JSON.parse('{"prototype":"x"}'), ErrorCode.INVALID_PARAMETER_VALUE],
    ];
    for (const [items, code] of faults) {
      const expected = refusal(code, 'customItems');
      await expect(call.updateCustomItems(items as never), String(items)).rejects.toEqual(expected);
      await expect(alice.client.updateCustomItems(call.callId, items as never)).rejects.toEqual(expected);
      // A dial may omit them.
      if (items === null || items === undefined) continue;
      expect(() => alice.dial('bob', { ...VOICE, customItems: items as never })).toThrow(expected);
    }
    for (const [keys, code] of [
      [null, ErrorCode.INVALID_PARAMETER_TYPE],
      ['topic', ErrorCode.INVALID_PARAMETER_TYPE],
      [[7], ErrorCode.INVALID_PARAMETER_TYPE],
      [[], ErrorCode.INVALID_PARAMETER_VALUE],
      [['a,b'], ErrorCode.INVALID_PARAMETER_VALUE],
      [[''], ErrorCode.INVALID_PARAMETER_VALUE],
      [Object.keys(many(10_000)), ErrorCode.INVALID_PARAMETER_VALUE],
    ] as const) {
      await expect(call.deleteCustomItems(keys as never), String(keys)).rejects.toEqual(refusal(code, 'keys'));
    }
    expect(asked).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined);
    const own = { toString: 'own', valueOf: 'own' };
    await world.done(call.updateCustomItems(own));
    expect(asked.map(({ body }) => body)).toEqual([{ custom_items: own, mode: 'upsert' }]);
  });

  it('LIB-09 LIB-11: a call without an id, and a host that is not signed in, are refused', async () => {
    const world = await callWorld();
    const [alice] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', VOICE);
    await expect(call.updateCustomItems({ topic: 'x' })).rejects.toEqual(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'callId'),
    );
    for (const bad of ['', '..', 'x'.repeat(129)]) {
      await expect(alice.client.deleteAllCustomItems(bad)).rejects.toEqual(
        refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'callId'),
      );
    }
    await expect(alice.client.deleteAllCustomItems(7 as never)).rejects.toEqual(
      refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'callId'),
    );
    alice.client.deauthenticate();
    await expect(alice.client.updateCustomItems('c', { topic: 'x' })).rejects.toEqual(
      refusal(ErrorCode.USER_NOT_AUTHENTICATED),
    );
    await world.settle();
  });

  it('a handler gets the result or the error, and then the promise may be ignored', async () => {
    const { world, alice, call } = await calling();
    let status = 200;
    answering(world, /custom_items$/, () => ({
      status,
      body: status === 200 ? answer() : { code: ErrorCode.ERR_CALL_DOES_NOT_EXIST, message: '' },
    }));
    const told: unknown[][] = [];
    const note = (...args: unknown[]) => void told.push(args);
    void call.updateCustomItems({ topic: 'lunch' }, note);
    await world.settle();
    status = 404;
    void call.deleteCustomItems(['topic'], note);
    void alice.client.deleteAllCustomItems(call.callId, note);
    void call.updateCustomItems(null as never, note);
    await world.settle();
    expect(told).toEqual([
      [{ customItems: { topic: 'lunch' }, affectedKeys: ['topic'] }],
      [undefined, refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'customItems')],
      [undefined, refusal(ErrorCode.ERR_CALL_DOES_NOT_EXIST)],
      [undefined, refusal(ErrorCode.ERR_CALL_DOES_NOT_EXIST)],
    ]);
  });
});

describe('push tokens', () => {
  async function signedIn() {
    const world = await callWorld();
    const alice = await world.party('alice');
    const asked = answering(world, /\/push\//, () => ({ status: 200, body: {} }));
    return { world, alice, asked };
  }

  it('ENT-20 HTTP-20 HTTP-21 HTTP-22 HTTP-01: tokens of each type are registered and removed, one or all', async () => {
    const { world, alice, asked } = await signedIn();
    const { registerPushToken, unregisterPushToken, unregisterAllPushTokens } = alice.client;
    expect(TokenType).toEqual({ APNS_VOIP: 'apns_voip', FCM_VOIP: 'fcm_voip' });
    await world.done(registerPushToken('t/../1', TokenType.FCM_VOIP));
    await world.done(unregisterPushToken('t/../1', 'fcm_voip'));
    await world.done(unregisterAllPushTokens(TokenType.APNS_VOIP));
    expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/v1/users/alice/push/fcm_voip', { token: 't/../1', is_unique: true }],
      ['DELETE', '/v1/users/alice/push/fcm_voip/t%2F..%2F1', undefined],
      ['DELETE', '/v1/users/alice/push/apns_voip', undefined],
    ]);
    expect(asked[0]?.headers).toMatchObject({
      'x-client-id': expect.any(String),
      'x-session-token': expect.any(String),
      'x-library-version': '1.10.20',
    });
  });

  it('PUSH-01 PUSH-02 B62 LIB-10 LIB-11: token and type are required, named, and checked before anything is sent', async () => {
    const { alice, asked } = await signedIn();
    const { registerPushToken, unregisterPushToken, unregisterAllPushTokens } = alice.client;
    for (const [token, code] of [
      [undefined, ErrorCode.INVALID_PARAMETER_VALUE],
      ['', ErrorCode.INVALID_PARAMETER_VALUE],
      ['..', ErrorCode.INVALID_PARAMETER_VALUE],
      ['x'.repeat(100_000), ErrorCode.INVALID_PARAMETER_VALUE],
      [7, ErrorCode.INVALID_PARAMETER_TYPE],
    ] as const) {
      for (const refused of [registerPushToken, unregisterPushToken]) {
        await expect(refused(token as never, 'fcm_voip')).rejects.toEqual(refusal(code, 'pushToken'));
      }
    }
    for (const [type, code] of [
      [undefined, ErrorCode.INVALID_PARAMETER_VALUE],
      ['', ErrorCode.INVALID_PARAMETER_VALUE],
      ['sms', ErrorCode.INVALID_PARAMETER_VALUE],
      [7, ErrorCode.INVALID_PARAMETER_TYPE],
    ] as const) {
      await expect(registerPushToken('t', type as never)).rejects.toEqual(refusal(code, 'tokenType'));
      await expect(unregisterPushToken('t', type as never)).rejects.toEqual(refusal(code, 'tokenType'));
      await expect(unregisterAllPushTokens(type as never)).rejects.toEqual(refusal(code, 'tokenType'));
    }
    expect(asked).toEqual([]);
  });

  it('LIB-09: a client without a signed-in user has no tokens', async () => {
    const { alice, asked } = await signedIn();
    alice.client.deauthenticate();
    await expect(alice.client.registerPushToken('t', 'fcm_voip')).rejects.toEqual(
      refusal(ErrorCode.USER_NOT_AUTHENTICATED),
    );
    await expect(alice.client.unregisterPushToken('t', 'fcm_voip')).rejects.toEqual(
      refusal(ErrorCode.USER_NOT_AUTHENTICATED),
    );
    await expect(alice.client.unregisterAllPushTokens('fcm_voip')).rejects.toEqual(
      refusal(ErrorCode.USER_NOT_AUTHENTICATED),
    );
    expect(asked).toEqual([]);
  });
});

describe('webhook data', () => {
  /** Bob's ring as the exchange sent it, blocked on his channel, and the webhook's body about it. */
  async function pushed(settings: Parameters<typeof callWorld>[0] = {}) {
    const world = await callWorld(settings);
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    bob.lose({ to: 'bob', type: 'dial' });
    const call = alice.dial('bob', VOICE);
    await world.settle();
    expect(bob.rings).toEqual([]);
    const [frame] = bob.events('dial');
    if (!frame) throw new Error('nobody was rung');
    const head = { version: 1, app_id: 'ringback-demo', event_id: 'e-1', call_id: call.callId, occurred_at: 1 };
    const body = { ...head, event: 'dial', payload: frame.payload };
    return { world, alice, bob, call, frame, body, head };
  }

  const feed = (party: MediaPeer, data: unknown) => party.client.handleWebhookData(data as never);

  it('PAY-02 PAY-13 DC-11: rings like a dial on the channel, and notifies the caller with the short-lived token', async () => {
    const { world, alice, bob, call, body } = await pushed();
    feed(bob, body);
    expect(bob.rings).toHaveLength(1);
    const rung = bob.rung();
    expect([bob.state(rung), rung.callId, rung.caller.userId]).toEqual(['ringing', call.callId, 'alice']);
    await world.settle();
    const [request] = bob.httpRequests('/v1/action/direct_call');
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      cmd: 'CALL',
      type: 'dial_rcv',
      payload: {
        call_id: call.callId,
        callee_delivery_info: { channel: 'webhook' },
        received_type: 'webhook',
      },
    });
    expect(request?.headers).toMatchObject({ 'x-short-lived-token': body.payload['short_lived_token'] });
    expect(request?.headers).not.toHaveProperty('x-session-token');
    expect(alice.told()).toContain('onCalleeDialReceived');
    rung.accept({ callOption: {} });
    await world.advance(2_000);
    expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
    expect(bob.errors()).toEqual([]);
  });

  it('DC-50: the same call by webhook and by the channel rings once, whichever comes first', async () => {
    for (const first of ['webhook', 'channel']) {
      const { world, bob, body, frame } = await pushed();
      if (first === 'webhook') feed(bob, body);
      bob.inject(frame);
      feed(bob, body);
      feed(bob, body);
      await world.settle();
      expect(bob.rings, first).toHaveLength(1);
      bob.rung().end();
      await world.settle();
      feed(bob, body);
      expect(bob.rings, first).toHaveLength(1);
    }
  });

  it('the channel’s own dial counts as a signal of a call that rang by webhook', async () => {
    const { world, alice, bob, body, frame, call } = await pushed();
    feed(bob, body);
    bob.inject(frame);
    call.end();
    await world.settle();
    expect([bob.rung().endResult, bob.httpRequests('/v1/direct_calls/missed_signal')]).toEqual(['CANCELED', []]);
    expect(alice.errors()).toEqual([]);
  });

  it('ERR-1400101: a call that ended before this device rang gets its end, and stops ringing', async () => {
    const { world, bob, call, body } = await pushed();
    call.end();
    await world.settle();
    feed(bob, body);
    await world.settle();
    expect([bob.rung().endResult, bob.rung().endedBy?.userId]).toEqual(['CANCELED', 'alice']);
    expect([bob.sound(), bob.errors()]).toEqual([null, []]);
  });

  it('ERR-1400101: a dial whose end arrived first on the channel stops ringing too', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    bob.delay({ to: 'bob', type: 'dial', by: 5_000 });
    const call = alice.dial('bob', VOICE);
    await world.settle();
    call.end();
    await world.advance(6_000);
    expect([bob.rung().endResult, bob.rung().endedBy?.userId]).toEqual(['CANCELED', 'alice']);
  });

  it('ERR-1400102 D12: a call that the exchange lost before this device rang ends unknown once', async () => {
    const { world, bob, body } = await pushed();
    world.exchangeForgets();
    feed(bob, body);
    await world.settle();
    expect([bob.rung().endResult, bob.sound()]).toEqual(['UNKNOWN', null]);
    expect(bob.told()).toEqual(['onEnded']);
  });

  it('ERR-1800303: a dial with an expired token continues to ring only where the exchange rings this device', async () => {
    const settings = { shortLivedTokenMs: 1_000 };
    const rung = await pushed({ settings });
    await rung.world.advance(2_000);
    feed(rung.bob, rung.body);
    await rung.world.settle();
    expect(rung.bob.state(rung.bob.rung())).toBe('ringing');
    rung.bob.rung().accept({ callOption: {} });
    await rung.world.advance(2_000);
    expect(rung.alice.state(rung.call)).toBe('connected');
    const posted: string[] = [];
    const world = await callWorld({ settings, postWebhook: async ({ body }) => void posted.push(body) });
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    bob.loseChannel({ forMs: 60_000 });
    await world.settle();
    alice.dial('bob', { ...VOICE, webhook: { url: 'https://hooks.example/calls', enabled_events: ['dial'] } });
    await world.advance(2_000);
    feed(bob, JSON.parse(posted[0] ?? ''));
    await world.settle();
    expect(bob.rung().endResult).toBe('UNKNOWN');
  });

  it('a dial whose receipt could not be sent continues to ring', async () => {
    const { world, bob, body } = await pushed();
    bob.refuseHttp();
    feed(bob, body);
    await world.advance(10_000);
    expect(bob.state(bob.rung())).toBe('ringing');
  });

  it('ERR-1800208 B37: an invalid webhook body is refused with the place of the fault, and nothing rings', async () => {
    const { bob, body, head } = await pushed();
    for (const [data, where] of [
      [{}, 'data.event'],
      [{ ...body, event: 'dance' }, 'data.event'],
      [{ ...body, version: 7 }, 'data.version'],
      [{ ...head, event: 'dial', payload: { ...body.payload, caller: null } }, 'data.payload.caller'],
    ] as const) {
      expect(() => feed(bob, data), where).toThrow(
        expect.objectContaining({ code: ErrorCode.ERR_MALFORMED_DATA, message: expect.stringContaining(where) }),
      );
    }
    for (const empty of [undefined, null, '', Number.NaN])
      expect(() => feed(bob, empty)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'data'));
    for (const other of ['text', 7, []])
      expect(() => feed(bob, other)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'data'));
    expect(bob.rings).toEqual([]);
  });

  it('a call of another user does not ring on this device, and other events of a webhook change nothing', async () => {
    const { alice, bob, body, head, call } = await pushed();
    expect(() => feed(alice, body)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'data'));
    feed(bob, { ...head, event: 'establish', payload: { call_id: call.callId, started_at: 1 } });
    expect([...alice.rings, ...bob.rings]).toEqual([]);
  });

  it('LIB-09: a dial to a user who is not signed in does not ring', async () => {
    const { bob, body } = await pushed();
    bob.client.deauthenticate();
    expect(() => feed(bob, body)).toThrow(refusal(ErrorCode.USER_NOT_AUTHENTICATED));
    expect(bob.rings).toEqual([]);
  });
});

describe('library and exchange together', () => {
  async function calling() {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', { ...VOICE, customItems: { topic: 'dinner' } });
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(2_000);
    return { world, alice, bob, call, rung: bob.rung() };
  }

  it('CI-01 PAY-15: a change by either side is sent to both, with its keys, and both have the same items', async () => {
    const { world, call, rung } = await calling();
    const told: string[] = [];
    for (const side of [call, rung]) {
      side.onCustomItemsUpdated = (about, keys) => told.push(`${about.myRole} updated ${keys.join()}`);
      side.onCustomItemsDeleted = (about, keys) => told.push(`${about.myRole} deleted ${keys.join()}`);
    }
    await world.done(rung.updateCustomItems({ place: 'home', topic: 'lunch' }));
    expect([call.customItems, rung.customItems]).toEqual([rung.customItems, { place: 'home', topic: 'lunch' }]);
    await world.done(call.deleteCustomItems(['place', 'none']));
    await world.done(rung.deleteAllCustomItems());
    expect([call.customItems, rung.customItems]).toEqual([{}, {}]);
    // Each side gets the changes in order.
    for (const who of ['dc_caller', 'dc_callee']) {
      expect(told.filter((line) => line.startsWith(who))).toEqual([
        `${who} updated place,topic`,
        `${who} deleted place`,
        `${who} deleted topic`,
      ]);
    }
  });

  it('HTTP-19 ENT-15: an ended call is in the history of both users, each with its role', async () => {
    const { world, alice, bob, call } = await calling();
    await world.advance(3_000);
    call.end();
    await world.settle();
    alice.dial('bob', VOICE);
    await world.settle();
    bob.rung().end();
    await world.settle();
    const logs = await world.done(alice.client.createDirectCallLogListQuery({ endResults: ['COMPLETED'] }).next());
    expect(logs).toMatchObject([
      {
        callId: call.callId,
        userRole: 'dc_caller',
        customItems: { topic: 'dinner' },
        endResult: 'COMPLETED',
        endedBy: { userId: 'alice' },
        isFromServer: true,
      },
    ]);
    const mine = bob.client.createDirectCallLogListQuery({ myRole: 'dc_callee' });
    expect((await world.done(mine.next())).map(({ endResult, userRole }) => [endResult, userRole])).toEqual([
      ['DECLINED', 'dc_callee'],
      ['COMPLETED', 'dc_callee'],
    ]);
    expect(mine.hasNext).toBe(false);
    expect(await world.done(bob.client.createDirectCallLogListQuery({ myRole: 'dc_caller' }).next())).toEqual([]);
  });

  it('PAY-02 DC-50: a callee without a channel rings once by the webhook, and accepts the call', async () => {
    const posted: string[] = [];
    const world = await callWorld({ postWebhook: async ({ body }) => void posted.push(body) });
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    bob.loseChannel({ forMs: 3_000 });
    await world.settle();
    const call = alice.dial('bob', {
      ...VOICE,
      webhook: { url: 'https://hooks.example/calls', enabled_events: ['dial'] },
    });
    await world.settle();
    expect([bob.rings.length, posted.length]).toEqual([0, 1]);
    bob.client.handleWebhookData(JSON.parse(posted[0] ?? ''));
    await world.settle();
    expect([bob.rings.length, alice.told()]).toEqual([1, ['onCalleeDialReceived']]);
    await world.advance(15_000);
    expect(bob.rings).toHaveLength(1);
    bob.rung().accept({ callOption: {} });
    await world.advance(2_000);
    expect([alice.state(call), bob.state(bob.rung())]).toEqual(['connected', 'connected']);
    expect([...alice.errors(), ...bob.errors()]).toEqual([]);
  });

  it('HTTP-20 HTTP-21 HTTP-22: push tokens are registered, and removed once', async () => {
    const { world, alice } = await calling();
    const { registerPushToken, unregisterPushToken, unregisterAllPushTokens } = alice.client;
    await world.done(registerPushToken('token-1', 'fcm_voip'));
    await world.done(unregisterPushToken('token-1', 'fcm_voip'));
    await expect(world.done(unregisterPushToken('token-1', 'fcm_voip'))).rejects.toMatchObject({
      code: expect.any(Number),
    });
    await world.done(unregisterAllPushTokens('fcm_voip'));
  });
});
