/** The data that the exchange stores, and its readers and writers: history, custom items, push tokens. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { customItemsAnswer, historyAnswer } from '../../../src/protocol/http.ts';
import { MemoryStore } from '../../../sim/store/memory-store.ts';
import { aRecord } from '../../contract/store/store.contract.ts';
import { createExchangeFixture, type Device, type ExchangeFixture } from './exchange-fixture.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

let fixture: ExchangeFixture;
let store: MemoryStore;
let alice: Device;
let bob: Device;
let carol: Device;

beforeEach(async () => {
  store = new MemoryStore();
  fixture = createExchangeFixture({ store });
  alice = await fixture.device('alice');
  bob = await fixture.device('bob');
  carol = await fixture.device('carol');
});

const as = (device: Device | null, method: string, path: string, more: object = {}) =>
  fixture.http(method, path, { ...(device ? { headers: device.headers } : {}), ...more });
const history = (device: Device, query: Record<string, string> = {}, of = device.userId) =>
  as(device, 'GET', `/v1/users/${of}/calls`, { query });
const idsOf = async (device: Device, query: Record<string, string> = {}): Promise<string[]> =>
  (await history(device, query)).body.calls.map(({ call_id }: { call_id: string }) => call_id);
const refused = (param: string) => ({
  status: 400,
  body: { code: ErrorCode.INVALID_PARAMETER_VALUE, message: `${param} is an invalid or empty value.` },
});

describe('call history', () => {
  it('HTTP-19 ENT-15 ENT-16 S07: has exactly the specified fields of a call, for both sides', async () => {
    const call_id = alice.dial('bob', { custom_items: { topic: 'dinner' } });
    bob.accept(call_id);
    for (const device of [alice, bob]) device.connected(call_id);
    fixture.clock.advance(60_000);
    bob.code('end', { call_id });
    const { status, body } = await history(alice);
    expect([status, v.parse(historyAnswer, body)]).toEqual([200, body]);
    const user = (user_id: string) => ({ user_id, nickname: user_id, profile_url: '', metadata: {}, is_active: true });
    const record = {
      call_id,
      call_type: 'direct',
      is_video_call: true,
      custom_items: { topic: 'dinner' },
      user_role: 'dc_caller',
      participants: [
        { ...user('alice'), role: 'dc_caller' },
        { ...user('bob'), role: 'dc_callee' },
      ],
      started_at: fixture.clock.wallTime() - 60_000,
      ended_at: fixture.clock.wallTime(),
      ended_by: 'bob',
      duration: 60_000,
      end_result: 'completed',
    };
    expect(body).toEqual({ calls: [record], next: null, has_next: false });
    expect((await history(bob)).body.calls).toEqual([{ ...record, user_role: 'dc_callee' }]);
    expect((await history(carol)).body).toEqual({ calls: [], next: null, has_next: false });
  });

  it('has every call that rang, with any result, once, and no live one', async () => {
    const dialled = () => alice.dial('bob');
    const began: number[] = [];
    const ended = [
      ['canceled', (call_id: string) => alice.code('cancel', { call_id })],
      ['declined', (call_id: string) => bob.code('decline', { call_id })],
      ['no_answer', (call_id: string) => [alice.code('no_answer', { call_id }), bob.code('no_answer', { call_id })]],
      ['not_connected', (call_id: string) => [bob.accept(call_id), alice.code('end', { call_id })]],
      [
        'timed_out',
        (call_id: string) => [bob.accept(call_id), alice.code('timeout', { call_id, reason: 'offering_timeout' })],
      ],
    ] as const;
    for (const [, end] of ended) {
      began.push(fixture.clock.wallTime());
      const call_id = dialled();
      fixture.clock.advance(1_000);
      end(call_id);
    }
    dialled();
    // A call that never connected started when it was dialled: a host shows that time.
    expect(
      (await history(bob)).body.calls.map((call: any) => [call.end_result, call.started_at, call.duration]),
    ).toEqual(ended.map(([result], at) => [result, began[at], 0]).reverse());
    fixture.exchange.close();
    expect((await history(bob)).body.calls[0].end_result).toBe('unknown');
    expect(await idsOf(bob)).toEqual([...new Set(await idsOf(bob))]);
  });

  it('I8 F48: has no call whose end is earlier than its start and length, also when the clock was set back meanwhile', async () => {
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    for (const device of [alice, bob]) device.connected(call_id);
    fixture.clock.set(-3_600_000);
    fixture.clock.advance(20_000);
    alice.code('end', { call_id });
    const unanswered = alice.dial('bob');
    fixture.clock.set(-3_600_000);
    alice.code('cancel', { call_id: unanswered });
    const { calls } = (await history(alice)).body;
    const lengths = new Map(calls.map((call: any) => [call.call_id, [call.duration, call.ended_at - call.started_at]]));
    expect(lengths.get(call_id)).toEqual([20_000, 20_000]);
    expect(lengths.get(unanswered)).toEqual([0, 0]);
  });

  describe('the call history of many calls', () => {
    const START = 1_000_000;
    /** One call a second, from `START` seconds on, each half a second into it. */
    const records = Array.from({ length: 130 }, (_, at) =>
      aRecord(...((at % 2 === 0 ? ['alice', 'bob'] : ['bob', 'alice']) as ['alice', 'bob']), {
        createdAt: (START + at) * 1_000 + 500,
        endResult: at % 3 === 0 ? 'no_answer' : 'completed',
      }),
    );
    const ids = records.map(({ callId }) => callId);
    beforeEach(async () => {
      for (const record of records) await store.saveCalls([record]);
    });

    it.each([
      [{}, 20],
      [{ limit: '1' }, 10],
      [{ limit: '-5' }, 10],
      [{ limit: '10' }, 10],
      [{ limit: '55' }, 55],
      [{ limit: '100' }, 100],
      [{ limit: '1e9' }, 100],
    ])('QRY-03 B22: has for a page of %j %d calls', async (query: Record<string, string>, size) => {
      expect(await idsOf(alice, query)).toEqual(ids.slice(-size).reverse());
    });

    it('QRY-04 HTTP-19: filters by role, result in either case, and the seconds of dialling, both included', async () => {
      expect(await idsOf(alice, { role: 'dc_caller', limit: '100' })).toHaveLength(65);
      expect(await idsOf(alice, { role: 'dc_callee' })).toContain(ids[129]);
      expect(await idsOf(alice, { end_result: 'NO_ANSWER', limit: '100' })).toHaveLength(44);
      expect(await idsOf(alice, { end_result: 'Completed,no_answer', limit: '100' })).toHaveLength(100);
      expect(await idsOf(alice, { end_result: '' })).toHaveLength(20);
      const second = (at: number) => String(START + at);
      expect(await idsOf(alice, { start_ts: second(3), end_ts: second(5) })).toEqual([ids[5], ids[4], ids[3]]);
      expect(await idsOf(alice, { start_ts: second(7), end_ts: second(7) })).toEqual([ids[7]]);
    });

    it('follows the cursor to the end with each call once, although new calls end meanwhile', async () => {
      const seen: string[] = [];
      let query: Record<string, string> = { limit: '50' };
      for (const has_next of [true, true, false]) {
        const { body } = await history(alice, query);
        expect([body.has_next, typeof body.next]).toEqual([has_next, has_next ? 'string' : 'object']);
        seen.push(...body.calls.map(({ call_id }: { call_id: string }) => call_id));
        query = { ...query, next: body.next };
        await store.saveCalls([aRecord('alice', 'bob', { createdAt: (START + 1_000) * 1_000 })]);
      }
      expect(seen).toEqual(ids.toReversed());
    });

    it('B24 B61 S19 S20: refuses an invalid parameter with its name, and without details of the server', async () => {
      const foreign = aRecord('bob', 'carol');
      await store.saveCalls([foreign]);
      for (const next of ['forged', '', 'eyJhdCI6MH0=', '../..', 'x'.repeat(10_000), foreign.callId]) {
        expect(await history(alice, { next })).toEqual(refused('next'));
      }
      expect(await history(alice, { role: 'boss' })).toEqual(refused('role'));
      expect(await history(alice, { end_result: 'hacked' })).toEqual(refused('end_result'));
      expect(await history(alice, { end_result: 'completed,' })).toEqual(refused('end_result'));
      for (const limit of ['x', '', '10.5', 'NaN']) expect(await history(alice, { limit })).toEqual(refused('limit'));
      for (const ts of ['x', '', '-1', 'Infinity', '1e300']) {
        expect(await history(alice, { start_ts: ts })).toEqual(refused('start_ts'));
        expect(await history(alice, { end_ts: ts })).toEqual(refused('end_ts'));
      }
      expect(await history(alice, { start_ts: '11', end_ts: '10' })).toEqual(refused('start_ts'));
    });
  });
});

