import { beforeEach, describe, expect, it } from 'vitest';
import { unpackSdp, packSdp } from '../../../src/protocol/sdp-codec.ts';
import {
  AV,
  CANDIDATE,
  CONNECTION,
  createExchangeFixture,
  PACKED,
  SDP,
  type Device,
  type ExchangeFixture,
} from './exchange-fixture.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

let fixture: ExchangeFixture;
let alice: Device;
let bob: Device;
let bob2: Device;

beforeEach(async () => {
  fixture = createExchangeFixture();
  alice = await fixture.device('alice');
  bob = await fixture.device('bob', 'bob-1');
  bob2 = await fixture.device('bob', 'bob-2');
});

/** A call that bob's first device has accepted. */
function accepted(): string {
  const id = alice.dial('bob');
  expect(bob.accept(id)).toBe(0);
  return id;
}

function connected(): string {
  const id = accepted();
  expect([alice.connected(id), bob.connected(id)]).toEqual([0, 0]);
  return id;
}

describe('dial', () => {
  it('PAY-01 PAY-02 acknowledges the dial and rings every connected device of the callee', () => {
    const reply = alice.send('dial', {
      callee_id: 'bob',
      is_video_call: true,
      custom_items: { topic: 'tea' },
      constraints: AV,
      capabilities: ['turn_changed'],
    });
    expect(reply).toMatchObject({
      type: 'dial_ack',
      payload: {
        caller: { user_id: 'alice', role: 'dc_caller' },
        callee: { user_id: 'bob', role: 'dc_callee' },
        custom_items: { topic: 'tea' },
        created_at: fixture.clock.wallTime(),
      },
    });
    for (const device of [bob, bob2]) {
      expect(device.events).toMatchObject([
        {
          type: 'dial',
          sequence_number: 1,
          payload: { caller: { user_id: 'alice' }, custom_items: { topic: 'tea' }, capabilities: ['turn_changed'] },
        },
      ]);
    }
    expect(bob.event('dial').short_lived_token).not.toBe(bob2.event('dial').short_lived_token);
    expect(alice.events).toEqual([]);
  });

  it('ERR-1400103 ERR-1400104 ERR-1400106 refuses an unknown user, the user id of the caller, and a user who never logged in', () => {
    const dial = (callee_id: string) =>
      alice.code('dial', { callee_id, is_video_call: false, constraints: AV, capabilities: [] });
    expect([dial('nobody'), dial('alice'), dial('carol')]).toEqual([
      ErrorCode.ERR_CALLEE_DOES_NOT_EXIST,
      ErrorCode.ERR_DIAL_MYSELF,
      ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE,
    ]);
    expect(fixture.exchange.liveCalls).toEqual([]);
  });

  it('D24 refuses custom items that break their rules, and stores none of them', () => {
    const dial = (custom_items: Record<string, string>) =>
      alice.code('dial', { callee_id: 'bob', is_video_call: false, constraints: AV, capabilities: [], custom_items });
    expect(dial({ 'a,b': 'x' })).toBe(ErrorCode.INVALID_PARAMETER_VALUE);
    expect(dial({ a: '' })).toBe(ErrorCode.INVALID_PARAMETER_VALUE);
    expect(dial({ a: 'x'.repeat(129) })).toBe(ErrorCode.INVALID_PARAMETER_VALUE);
    expect(dial(Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`k${at}`, 'v'])))).toBe(
      ErrorCode.INVALID_PARAMETER_VALUE,
    );
    expect(Object.keys(({} as Record<string, unknown>)['polluted'] ?? {})).toEqual([]);
  });

  it('rings a device that connects while the call rings, and sends the dial again with its number to one that returns', async () => {
    const id = alice.dial('bob');
    const bob3 = await fixture.device('bob', 'bob-3');
    expect(bob3.event('dial').call_id).toBe(id);
    bob.disconnect();
    await bob.connect();
    expect(bob.events.map(({ type, sequence_number }) => [type, sequence_number])).toEqual([
      ['dial', 1],
      ['dial', 1],
    ]);
    expect(bob.events[0]?.message_id).toBe(bob.events[1]?.message_id);
  });

  it('PAY-13 HTTP-25 S11 notifies the caller once that a device rings, by a short-lived token that is valid once', async () => {
    const call_id = alice.dial('bob');
    const say = (device: Device, requestId: string, token = device.event('dial').short_lived_token) =>
      fixture.http('POST', '/v1/action/direct_call', {
        headers: { 'x-client-id': device.clientId, 'x-short-lived-token': token },
        body: device.frame(
          'dial_rcv',
          { call_id, callee_delivery_info: { channel: 'websocket' }, received_type: 'websocket' },
          requestId,
        ),
      });
    expect(await say(bob, 'r1')).toMatchObject({ status: 200, body: { type: 'dial_rcv_ack', payload: { call_id } } });
    expect(await say(bob, 'r1')).toMatchObject({ status: 200 });
    expect(await say(bob, 'r2')).toMatchObject({ status: 401 });
    expect(await say(bob2, 'r3')).toMatchObject({ status: 200 });
    expect(await say(bob2, 'r4', 'forged')).toMatchObject({
      status: 401,
      body: { code: ErrorCode.USER_NOT_AUTHENTICATED },
    });
    expect(alice.types).toEqual(['dial_rcv']);
  });

  it('S11 refuses a short-lived token after its expiry, and for any other command or call', async () => {
    const call_id = alice.dial('bob');
    const headers = { 'x-short-lived-token': bob.event('dial').short_lived_token };
    const send = (body: unknown) => fixture.http('POST', '/v1/action/direct_call', { headers, body });
    expect(await send(bob.frame('decline', { call_id }))).toMatchObject({ status: 401 });
    const received = { callee_delivery_info: { channel: 'push' }, received_type: 'push' } as const;
    expect(await send(bob.frame('dial_rcv', { call_id: 'other', ...received }))).toMatchObject({ status: 401 });
    fixture.clock.advance(60_000);
    expect(await send(bob.frame('dial_rcv', { call_id, ...received }))).toMatchObject({ status: 401 });
    expect(alice.types).toEqual([]);
  });
});

