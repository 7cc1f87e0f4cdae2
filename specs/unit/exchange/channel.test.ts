import { beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { packSdp } from '../../../src/protocol/sdp-codec.ts';
import { DEFAULT_SETTINGS } from '../../../sim/exchange/settings.ts';
import {
  AV,
  CONNECTION,
  createExchangeFixture,
  onPresence,
  Device,
  PACKED,
  type ExchangeFixture,
} from './exchange-fixture.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

let fixture: ExchangeFixture;
let alice: Device;
let bob: Device;

beforeEach(async () => {
  fixture = createExchangeFixture();
  alice = await fixture.device('alice');
  bob = await fixture.device('bob');
});

const login = (userId: string, body: unknown, clientId = 'c') =>
  fixture.http('POST', `/v1/users/${userId}/login`, { headers: { 'x-client-id': clientId }, body });

describe('login and sessions', () => {
  it('HTTP-18 LIB-08 answers with a session token, the user and the statistics interval', async () => {
    expect(await login('carol', { app_id: 'ringback-demo', user_id: 'carol' })).toEqual({
      status: 200,
      body: {
        sbcall_session_token: expect.any(String),
        user: { user_id: 'carol', nickname: 'carol', profile_url: '', metadata: {}, is_active: true },
        stats_interval: 3,
      },
    });
  });

  it('B54 refuses another user in the body, another application, no user, an inactive user, and a wrong access token', async () => {
    fixture = createExchangeFixture({
      users: [
        { user_id: 'carol', nickname: '', profile_url: '' },
        { user_id: 'gone', nickname: '', profile_url: '', is_active: false },
      ],
      policy: { mayLogIn: (_, token) => token === 'right' },
    });
    const body = { app_id: 'ringback-demo', user_id: 'carol', access_token: 'right' };
    expect(await login('carol', { ...body, user_id: 'dave' })).toMatchObject({ status: 400 });
    expect(await login('carol', { ...body, user_id: 7 })).toMatchObject({
      status: 400,
      body: { code: ErrorCode.INVALID_PARAMETER_VALUE, message: 'user_id is an invalid or empty value.' },
    });
    expect(await login('carol', body, '')).toMatchObject({ status: 400 });
    const refused = await Promise.all([
      login('carol', { ...body, app_id: 'other' }),
      login('nobody', { ...body, user_id: 'nobody' }),
      login('gone', { ...body, user_id: 'gone' }),
      login('carol', { ...body, access_token: 'wrong' }),
      login('carol', { ...body, access_token: null }),
      login('carol', { ...body, access_token: '' }),
      login('carol', { app_id: body.app_id, user_id: 'carol' }),
    ]);
    expect(new Set(refused.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(refused[0]).toMatchObject({ status: 401, body: { code: ErrorCode.USER_NOT_AUTHENTICATED } });
    expect(await login('carol', { ...body, access_token: 'right'.repeat(200_000) })).toMatchObject({
      status: 400,
      body: { code: ErrorCode.INVALID_PARAMETER_VALUE, message: 'access_token is an invalid or empty value.' },
    });
    expect(await login('carol', body)).toMatchObject({ status: 200 });
  });

  it('B55 S14 refuses a flood of logins with 429', async () => {
    const statuses = new Set<number>();
    for (let at = 0; at < 130; at += 1) {
      statuses.add((await login('carol', { app_id: 'ringback-demo', user_id: 'carol' })).status);
    }
    expect([...statuses]).toEqual([200, 429]);
    fixture.clock.advance(1_000);
    expect(await login('carol', { app_id: 'ringback-demo', user_id: 'carol' })).toMatchObject({ status: 200 });
  });

  it('HTTP-02 S08 accepts requests only with a session, from the client that got it, until it expires', async () => {
    const get = (headers: Record<string, string>) =>
      fixture.http('GET', '/v1/direct_calls/missed_signal', { query: { call_ids: 'x' }, headers });
    expect(await get(alice.headers)).toEqual({ status: 200, body: { signals: [] } });
    expect(await get({})).toMatchObject({ status: 401, body: { code: ErrorCode.USER_NOT_AUTHENTICATED } });
    expect(await get({ ...alice.headers, 'x-client-id': 'other' })).toMatchObject({ status: 401 });
    fixture.clock.advance(DEFAULT_SETTINGS.sessionMs);
    expect(await get(alice.headers)).toMatchObject({ status: 401 });
  });

  it('S08 a new login of the same client ends its previous session', async () => {
    const again = await fixture.device('alice', alice.clientId);
    expect(again.token).not.toBe(alice.token);
    const get = ({ headers }: Device) =>
      fixture.http('GET', '/v1/direct_calls/missed_signal', { query: { call_ids: 'x' }, headers });
    expect([(await get(alice)).status, (await get(again)).status]).toEqual([401, 200]);
  });

  it('F25 ERR-1800303 refuses commands of a session that ended, which does not end the call at once', () => {
    const call_id = alice.dial('bob');
    fixture.exchange.revokeSessions('alice');
    expect(alice.code('alive', { call_id })).toBe(ErrorCode.USER_NOT_AUTHENTICATED);
    expect(bob.accept(call_id)).toBe(0);
  });

  it('S08 a session ends with its parent session: only the calls and sockets of those devices end', async () => {
    fixture = createExchangeFixture({ policy: { mayLogIn: async (_, token) => token !== 'forged' } });
    const device = async (userId: string, clientId: string, access_token: string) => {
      const body = { app_id: 'ringback-demo', user_id: userId, access_token };
      const answer = await login(userId, body, clientId);
      expect(answer).toMatchObject({ status: 200 });
      const made = new Device(fixture, userId, clientId, answer.body.sbcall_session_token);
      await made.connect();
      return made;
    };
    expect(await login('alice', { app_id: 'ringback-demo', user_id: 'alice', access_token: 'forged' })).toMatchObject({
      status: 401,
    });
    const phone = await device('alice', 'phone', 'first');
    const tablet = await device('alice', 'tablet', 'second');
    const other = await device('bob', 'b', 'first');
    const call_id = phone.dial('bob');
    other.accept(call_id);
    fixture.exchange.signOut('alice', 'first');
    expect([phone.closes, tablet.closes, other.closes]).toEqual([[4401], [], []]);
    expect(other.told).toBe('unknown');
    expect([phone.code('alive', { call_id }), tablet.code('unended_calls', {})]).toEqual([
      ErrorCode.USER_NOT_AUTHENTICATED,
      0,
    ]);

    // A call that only rings at a device that signs out continues to ring at the others.
    const ringing = other.dial('alice');
    fixture.exchange.signOut('alice', 'second');
    expect([tablet.closes, tablet.accept(ringing), other.told]).toEqual([
      [4401],
      ErrorCode.USER_NOT_AUTHENTICATED,
      'unknown',
    ]);
    const again = await device('alice', 'again', 'third');
    expect(again.accept(ringing)).toBe(0);
    fixture.exchange.signOut('alice');
    expect([again.closes, other.closes]).toEqual([[4401], []]);
  });

  it('S08 a session is found by its parent session while its device is connected, also after it has expired', async () => {
    fixture = createExchangeFixture();
    const tokens = { phone: 'first', tablet: 'second' } as const;
    const [phone, tablet] = await Promise.all(
      (['phone', 'tablet'] as const).map(async (client) => {
        const body = { app_id: 'ringback-demo', user_id: 'alice', access_token: tokens[client] };
        const answer = await login('alice', body, client);
        const device = new Device(fixture, 'alice', client, answer.body.sbcall_session_token);
        await device.connect();
        return device;
      }),
    );
    await login('bob', { app_id: 'ringback-demo', user_id: 'bob', access_token: 'third' });
    await fixture.device('carol');
    const [first, second] = [
      { userId: 'alice', access: 'first' },
      { userId: 'alice', access: 'second' },
    ];
    expect(fixture.exchange.signedIn()).toEqual([first, second, { userId: 'bob', access: 'third' }]);
    fixture.clock.advance(DEFAULT_SETTINGS.sessionMs);
    // Each login drops the expired ones.
    await fixture.device('dave');
    expect(fixture.exchange.signedIn()).toEqual([first, second]);
    fixture.exchange.signOut('alice', 'first');
    expect([phone?.closes, tablet?.closes]).toEqual([[4401], []]);
  });

  it('S08 a session continues with the latest login of its client, also when an earlier parent session ends', async () => {
    fixture = createExchangeFixture();
    const logIn = async (access_token: string) =>
      login('alice', { app_id: 'ringback-demo', user_id: 'alice', access_token }, 'phone');
    const phone = new Device(fixture, 'alice', 'phone', (await logIn('first')).body.sbcall_session_token);
    await phone.connect();
    await logIn('second');
    fixture.exchange.signOut('alice', 'first');
    expect([phone.closes, fixture.exchange.signedIn()]).toEqual([[], [{ userId: 'alice', access: 'second' }]]);
    fixture.exchange.signOut('alice', 'second');
    expect(phone.closes).toEqual([4401]);
  });

  it('S08 a removed user has no call and no channel, also after the session expired', async () => {
    const ringing = bob.dial('alice');
    fixture.exchange.removeUser('alice');
    expect([alice.closes, bob.closes, bob.told]).toEqual([[4401], [], 'unknown']);
    expect(bob.code('cancel', { call_id: ringing })).not.toBe(0);
    expect(bob.code('dial', { callee_id: 'alice', is_video_call: false, constraints: AV, capabilities: [] })).toBe(
      ErrorCode.ERR_CALLEE_DOES_NOT_EXIST,
    );
    fixture.clock.advance(DEFAULT_SETTINGS.sessionMs);
    // Each login drops the expired ones.
    await fixture.device('carol');
    fixture.exchange.removeUser('bob');
    expect(bob.closes).toEqual([4401]);
  });

  it('RT-02 accepts a channel only with token and client id together', () => {
    const link = { send: () => undefined, close: () => undefined };
    const connect = (sessionToken: string, clientId: string) =>
      fixture.exchange.connect({ sessionToken, clientId, version: '1.10.20' }, link);
    expect(connect(alice.token, 'other')).toMatchObject({ status: 401 });
    expect(connect('', alice.clientId)).toMatchObject({ status: 401 });
    expect(connect(alice.token, alice.clientId)).not.toHaveProperty('status');
  });

  it('S14 accepts sixteen devices of one user', async () => {
    for (let at = 2; at <= 16; at += 1) await fixture.device('alice', `alice-${at}`);
    await expect(fixture.device('alice', 'alice-17')).rejects.toThrow('refused with 429');
  });

  it('S14 each of sixteen devices may connect again while its old socket still exists', async () => {
    const devices = [alice];
    for (let at = 2; at <= 16; at += 1) devices.push(await fixture.device('alice', `alice-${at}`));
    for (const device of devices) await device.connect();
    expect(devices.map(({ closes }) => closes)).toEqual(devices.map(() => [4000]));
    expect(fixture.exchange.deviceCount).toBe(17);
  });
});

describe('the channel', () => {
  it('F17 gives a client one socket: the newest', async () => {
    const { token } = alice;
    const first: number[] = [];
    const late: string[] = [];
    const second: string[] = [];
    const who = { sessionToken: token, clientId: alice.clientId, version: '' };
    const old = fixture.exchange.connect(who, { send: (text) => late.push(text), close: (code) => first.push(code) });
    fixture.exchange.connect(who, { send: (text) => second.push(text), close: () => undefined });
    expect(first).toEqual([4000]);
    if ('status' in old) throw new Error('refused');
    old.receive(JSON.stringify(alice.frame('unended_calls', {})));
    old.closed();
    bob.dial('alice');
    expect(late).toEqual([]);
    expect(second.map((text) => JSON.parse(text).type)).toEqual(['dial']);
  });

  it.each([
    ['not JSON', '{"version":1,', null],
    ['an array', '[]', null],
    ['a string', '"x"', null],
    ['null', 'null', null],
    ['no request id', '{"version":1,"cmd":"CALL","type":"end","payload":{"call_id":"x"}}', null],
    [
      'another version',
      '{"version":9,"request_id":"r","cmd":"CALL","type":"end","payload":{}}',
      ErrorCode.ERR_WRONG_RESPONSE,
    ],
    ['no group', '{"version":1,"request_id":"r","type":"end","payload":{}}', ErrorCode.ERR_WRONG_RESPONSE],
    ['no type', '{"version":1,"request_id":"r","cmd":"CALL","payload":{}}', ErrorCode.ERR_WRONG_RESPONSE],
    [
      'an unknown group',
      '{"version":1,"request_id":"r","cmd":"ROOT","type":"end","payload":{}}',
      ErrorCode.ERR_WRONG_RESPONSE,
    ],
    [
      'an unknown command',
      '{"version":1,"request_id":"r","cmd":"CALL","type":"explode","payload":{}}',
      ErrorCode.ERR_WRONG_RESPONSE,
    ],
    [
      'a command of another group',
      '{"version":1,"request_id":"r","cmd":"SGNL","type":"end","payload":{}}',
      ErrorCode.ERR_WRONG_RESPONSE,
    ],
    [
      'a broken payload',
      '{"version":1,"request_id":"r","cmd":"COMM","type":"audio","payload":{"call_id":"x","is_enabled":1}}',
      ErrorCode.INVALID_PARAMETER_VALUE,
    ],
    [
      'a prototype',
      '{"version":1,"request_id":"r","cmd":"CALL","type":"__proto__","payload":{}}',
      ErrorCode.ERR_WRONG_RESPONSE,
    ],
  ])('B37 B38 B48 S18 logs %s, answers if possible, and stays open', (_, text, code) => {
    const call_id = alice.dial('bob');
    const before = alice.replies.length;
    alice.receive(text);
    expect(fixture.log.filter(({ level }) => level === 'error')).toMatchObject([{ message: 'unreadable frame' }]);
    const replies = alice.replies.slice(before);
    expect(replies.map(({ request_id, error }) => [request_id, error?.code])).toEqual(
      code === null ? [] : [['r', code]],
    );
    expect(alice.closes).toEqual([]);
    expect(bob.accept(call_id)).toBe(0);
    expect(alice.code('end', { call_id })).toBe(0);
  });

  it('B39 D25 closes a socket that sends more than 64 KiB with 1009', () => {
    alice.receive(`"${'é'.repeat(33_000)}"`);
    expect(alice.closes).toEqual([1009]);
  });

  it('B41 S14 closes a socket that sends too many messages with 1008, and serves the others', () => {
    for (let at = 0; at < 400; at += 1) alice.send('unended_calls', {});
    expect(alice.closes).toEqual([]);
    alice.receive('x');
    expect(alice.closes).toEqual([1008]);
    bob.send('unended_calls', {});
  });

  it('S14 closes a socket just as early after an hour without messages, because unused budget does not add up', () => {
    fixture.clock.advance(3_600_000);
    for (let at = 0; at < 400; at += 1) alice.send('unended_calls', {});
    alice.receive('x');
    expect(alice.closes).toEqual([1008]);
  });

  it('S14 refuses a flood of dials', async () => {
    fixture = createExchangeFixture({ settings: { dials: { burst: 2, perSecond: 1 } } });
    alice = await fixture.device('alice');
    await fixture.device('bob');
    const dial = () =>
      alice.code('dial', { callee_id: 'bob', is_video_call: false, constraints: AV, capabilities: [] });
    expect([dial(), dial(), dial()]).toEqual([0, 0, ErrorCode.ERR_SERVER_INTERNAL_ERROR]);
    fixture.clock.advance(1_000);
    expect(dial()).toBe(0);
  });

  it('PROD-03 reports the users who are reachable and those in a call', async () => {
    const changes: string[] = [];
    onPresence(fixture.exchange, (userId) => changes.push(`${userId} ${fixture.exchange.presenceOf(userId)}`));
    await fixture.device('carol', 'carol-1');
    const second = await fixture.device('carol', 'carol-2');
    second.disconnect();
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    bob.code('end', { call_id });
    expect(changes).toEqual(['carol online', 'alice in_call', 'bob in_call', 'alice online', 'bob online']);
    alice.disconnect();
    expect(changes.at(-1)).toBe('alice offline');
  });
});

describe('repeated requests', () => {
  const dialPayload = { callee_id: 'bob', is_video_call: false, constraints: AV, capabilities: [] };

  it('B66 F23 I12 gives one request id one effect and one answer, by socket and by HTTP', async () => {
    const first = alice.send('dial', dialPayload, 'r1');
    const again = alice.send('dial', dialPayload, 'r1');
    const { status, body } = await fixture.http('POST', '/v1/action/direct_call', {
      headers: alice.headers,
      body: alice.frame('dial', dialPayload, 'r1'),
    });
    expect(again).toEqual(first);
    expect([status, body]).toEqual([200, first]);
    expect(bob.types).toEqual(['dial']);
    expect(fixture.exchange.liveCalls).toHaveLength(1);
  });

  it('B66 refuses the same id for another command: 409 by HTTP, an error on the socket', async () => {
    alice.send('dial', dialPayload, 'r1');
    const other = { ...dialPayload, is_video_call: true };
    expect(
      await fixture.http('POST', '/v1/action/direct_call', {
        headers: alice.headers,
        body: alice.frame('dial', other, 'r1'),
      }),
    ).toMatchObject({ status: 409, body: { code: ErrorCode.INVALID_PARAMETER_VALUE } });
    expect(alice.send('dial', other, 'r1').error?.code).toBe(ErrorCode.INVALID_PARAMETER_VALUE);
    expect(fixture.exchange.liveCalls).toHaveLength(1);
  });

  it('two users may choose the same request id', () => {
    const there = alice.send('dial', dialPayload, 'r1');
    const back = bob.send('dial', { ...dialPayload, callee_id: 'alice' }, 'r1');
    expect([there.error, back.error]).toEqual([undefined, undefined]);
    expect(fixture.exchange.liveCalls).toHaveLength(2);
  });

  it('HTTP-25 a refused command is answered over HTTP as over the socket; an unreadable frame with 400', async () => {
    const post = (body: unknown, headers = alice.headers) =>
      fixture.http('POST', '/v1/action/direct_call', { headers, body });
    expect(await post(alice.frame('end', { call_id: 'none' }))).toMatchObject({
      status: 200,
      body: { type: 'end_ack', error: { code: ErrorCode.ERR_CALL_DOES_NOT_EXIST } },
    });
    expect(await post({ hello: 1 })).toMatchObject({ status: 400, body: { code: ErrorCode.ERR_WRONG_RESPONSE } });
    expect(await post(undefined)).toMatchObject({ status: 400, body: { code: ErrorCode.ERR_MALFORMED_DATA } });
    expect(await post({ hello: 1 }, {})).toMatchObject({ status: 401 });
  });
});

describe('missed signals of a device', () => {
  const missed = async (device: Device, call_ids: string) =>
    (
      await fixture.http('GET', '/v1/direct_calls/missed_signal', { query: { call_ids }, headers: device.headers })
    ).body.signals.map((signal: any) => [signal.sequence_number, signal.type, signal.delivery_info.channel]);

  it('HTTP-26 I13 stores the signals of each leg, numbered from 1 without gaps, for an absent device', async () => {
    const call_id = alice.dial('bob');
    alice.disconnect();
    bob.accept(call_id);
    bob.code('audio', { call_id, is_enabled: false });
    await alice.connect();
    expect(await missed(alice, call_id)).toEqual([
      [1, 'accept', 'missed_signal'],
      [2, 'audio', 'missed_signal'],
    ]);
    bob.code('video', { call_id, is_enabled: false });
    bob.code('end', { call_id });
    expect(
      alice.events.filter(({ type }) => type !== 'snapshot').map(({ sequence_number }) => sequence_number),
    ).toEqual([3, 4]);
    expect((await missed(alice, call_id)).map(([number]: [number]) => number)).toEqual([1, 2, 3, 4]);
  });

  it('lose the descriptions and candidates of the set-up when both sides have media', async () => {
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    alice.code('offer', { call_id, sdp: packSdp('v=0') });
    bob.code('answer', { call_id, sdp: packSdp('v=0') });
    bob.code('audio', { call_id, is_enabled: false });
    const typesFor = async (device: Device) =>
      (await missed(device, call_id)).map(([, type]: [number, string]) => type);
    expect(await typesFor(alice)).toEqual(['accept', 'answer', 'audio']);
    for (const device of [alice, bob]) device.connected(call_id);
    expect(await typesFor(alice)).toEqual(['audio', 'connected']);
    expect(await typesFor(bob)).toEqual(['connected']);
  });

  it('include an end that was sent while the device was away', async () => {
    const call_id = alice.dial('bob');
    bob.disconnect();
    alice.code('cancel', { call_id });
    await bob.connect();
    expect(bob.types).toEqual(['dial']);
    expect(bob.send('unended_calls', {}).payload).toEqual({ calls: [] });
    expect((await missed(bob, call_id)).map(([, type]: [number, string]) => type)).toEqual(['dial', 'cancel']);
  });

  it('B67 omits calls of others and unknown calls alike, and refuses an empty or endless list', async () => {
    const call_id = alice.dial('bob');
    const carol = await fixture.device('carol');
    expect(await missed(carol, `${call_id},none`)).toEqual([]);
    const ask = async (call_ids: string) =>
      (await fixture.http('GET', '/v1/direct_calls/missed_signal', { query: { call_ids }, headers: alice.headers }))
        .status;
    expect([await ask(''), await ask(','), await ask(Array.from({ length: 51 }, (_, at) => at).join(','))]).toEqual([
      400, 400, 400,
    ]);
  });

  it('include the newest signals of a long call', async () => {
    fixture = createExchangeFixture({ settings: { signalsPerLeg: 3 } });
    alice = await fixture.device('alice');
    bob = await fixture.device('bob');
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    for (let at = 0; at < 5; at += 1) bob.code('audio', { call_id, is_enabled: at % 2 === 0 });
    expect((await missed(alice, call_id)).map(([number]: [number]) => number)).toEqual([4, 5, 6]);
  });

  it('I22 S14 are trimmed when a call has ended, and still include its end', async () => {
    fixture = createExchangeFixture({ settings: { endedSignalChars: 1_000 } });
    alice = await fixture.device('alice');
    bob = await fixture.device('bob');
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    for (let at = 0; at < 20; at += 1) bob.code('audio', { call_id, is_enabled: at % 2 === 0 });
    expect(await missed(alice, call_id)).toHaveLength(21);
    bob.code('end', { call_id });
    const kept = await missed(alice, call_id);
    expect(kept.length).toBeLessThan(10);
    expect(kept.at(-1)).toEqual([22, 'end', 'missed_signal']);
  });

  it('S14 S16 of fifty calls at once stay below the limit of the library, with the newest signals of each call', async () => {
    const ample = { burst: 1e9, perSecond: 1 };
    fixture = createExchangeFixture({ settings: { messages: ample, sent: ample, dials: ample } });
    alice = await fixture.device('alice');
    bob = await fixture.device('bob');
    const sdp = packSdp(Array.from({ length: 2_000 }, (_, at) => `a=x:${Math.sin(at)}`).join('\r\n'));
    expect(sdp.length).toBeGreaterThan(20_000);
    const calls = Array.from({ length: 50 }, () => {
      const call_id = alice.dial('bob');
      bob.accept(call_id);
      // The last call has few signals.
      return call_id;
    });
    for (const call_id of calls.slice(1)) {
      for (let at = 0; at < 20; at += 1) alice.send('offer', { call_id, sdp });
      for (let at = 0; at < 10; at += 1) alice.send('audio', { call_id, is_enabled: true });
    }
    const query = { call_ids: calls.join(',') };
    const { body } = await fixture.http('GET', '/v1/direct_calls/missed_signal', { query, headers: bob.headers });
    expect(JSON.stringify(body).length).toBeLessThan(LIMITS.httpBodyBytes);
    const of = (call_id: string | undefined) =>
      body.signals.filter((signal: any) => signal.payload.call_id === call_id);
    expect(of(calls[0]).map(({ type }: any) => type)).toEqual(['dial']);
    for (const call_id of calls.slice(1)) {
      expect(of(call_id).length).toBeGreaterThan(9);
      expect(of(call_id).at(-1).sequence_number).toBe(31);
    }
    const alone = await fixture.http('GET', '/v1/direct_calls/missed_signal', {
      query: { call_ids: calls[1] ?? '' },
      headers: bob.headers,
    });
    expect(JSON.stringify(alone.body).length).toBeLessThan(300_000);
  });

  it('S14 S16 the list of unended calls has as many as a frame holds, the first accepted ones first', async () => {
    const custom_items = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`${at}`.padEnd(128, '-'), '晚'.repeat(128)]),
    );
    for (let at = 0; at < 50; at += 1) bob.dial('alice', { custom_items });
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    const reply = alice.send('unended_calls', {});
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(LIMITS.frameBytes);
    const { calls } = reply.payload as { calls: { call_id: string }[] };
    expect([calls[0]?.call_id, calls.length > 3]).toEqual([call_id, true]);
  });

  it('ENT-17 the list of unended calls has role, clients, sequence and the state of the other side', async () => {
    const call_id = alice.dial('bob', { custom_items: { topic: 'tea' } });
    expect(bob.send('unended_calls', {}).payload).toEqual({
      calls: [
        {
          call_id,
          call_type: 'direct',
          user_role: 'dc_callee',
          caller_client_id: 'alice-1',
          callee_client_id: null,
          signal_seq: 1,
          signal_snapshot: {
            is_audio_enabled: true,
            is_video_enabled: true,
            custom_items: { topic: 'tea' },
            recording: 'none',
          },
        },
      ],
    });
    bob.accept(call_id);
    expect(alice.send('unended_calls', {}).payload).toMatchObject({
      calls: [{ user_role: 'dc_caller', callee_client_id: 'bob-1', signal_seq: 1 }],
    });
    const other = await fixture.device('bob', 'bob-2');
    expect(other.send('unended_calls', {}).payload).toEqual({ calls: [] });
  });

  it('a device that returns gets a snapshot of its live call', async () => {
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    bob.code('video', { call_id, is_enabled: false });
    bob.code('recording', {
      call_id,
      recording_id: 'r',
      recording_type: 'local_remote_audios',
      recording_status: 'recording',
    });
    alice.disconnect();
    await alice.connect();
    expect(alice.events.at(-1)).toMatchObject({
      type: 'snapshot',
      sequence_number: 0,
      payload: {
        call_id,
        signal_seq: 3,
        signal_snapshot: { is_audio_enabled: true, is_video_enabled: false, custom_items: {}, recording: 'recording' },
      },
    });
  });

  it('end ten minutes after a call, and no store keeps any data of the call', async () => {
    const call_id = alice.dial('bob');
    alice.code('cancel', { call_id });
    fixture.clock.advance(10 * 60_000);
    const next = alice.dial('bob');
    alice.code('cancel', { call_id: next });
    expect(fixture.exchange.records.map(({ callId }) => callId)).toEqual([next]);
    expect(alice.code('cancel', { call_id })).toBe(ErrorCode.ERR_CALL_DOES_NOT_EXIST);
    expect(await missed(alice, call_id)).toEqual([]);
    expect(fixture.clock.pending).toBe(0);
  });
});