describe('a store that fails', () => {
  /** A store that refuses every request while it is down. */
  class Failing extends MemoryStore {
    down = true;
    override async saveCalls(...records: Parameters<MemoryStore['saveCalls']>) {
      if (this.down) throw new Error('ECONNREFUSED 192.0.2.7');
      return super.saveCalls(...records);
    }
    override async history(...request: Parameters<MemoryStore['history']>) {
      if (this.down) throw new Error('ECONNREFUSED 192.0.2.7');
      return super.history(...request);
    }
  }
  let failing: Failing;
  beforeEach(async () => {
    failing = new Failing();
    fixture = createExchangeFixture({ store: failing });
    alice = await fixture.device('alice');
    bob = await fixture.device('bob');
  });
  const wholeCall = () => {
    const call_id = alice.dial('bob');
    const codes = [bob.accept(call_id), alice.connected(call_id), bob.connected(call_id), bob.code('end', { call_id })];
    expect([codes, alice.told]).toEqual([[0, 0, 0, 0], 'completed']);
    fixture.clock.advance(1_000);
    return call_id;
  };
  const failures = () => fixture.log.filter(({ level }) => level === 'error');

  it('ERR-1400999 S32: breaks no call, is logged without its address, and answers reads with 500', async () => {
    wholeCall();
    expect(await history(alice)).toEqual({
      status: 500,
      body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: '' },
    });
    expect(failures()[0]).toMatchObject({
      message: 'the store failed',
      fields: { write: 'ended calls', error: 'Error: ECONNREFUSED ***' },
    });
  });

  it('gets the missed records in order and once after its failure', async () => {
    const calls = [wholeCall(), wholeCall()];
    await fixture.exchange.kept();
    failing.down = false;
    calls.push(wholeCall());
    expect(await idsOf(alice)).toEqual(calls.toReversed());
    expect(await idsOf(alice)).toHaveLength(3);
  });

  it('gets the records of calls that end while it is busy in one write', async () => {
    failing.down = false;
    const writes: number[] = [];
    failing.saveCalls = async (records) => {
      writes.push(records.length);
      return MemoryStore.prototype.saveCalls.call(failing, records);
    };
    const calls = [wholeCall(), wholeCall(), wholeCall()];
    await fixture.exchange.kept();
    expect(writes).toEqual([3]);
    expect(await idsOf(alice)).toEqual(calls.toReversed());
  });

  it('that always refuses one record gets the other records after an hour', async () => {
    wholeCall();
    await fixture.exchange.kept();
    fixture.clock.advance(3_600_000);
    failing.saveCalls = async (records) => {
      if (records.some(({ createdAt }) => createdAt < fixture.clock.wallTime() - 3_600_000)) {
        throw new Error('never this one');
      }
      return MemoryStore.prototype.saveCalls.call(failing, records);
    };
    failing.down = false;
    const next = wholeCall();
    expect(await idsOf(alice)).toEqual([next]);
    expect(failures().map(({ message }) => message)).toContain('a write was dropped');
    const after = wholeCall();
    expect(await idsOf(alice)).toEqual([after, next]);
  });
});