describe('accept', () => {
  it('PAY-03 PAY-04 F31 gives the call to the first device, notifies the caller, and stops the ringing of the others', () => {
    const call_id = alice.dial('bob');
    const reply = bob.send('accept', {
      call_id,
      constraints: { audio: true, video: false },
      capabilities: ['turn_changed'],
    });
    expect(reply).toMatchObject({ type: 'accept_ack', payload: { call_id, turn_credential: { turn_urls: [] } } });
    expect(alice.event('accept')).toMatchObject({ call_id, audio: true, video: false, capabilities: ['turn_changed'] });
    expect(bob2.types).toEqual(['dial', 'other_device_accepted']);
    expect(bob2.accept(call_id)).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect(bob.accept(call_id)).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
  });

  it('DC-51 ERR-1400105 lets only the callee accept or decline', () => {
    const call_id = alice.dial('bob');
    expect(alice.accept(call_id)).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(alice.code('decline', { call_id })).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(fixture.exchange.liveCalls).toEqual([{ callId: call_id, state: 'ringing' }]);
  });

  it('B46 B47 S20 ERR-1400102 gives the same answer about a call of other users and about an unknown call', async () => {
    const call_id = connected();
    const carol = await fixture.device('carol');
    for (const type of ['end', 'cancel', 'alive', 'decline'] as const) {
      const foreign = carol.send(type, { call_id });
      const unknown = carol.send(type, { call_id: 'nothing' });
      expect(foreign.error).toEqual({ code: ErrorCode.ERR_CALL_DOES_NOT_EXIST, message: '' });
      expect(unknown.error).toEqual(foreign.error);
    }
    expect(fixture.exchange.liveCalls).toEqual([{ callId: call_id, state: 'connected' }]);
  });
});