describe('the summary', () => {
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
  const send = (device: Device, call_id: string, user_role: string, more = {}) =>
    fixture.http('POST', `/v1/direct_calls/${call_id}/summary`, {
      headers: device.headers,
      body: { version: 1, user_role, summary_data: { ...data, ...more } },
    });

  it('HTTP-28 B65 is accepted once for each leg; a second one is ignored, and a device that lost the call is refused', async () => {
    const other = await fixture.device('bob', 'bob-2');
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    alice.code('end', { call_id });
    expect(await send(alice, call_id, 'dc_caller')).toEqual({ status: 200, body: {} });
    expect(await send(alice, call_id, 'dc_caller', { pdd: 1 })).toEqual({ status: 200, body: {} });
    expect(await send(bob, call_id, 'dc_callee')).toMatchObject({ status: 200 });
    expect(await send(other, call_id, 'dc_callee')).toMatchObject({
      status: 409,
      body: { code: ErrorCode.ERR_INVALID_CALL_STATUS },
    });
    expect(fixture.exchange.summariesOf(call_id)).toMatchObject([
      { user_role: 'dc_caller', summary_data: { pdd: 80 } },
      { user_role: 'dc_callee' },
    ]);
  });

  it('B52 clamps scores to the scale, and refuses values that cannot be measured', async () => {
    const call_id = alice.dial('bob');
    const audio = (more: object) => ({ audio: { ...data.audio, ...more } });
    for (const wrong of [
      audio({ mos: Number.NaN, mos_list: [Number.NaN] }),
      audio({ packet_loss_rate: 1.1 }),
      audio({ rtt: -1 }),
      { reconnection_count: 0.5 },
      { setup_time: Number.POSITIVE_INFINITY },
      { pdd: -1 },
    ]) {
      expect(await send(alice, call_id, 'dc_caller', wrong)).toMatchObject({ status: 400 });
    }
    expect(await send(alice, call_id, 'dc_caller', audio({ mos: 99, mos_list: [99, -1, 3.3] }))).toMatchObject({
      status: 200,
    });
    expect(fixture.exchange.summariesOf(call_id)).toMatchObject([
      { summary_data: { audio: { mos: 4.5, mos_list: [4.5, 1, 3.3] } } },
    ]);
  });

  it('B65 refuses another role, a body that breaks the schema, and calls of others', async () => {
    const call_id = alice.dial('bob');
    const carol = await fixture.device('carol');
    expect(await send(alice, call_id, 'dc_callee')).toMatchObject({ status: 400 });
    expect(await send(alice, call_id, 'dc_caller', { audio: 7 })).toMatchObject({
      status: 400,
      body: { code: ErrorCode.INVALID_PARAMETER_VALUE, message: 'summary_data.audio is an invalid or empty value.' },
    });
    expect(await send(carol, call_id, 'dc_caller')).toEqual(await send(carol, 'none', 'dc_caller'));
  });

  it('answers unknown paths with 404 and wrong methods with 405', async () => {
    const statuses = await Promise.all([
      fixture.http('GET', '/v1/nothing'),
      fixture.http('GET', '/v1/users/alice/login'),
      fixture.http('POST', '/v1/users/%zz/login'),
      fixture.http('POST', '/v1/users/a/../b/login'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 405, 400, 404]);
    expect(statuses[0]?.body).toEqual({ code: ErrorCode.ERR_REQUEST_FAILED, message: 'There is no such path.' });
  });
});

describe('relay credentials', () => {
  const relay = { urls: ['turn:one.example', 'turn:two.example'], secret: 's3cret', policy: 'relay' as const };

  beforeEach(async () => {
    fixture = createExchangeFixture({ settings: { relay } });
    alice = await fixture.device('alice');
    bob = await fixture.device('bob');
  });

  it('ENT-18 S23 are for one user and an hour, signed with the relay’s secret', () => {
    const call_id = alice.dial('bob');
    const expiry = fixture.clock.wallTime() / 1_000 + 3_600;
    expect(bob.event('dial').turn_credential).toEqual({
      username: `${expiry}:bob`,
      password: `hmac(s3cret,${expiry}:bob)`,
      turn_urls: relay.urls,
      transport_policy: 'relay',
    });
    bob.accept(call_id);
    expect(alice.event('accept').turn_credential.username).toBe(`${expiry}:alice`);
  });

  it('RT-13 a leg with the capability turn_changed begins with the first url alone', () => {
    const urlsOf = (capabilities: string[]) =>
      (alice.send('dial', { callee_id: 'bob', is_video_call: false, constraints: AV, capabilities }).payload as any)
        .turn_credential.turn_urls;
    expect(urlsOf([])).toEqual(relay.urls);
    expect(urlsOf(['turn_changed'])).toEqual(['turn:one.example']);
  });

  it('PAY-16 F36 change during a call for the legs with the capability', () => {
    const call_id = alice.dial('bob', { capabilities: ['turn_changed'] });
    bob.accept(call_id);
    fixture.exchange.changeTurn(call_id, { ...relay, urls: ['turn:three.example'] });
    expect(alice.event('turn_changed')).toMatchObject({
      call_id,
      turn_credential: { turn_urls: ['turn:three.example'] },
      event_id: expect.any(String),
    });
    expect(bob.types).not.toContain('turn_changed');
    expect(() => fixture.exchange.changeTurn('none')).toThrow(
      expect.objectContaining({ code: ErrorCode.ERR_CALL_DOES_NOT_EXIST }),
    );
  });

  it('S32 LOG-01 are in no line of the log, like tokens, addresses and sdp', async () => {
    const call_id = alice.dial('bob');
    bob.accept(call_id);
    alice.code('candidate', {
      call_id,
      candidate: { sdp: 'candidate:1 1 udp 1 192.0.2.77 5 typ host', sdp_mid: '0', sdp_mline_index: 0 },
    });
    alice.receive('{"version":1,"request_id":"turn:one.example 192.0.2.77","cmd":"CALL","type":"x","payload":{}}');
    alice.code('offer', { call_id, sdp: PACKED });
    alice.connected(call_id);
    bob.code('connected', { call_id, connection: CONNECTION, reconnect: false });
    alice.code('end', { call_id });
    const text = JSON.stringify(fixture.log);
    expect(fixture.log.length).toBeGreaterThan(5);
    for (const canary of ['s3cret', 'hmac(', 'turn:', alice.token, bob.token, '192.0.2.77', PACKED]) {
      expect(text).not.toContain(canary);
    }
  });
});