describe('custom items', () => {
  const path = (call_id: string) => `/v1/direct_calls/${call_id}/custom_items`;
  const put = (device: Device, call_id: string, custom_items: unknown, more: object = {}) =>
    as(device, 'PUT', path(call_id), { body: { custom_items, mode: 'upsert', ...more } });
  const remove = (device: Device, call_id: string, body?: unknown) => as(device, 'DELETE', path(call_id), { body });

  const answerOf = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    expect([status, body]).toEqual([200, v.parse(customItemsAnswer, body)]);
    return v.parse(customItemsAnswer, body);
  };

  const dialled = () => alice.dial('bob', { custom_items: { a: '1', b: '2' } });
  const over = () => {
    const call_id = dialled();
    bob.code('decline', { call_id });
    return call_id;
  };

  it.each([
    ['live', dialled],
    ['ended', over],
  ])(
    'HTTP-27 ENT-10 PAY-15 CI-01: of a call that is %s are added, replaced and deleted, by either side',
    async (_, make) => {
      const call_id = make();
      const first = await answerOf(put(alice, call_id, { b: 'new', c: '3' }));
      expect(first).toMatchObject({ custom_items: { a: '1', b: 'new', c: '3' }, updated: ['b', 'c'], deleted: [] });
      expect(bob.event('custom_items_update')).toEqual({
        call_id,
        custom_items: first.custom_items,
        updated: first.updated,
        affected_at: first.affected_at,
      });
      const second = await answerOf(remove(bob, call_id, { keys: ['b', 'none'] }));
      expect(second).toMatchObject({ custom_items: { a: '1', c: '3' }, updated: [], deleted: ['b'] });
      expect(alice.event('custom_items_delete')).toEqual({
        call_id,
        custom_items: second.custom_items,
        deleted: ['b'],
        affected_at: second.affected_at,
      });
      const third = await answerOf(remove(alice, call_id));
      expect(third).toMatchObject({ custom_items: {}, deleted: ['a', 'c'] });
      // The requesting device has the answer.
      expect([
        alice.types.includes('custom_items_update'),
        bob.types.filter((type) => type === 'custom_items_delete'),
      ]).toEqual([false, ['custom_items_delete']]);
    },
  );

  it('ENT-03 have a strictly growing time of change, in one instant and after the end, also when the clock goes back', async () => {
    const call_id = dialled();
    const times = [(await answerOf(put(alice, call_id, { a: '1' }))).affected_at];
    times.push((await answerOf(put(bob, call_id, { a: '2' }))).affected_at);
    bob.code('decline', { call_id });
    times.push((await answerOf(put(alice, call_id, { a: '3' }))).affected_at);
    fixture.clock.advance(-5_000);
    times.push((await answerOf(remove(alice, call_id, { keys: ['a'] }))).affected_at);
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
    expect(times[0]).toBeGreaterThan(fixture.clock.wallTime());
    expect((await history(alice)).body.calls[0].custom_items).toEqual({ b: '2' });
  });

  it('reach the other devices of both users, and a device that was away as a missed signal', async () => {
    const [alice2, bob2] = [await fixture.device('alice', 'alice-2'), await fixture.device('bob', 'bob-2')];
    const call_id = dialled();
    bob.accept(call_id);
    bob.disconnect();
    await put(alice, call_id, { c: '3' });
    expect(
      [alice, alice2, bob2, carol].map(
        (device) => device.types.filter((type) => type === 'custom_items_update').length,
      ),
    ).toEqual([0, 1, 1, 0]);
    const { body } = await fixture.http('GET', '/v1/direct_calls/missed_signal', {
      query: { call_ids: call_id },
      headers: bob.headers,
    });
    expect(body.signals.at(-1)).toMatchObject({ type: 'custom_items_update', payload: { updated: ['c'] } });
    await bob.connect();
    expect(bob.event('snapshot').signal_snapshot.custom_items).toEqual({ a: '1', b: '2', c: '3' });
  });

  it('that do not change emit no event, and their time stays', async () => {
    for (const call_id of [dialled(), over()]) {
      const { affected_at } = await answerOf(put(alice, call_id, { c: '3' }));
      fixture.clock.advance(1_000);
      const heard = [...bob.events];
      expect(await answerOf(put(alice, call_id, {}))).toMatchObject({ updated: [], affected_at });
      expect(await answerOf(remove(alice, call_id, { keys: [] }))).toMatchObject({ deleted: [], affected_at });
      expect(await answerOf(remove(alice, call_id, { keys: ['none'] }))).toMatchObject({ deleted: [], affected_at });
      expect(bob.events).toEqual(heard);
    }
  });

  it('ERR-1400102 S06 S20: are visible to caller and callee alone; to others the call does not exist', async () => {
    for (const call_id of [dialled(), over()]) {
      for (const ask of [(id: string) => put(carol, id, { x: 'y' }), (id: string) => remove(carol, id)]) {
        const foreign = await ask(call_id);
        expect(foreign).toEqual({ status: 404, body: { code: ErrorCode.ERR_CALL_DOES_NOT_EXIST, message: '' } });
        expect(foreign).toEqual(await ask('none'));
      }
      expect((await answerOf(put(bob, call_id, {}))).custom_items).toEqual({ a: '1', b: '2' });
    }
    expect(await as(null, 'PUT', path('none'), { body: { custom_items: {}, mode: 'upsert' } })).toMatchObject({
      status: 401,
    });
  });

  it('D24 are at most ten in a call', async () => {
    const nine = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`k${at}`, 'x']));
    for (const call_id of [dialled(), over()]) {
      expect(await put(alice, call_id, nine)).toEqual(refused('custom_items'));
      expect((await answerOf(put(alice, call_id, { k0: 'x' }))).custom_items).toEqual({ a: '1', b: '2', k0: 'x' });
      const { k0, ...eight } = nine;
      expect(k0).toBe('x');
      await remove(alice, call_id, { keys: ['a'] });
      expect(Object.keys((await answerOf(put(alice, call_id, eight))).custom_items)).toHaveLength(10);
    }
  });

  it('B34 S07 S34: accept strings by plain keys alone, reach no prototype, and read no inherited field', async () => {
    for (const call_id of [dialled(), over()]) {
      for (const wrong of [null, [], 'x', { a: 1 }, { a: {} }, { 'a,b': 'x' }, { a: 'x'.repeat(129) }, { '': 'x' }]) {
        expect(await put(alice, call_id, wrong)).toMatchObject({
          status: 400,
          body: { code: ErrorCode.INVALID_PARAMETER_VALUE },
        });
      }
      expect(await put(alice, call_id, { a: '1' }, { mode: 'replace' })).toEqual(refused('mode'));
      expect(await remove(alice, call_id, { keys: 'a' })).toEqual(refused('keys'));
      const hostile = JSON.parse('{"__proto__":"x","constructor":"x","prototype":"x","toString":"kept"}');
      const { custom_items } = await answerOf(put(alice, call_id, hostile, { affected_at: 9e15, user_id: 'bob' }));
      expect(Object.entries(custom_items)).toEqual([
        ['a', '1'],
        ['b', '2'],
        ['toString', 'kept'],
      ]);
      expect((await answerOf(remove(alice, call_id, { keys: ['__proto__', 'valueOf'] }))).deleted).toEqual([]);
      expect(({} as { x?: string }).x).toBeUndefined();
      expect((await answerOf(put(alice, call_id, {}))).affected_at).toBeLessThan(9e15);
    }
  });

  it('of an ended call that many devices change at once have every change', async () => {
    const call_id = over();
    await Promise.all([0, 1, 2, 3, 4, 5].map((at) => put(at % 2 === 0 ? alice : bob, call_id, { [`k${at}`]: 'x' })));
    expect(Object.keys((await answerOf(put(alice, call_id, {}))).custom_items)).toHaveLength(8);
  });
});