describe('how a call ends (the outcome table)', () => {
  const last = () => fixture.exchange.records.at(-1);

  it('completed: a side ends after both were connected; the result has the length and the user that ended it', () => {
    const call_id = connected();
    fixture.clock.advance(12_345);
    expect(bob.code('end', { call_id })).toBe(0);
    expect([alice.told, bob.told, bob2.told]).toEqual(['completed', undefined, 'other_device_accepted']);
    expect(alice.event('end')).toMatchObject({ ended_by: { user_id: 'bob' }, duration: 12_345 });
    expect(last()).toMatchObject({
      callId: call_id,
      isVideoCall: true,
      participants: [{ user_id: 'alice' }, { user_id: 'bob' }],
      startedAt: fixture.clock.wallTime() - 12_345,
      endedAt: fixture.clock.wallTime(),
      endedBy: { user_id: 'bob' },
      duration: 12_345,
      endResult: 'completed',
    });
  });

  it('canceled: the caller hangs up before any device accepts', () => {
    const call_id = alice.dial('bob');
    expect(alice.code('cancel', { call_id })).toBe(0);
    expect([bob.types, bob2.types]).toEqual([
      ['dial', 'cancel'],
      ['dial', 'cancel'],
    ]);
    expect([bob.told, bob2.told]).toEqual(['canceled', 'canceled']);
    expect(last()).toMatchObject({ endResult: 'canceled', startedAt: null, duration: 0 });
  });

  it('declined: one device declines for all', () => {
    const call_id = alice.dial('bob');
    expect(bob2.code('decline', { call_id })).toBe(0);
    expect([alice.told, bob.told, bob2.told]).toEqual(['declined', 'declined', undefined]);
    expect(last()).toMatchObject({ endedBy: { user_id: 'bob' } });
  });

  it.each(['alice', 'bob'])('D08 no_answer: the ring timer of %s fires first', (who) => {
    const call_id = alice.dial('bob');
    const first = who === 'alice' ? alice : bob;
    expect(first.code('no_answer', { call_id })).toBe(0);
    const others = [alice, bob, bob2].filter((device) => device !== first);
    expect(others.map(({ told }) => told)).toEqual(['no_answer', 'no_answer']);
    expect(last()).toMatchObject({ endResult: 'no_answer', endedBy: null });
    expect(others.map((device) => device.code('no_answer', { call_id }))).toEqual([
      ErrorCode.ERR_INVALID_CALL_STATUS,
      ErrorCode.ERR_INVALID_CALL_STATUS,
    ]);
  });

  it.each([
    ['accepting_timeout', 'bob'],
    ['answering_timeout', 'bob'],
    ['offering_timeout', 'alice'],
  ] as const)('PAY-11 timed_out: %s of %s ends an accepted call', (reason, who) => {
    const call_id = accepted();
    const [from, other] = who === 'alice' ? [alice, bob] : [bob, alice];
    expect(other.code('timeout', { call_id, reason })).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(from.code('timeout', { call_id, reason })).toBe(0);
    expect([other.told, bob2.told]).toEqual(['timed_out', 'other_device_accepted']);
    expect(last()).toMatchObject({ endResult: 'timed_out', endedBy: null, duration: 0 });
  });

  it.each(['alice', 'bob'])('D10 not_connected: %s hangs up after the accept, before media', (who) => {
    const call_id = accepted();
    const [from, other] = who === 'alice' ? [alice, bob] : [bob, alice];
    expect(from.code('end', { call_id })).toBe(0);
    expect([other.told, bob2.told]).toEqual(['not_connected', 'other_device_accepted']);
  });

  it.each(['alice', 'bob'])('I8 I9 completed by %s, whose report of media was lost: the other report counts', (who) => {
    const call_id = accepted();
    const [from, other] = who === 'alice' ? [alice, bob] : [bob, alice];
    other.connected(call_id);
    fixture.clock.advance(5_000);
    expect(from.code('end', { call_id, was_connected: true })).toBe(0);
    expect([other.told, last()?.duration]).toEqual(['completed', 5_000]);
  });

  it('connection_lost: a connected side lost its media', () => {
    const call_id = connected();
    fixture.clock.advance(5_000);
    expect(alice.code('connection_lost', { call_id })).toBe(0);
    expect(bob.told).toBe('connection_lost');
    expect(last()).toMatchObject({ endResult: 'connection_lost', endedBy: null, duration: 5_000 });
  });

  it.each(['alice', 'bob'])(
    'connection_lost by %s, the only side that had media: the length counts from its media, also in the history',
    async (who) => {
      const call_id = accepted();
      const [from, other] = who === 'alice' ? [alice, bob] : [bob, alice];
      from.connected(call_id);
      const startedAt = fixture.clock.wallTime();
      fixture.clock.advance(5_000);
      expect(from.code('connection_lost', { call_id })).toBe(0);
      expect(other.event('connection_lost')).toMatchObject({ end_result: 'connection_lost', duration: 5_000 });
      expect(last()).toMatchObject({ startedAt, duration: 5_000 });
      for (const device of [alice, bob]) {
        const { body } = await fixture.http('GET', `/v1/users/${device.userId}/calls`, { headers: device.headers });
        expect(body.calls).toMatchObject([{ call_id, started_at: startedAt, duration: 5_000 }]);
      }
    },
  );

  it('completed: a side with media hangs up before the other side has reported media', () => {
    const call_id = accepted();
    alice.connected(call_id);
    fixture.clock.advance(40);
    expect(alice.code('end', { call_id })).toBe(0);
    expect(bob.told).toBe('completed');
    expect(last()).toMatchObject({ duration: 40 });
  });

  it('D12 unknown: after the exchange lost its calls, the next command is answered with 1400102', () => {
    const call_id = connected();
    fixture.exchange.forgetCalls();
    expect(alice.code('alive', { call_id })).toBe(ErrorCode.ERR_CALL_DOES_NOT_EXIST);
    expect(bob.code('end', { call_id })).toBe(ErrorCode.ERR_CALL_DOES_NOT_EXIST);
    expect(fixture.clock.pending).toBe(0);
  });

  it('unknown: a called user is notified when the exchange stops, and no timer is left', () => {
    alice.dial('bob');
    fixture.exchange.close();
    expect([alice.told, bob.told]).toEqual(['unknown', 'unknown']);
    expect(alice.closes).toEqual([1012]);
    expect(fixture.clock.pending).toBe(0);
  });
});

describe('the first command decides a race, once (D11)', () => {
  it('F30 cancel before accept: the accept loses', () => {
    const call_id = alice.dial('bob');
    expect([alice.code('cancel', { call_id }), bob.accept(call_id)]).toEqual([0, ErrorCode.ERR_INVALID_CALL_STATUS]);
    expect(bob.told).toBe('canceled');
    expect(alice.types).toEqual([]);
  });

  it('F30 accept before cancel: the cancel loses, and the callee does not wait for a caller that has left', () => {
    const call_id = alice.dial('bob');
    expect([bob.accept(call_id), alice.code('cancel', { call_id })]).toEqual([0, ErrorCode.ERR_INVALID_CALL_STATUS]);
    expect([bob.told, bob2.told]).toEqual(['not_connected', 'other_device_accepted']);
    expect(fixture.exchange.records).toHaveLength(1);
  });

  it('accept before the ring timer of the caller: the timer loses, like a cancel', () => {
    const call_id = alice.dial('bob');
    expect([bob.accept(call_id), alice.code('no_answer', { call_id })]).toEqual([0, ErrorCode.ERR_INVALID_CALL_STATUS]);
    expect(bob.told).toBe('not_connected');
  });

  it('F32 decline on one device and accept on another: the first one decides, in each order', () => {
    const first = alice.dial('bob');
    expect([bob.code('decline', { call_id: first }), bob2.accept(first)]).toEqual([
      0,
      ErrorCode.ERR_INVALID_CALL_STATUS,
    ]);
    expect([alice.told, bob2.told]).toEqual(['declined', 'declined']);
    const second = alice.dial('bob');
    expect([bob2.accept(second), bob.code('decline', { call_id: second })]).toEqual([
      0,
      ErrorCode.ERR_INVALID_CALL_STATUS,
    ]);
    expect(bob.told).toBe('other_device_accepted');
    expect(fixture.exchange.liveCalls).toEqual([{ callId: second, state: 'accepted' }]);
  });

  it('F33 two ends, or an end and a lost connection: the call ends once', () => {
    const first = connected();
    expect([alice.code('end', { call_id: first }), bob.code('end', { call_id: first })]).toEqual([
      0,
      ErrorCode.ERR_INVALID_CALL_STATUS,
    ]);
    const second = connected();
    expect([alice.code('connection_lost', { call_id: second }), bob.code('end', { call_id: second })]).toEqual([
      0,
      ErrorCode.ERR_INVALID_CALL_STATUS,
    ]);
    expect(bob.told).toBe('connection_lost');
    expect(fixture.exchange.records.map(({ endResult }) => endResult)).toEqual(['completed', 'connection_lost']);
  });

  it('D09 F29 two users who dial each other at once get two calls, and each may accept one', () => {
    const there = alice.dial('bob');
    const back = bob.dial('alice');
    expect([alice.accept(back), bob.accept(there)]).toEqual([0, 0]);
    expect(fixture.exchange.liveCalls.map(({ state }) => state)).toEqual(['accepted', 'accepted']);
  });
});