describe('push tokens', () => {
  const register = (device: Device, token: unknown, type = 'fcm_voip', is_unique: unknown = true, of = device.userId) =>
    as(device, 'POST', `/v1/users/${of}/push/${type}`, { body: { token, is_unique } });
  const unregister = (device: Device, rest: string, of = device.userId) =>
    as(device, 'DELETE', `/v1/users/${of}/push/${rest}`);
  const tokensOf = async (userId: string) =>
    (await store.pushTokens(userId)).map(({ type, token }) => `${type} ${token}`);

  it('HTTP-20 HTTP-21 HTTP-22: are registered once, and removed one by one or by type', async () => {
    for (const [token, type] of [
      ['one'],
      ['one'],
      ['a/b:c%2F+=', 'fcm_voip'],
      ['one', 'apns_voip'],
      ['two', 'apns_voip'],
    ] as const) {
      expect(await register(alice, token, type)).toEqual({ status: 200, body: {} });
    }
    expect(await tokensOf('alice')).toHaveLength(4);
    const encoded = encodeURIComponent('a/b:c%2F+=');
    expect(await unregister(alice, `fcm_voip/${encoded}`)).toEqual({ status: 200, body: {} });
    expect(await unregister(alice, `fcm_voip/${encoded}`)).toMatchObject({ status: 404 });
    expect(await unregister(alice, 'apns_voip')).toEqual({ status: 200, body: {} });
    expect(await unregister(alice, 'apns_voip')).toEqual({ status: 200, body: {} });
    expect(await tokensOf('alice')).toEqual(['fcm_voip one']);
  });

  it('HTTP-20 move to the user that registers them as unique', async () => {
    await register(alice, 'one');
    await register(bob, 'one', 'fcm_voip', false);
    expect([await tokensOf('alice'), await tokensOf('bob')]).toEqual([['fcm_voip one'], ['fcm_voip one']]);
    await register(bob, 'one');
    expect([await tokensOf('alice'), await tokensOf('bob')]).toEqual([[], ['fcm_voip one']]);
  });

  it('B62 S06: refuse another type, an invalid token, another user, and a token of another user', async () => {
    expect(await register(alice, 'one', 'sms')).toEqual(refused('token_type'));
    expect(await unregister(alice, 'sms')).toEqual(refused('token_type'));
    for (const token of [
      '',
      'a/../b',
      '/../',
      '..',
      '.',
      'a b',
      'a\u0000',
      'x'.repeat(4_097),
      'x'.repeat(100_000),
      7,
      null,
    ]) {
      expect(await register(alice, token)).toEqual(refused('token'));
    }
    expect(await register(alice, 'one', 'fcm_voip', 'yes')).toEqual(refused('is_unique'));
    expect(await register(alice, 'one', 'fcm_voip', true, 'bob')).toMatchObject({
      status: 403,
      body: { code: ErrorCode.ERR_NO_PERMISSION },
    });
    await register(bob, 'his');
    expect(await unregister(alice, 'fcm_voip/his')).toMatchObject({ status: 404 });
    expect(await unregister(alice, 'fcm_voip/his')).toEqual(await unregister(alice, 'fcm_voip/none'));
    expect(await unregister(alice, 'fcm_voip/his', 'bob')).toMatchObject({ status: 403 });
    expect(await unregister(alice, 'fcm_voip', 'bob')).toMatchObject({ status: 403 });
    expect(await tokensOf('bob')).toEqual(['fcm_voip his']);
  });
});

describe('S06 ownership', () => {
  const body = { token: 'one', is_unique: true };
  it.each([
    ['GET', 'calls', undefined],
    ['POST', 'push/fcm_voip', body],
    ['DELETE', 'push/fcm_voip', undefined],
    ['DELETE', 'push/fcm_voip/one', undefined],
  ])(
    'ERR-1400105: %s /v1/users/{userId}/%s is refused to another user and without a session',
    async (method, rest, sent) => {
      await store.savePushToken({ userId: 'alice', type: 'fcm_voip', token: 'one' }, true, 32);
      const ask = (device: Device | null) => as(device, method, `/v1/users/alice/${rest}`, { body: sent });
      expect(await ask(bob)).toEqual({ status: 403, body: { code: ErrorCode.ERR_NO_PERMISSION, message: '' } });
      expect(await ask(null)).toMatchObject({ status: 401, body: { code: ErrorCode.USER_NOT_AUTHENTICATED } });
      fixture.exchange.revokeSessions('alice');
      expect(await ask(alice)).toMatchObject({ status: 401 });
      alice = await fixture.device('alice');
      expect(await ask(alice)).toMatchObject({ status: 200 });
    },
  );
});