describe('the messages between the two sides', () => {
  it('PAY-05 PAY-06 PAY-07 offer, answer and candidates are forwarded to the other side only', () => {
    const call_id = accepted();
    alice.send('offer', { call_id, sdp: PACKED, peer_connection_id: 'p1' });
    alice.send('candidate', { call_id, candidate: CANDIDATE, peer_connection_id: 'p1' });
    bob.send('answer', { call_id, sdp: PACKED, peer_connection_id: 'p1' });
    bob.send('remove_candidates', { call_id, candidates: [CANDIDATE] });
    expect(bob.types).toEqual(['dial', 'offer', 'candidate']);
    expect(alice.types).toEqual(['accept', 'answer', 'remove_candidates']);
    expect(bob2.types).toEqual(['dial', 'other_device_accepted']);
    expect(bob.event('offer')).toEqual({ call_id, sdp: PACKED, peer_connection_id: 'p1' });
    expect(bob.event('candidate')).toEqual({ call_id, candidate: CANDIDATE, peer_connection_id: 'p1' });
    expect(unpackSdp(alice.event('answer').sdp)).toBe(SDP);
  });

  it('DC-52 B45 offers are accepted only from the caller, answers only from the callee, and neither while the call rings', () => {
    const call_id = alice.dial('bob');
    expect(alice.code('offer', { call_id, sdp: PACKED })).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect(alice.code('candidate', { call_id, candidate: CANDIDATE })).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    bob.accept(call_id);
    expect(bob.code('offer', { call_id, sdp: PACKED })).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(alice.code('answer', { call_id, sdp: PACKED })).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(bob2.code('answer', { call_id, sdp: PACKED })).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect(alice.types).toEqual(['accept']);
  });

  it('PAY-19 B42 an sdp that cannot be unpacked is refused with 1800208 and logged, and the call continues', () => {
    const call_id = accepted();
    const refused = [btoa('not gzip at all'), PACKED.slice(0, 40), 'not base64!'].map((sdp) =>
      alice.code('offer', { call_id, sdp }),
    );
    expect(refused).toEqual([ErrorCode.ERR_MALFORMED_DATA, ErrorCode.ERR_MALFORMED_DATA, ErrorCode.ERR_MALFORMED_DATA]);
    expect(fixture.log.filter(({ level, message }) => level === 'info' && message === 'command refused')).toHaveLength(
      3,
    );
    expect(bob.types).toEqual(['dial']);
    expect(alice.code('offer', { call_id, sdp: PACKED })).toBe(0);
  });

  it('B44 at most a hundred candidates of a description are forwarded', () => {
    const call_id = accepted();
    const codes = Array.from({ length: 101 }, () => alice.code('candidate', { call_id, candidate: CANDIDATE }));
    expect(codes.filter((code) => code === 0)).toHaveLength(100);
    expect(codes.at(-1)).toBe(ErrorCode.INVALID_PARAMETER_VALUE);
    alice.send('offer', { call_id, sdp: packSdp(`${SDP}a=ice-restart\r\n`) });
    expect(alice.code('candidate', { call_id, candidate: CANDIDATE })).toBe(0);
  });

  it('PAY-08 PAY-09 PAY-10 PAY-12 PAY-14 DC-53 audio, video, hold, recording and connected of either side are forwarded', () => {
    const call_id = connected();
    for (const [from, to, id] of [
      [alice, bob, 'alice'],
      [bob, alice, 'bob'],
    ] as const) {
      expect(from.send('audio', { call_id, is_enabled: false }).payload).toEqual({ call_id });
      expect(from.send('video', { call_id, is_enabled: false }).payload).toEqual({ call_id });
      expect(from.send('hold', { call_id, is_on_hold: true, was_relayed: true })).toMatchObject({
        type: 'hold_ack',
        payload: { call_id, is_on_hold: true },
      });
      const recording = {
        call_id,
        recording_id: 'r',
        recording_type: 'remote_audio_only',
        recording_status: 'recording',
      } as const;
      from.send('recording', recording);
      from.send('connected', { call_id, connection: CONNECTION, reconnect: true });
      expect(to.event('audio')).toEqual({ call_id, is_enabled: false });
      expect(to.event('video')).toEqual({ call_id, is_enabled: false });
      expect(to.event('hold')).toEqual({ call_id, holded_by: id, is_peer_on_hold: true, is_relayed: true });
      expect(to.event('recording')).toEqual(recording);
      expect(to.event('connected')).toEqual({ call_id, reconnect: true });
    }
  });

  it('messages of a device that has not accepted are not forwarded to the caller', () => {
    const call_id = alice.dial('bob');
    expect(bob.code('audio', { call_id, is_enabled: true })).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect(bob.code('connected', { call_id, connection: CONNECTION, reconnect: false })).toBe(
      ErrorCode.ERR_INVALID_CALL_STATUS,
    );
    expect(bob.code('hold', { call_id, is_on_hold: true, was_relayed: false })).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect(alice.code('audio', { call_id, is_enabled: false })).toBe(0);
    expect(alice.types).toEqual([]);
  });
});

describe('a side that falls silent', () => {
  const keepAlive = (devices: readonly Device[], call_id: string, ms: number) => {
    for (let at = 0; at < ms; at += 30_000) {
      for (const device of devices) device.send('alive', { call_id });
      fixture.clock.advance(30_000);
    }
  };

  it('PAY-17 the acknowledgement of alive has the time of the exchange', () => {
    const call_id = alice.dial('bob');
    expect(alice.send('alive', { call_id }).payload).toEqual({ call_id, alive_at: fixture.clock.wallTime() });
  });

  it('D13 ends a connected call as connection_lost after 65 s', () => {
    const call_id = connected();
    fixture.clock.advance(30_000);
    alice.send('alive', { call_id });
    fixture.clock.advance(34_999);
    expect(fixture.exchange.liveCalls).toHaveLength(1);
    fixture.clock.advance(1);
    expect([alice.told, bob.told]).toEqual(['connection_lost', 'connection_lost']);
    expect(fixture.clock.pending).toBe(0);
  });

  it.each([
    ['caller', 'accepted'],
    ['callee', 'accepted'],
    ['caller', 'connected'],
    ['callee', 'connected'],
  ] as const)('D13 ends a call as connection_lost when it is the %s and the call is %s', (side, state) => {
    const call_id = state === 'accepted' ? accepted() : connected();
    keepAlive([side === 'caller' ? bob : alice], call_id, 60_000);
    fixture.clock.advance(4_999);
    expect(fixture.exchange.liveCalls).toEqual([{ callId: call_id, state }]);
    fixture.clock.advance(1);
    expect([alice.told, bob.told]).toEqual(['connection_lost', 'connection_lost']);
    expect(fixture.exchange.records.at(-1)).toMatchObject({ endResult: 'connection_lost', endedBy: null });
  });

  it('D13 ends a ringing call as no_answer after 65 s when it is the caller', () => {
    alice.dial('bob');
    alice.disconnect();
    fixture.clock.advance(65_000);
    expect([bob.told, bob2.told]).toEqual(['no_answer', 'no_answer']);
  });

  it('a call has any length while both sides send alive, and rings while the caller does', () => {
    const long = connected();
    keepAlive([alice, bob], long, 3_600_000);
    expect(fixture.exchange.liveCalls).toEqual([{ callId: long, state: 'connected' }]);
    alice.send('end', { call_id: long });
    expect(fixture.exchange.records.at(-1)?.duration).toBe(3_600_000);
    const ringing = alice.dial('bob');
    keepAlive([alice, bob], ringing, 120_000);
    expect(fixture.exchange.liveCalls).toEqual([{ callId: ringing, state: 'ringing' }]);
  });

  it('the exchange ends ringing and setup at its own limits, which are longer than those of the library', () => {
    const ringing = alice.dial('bob');
    keepAlive([alice, bob], ringing, 300_000);
    expect([alice.told, bob.told]).toEqual(['no_answer', 'no_answer']);
    const slow = accepted();
    keepAlive([alice, bob], slow, 300_000);
    expect([alice.told, bob.told]).toEqual(['timed_out', 'timed_out']);
  });
});

describe('the media path', () => {
  it('carries descriptions and candidates in order although it is slow, and may drop a candidate', async () => {
    const waits: (() => void)[] = [];
    let disposed = 0;
    fixture = createExchangeFixture({
      mediaPath: () => ({
        rewriteSdp: (sdp, from) => `${sdp}a=by ${from}\r\n`,
        rewriteCandidate: (sdp, from) =>
          new Promise((resolve) => waits.push(() => resolve(sdp.includes('tcp') ? null : `${sdp} by ${from}`))),
        dispose: () => (disposed += 1),
      }),
    });
    alice = await fixture.device('alice');
    bob = await fixture.device('bob');
    const call_id = accepted();
    const settle = () => new Promise((resolve) => void setImmediate(resolve));
    alice.send('candidate', { call_id, candidate: CANDIDATE });
    alice.send('candidate', { call_id, candidate: { ...CANDIDATE, sdp: 'candidate:2 1 tcp 1 192.0.2.7 9 typ host' } });
    alice.send('offer', { call_id, sdp: PACKED });
    await settle();
    expect(bob.types).toEqual(['dial']);
    while (waits.length > 0) {
      waits.shift()?.();
      await settle();
    }
    expect(bob.types).toEqual(['dial', 'candidate', 'offer']);
    expect(bob.event('candidate').candidate.sdp).toBe(`${CANDIDATE.sdp} by caller`);
    expect(unpackSdp(bob.event('offer').sdp)).toBe(`${SDP}a=by caller\r\n`);
    alice.send('candidate', { call_id, candidate: CANDIDATE });
    await settle();
    alice.send('end', { call_id });
    waits.shift()?.();
    await settle();
    expect(bob.types).toEqual(['dial', 'candidate', 'offer', 'end']);
    expect(disposed).toBe(1);
  });
});
