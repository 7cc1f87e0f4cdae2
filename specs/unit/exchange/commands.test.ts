/** The effects of a command beside the state of its call: its reply, its limits, and the events that a host gets. */
import { beforeEach, describe, expect, it } from 'vitest';
import { packSdp } from '../../../src/protocol/sdp-codec.ts';
import type { CallEvent, DialQuestion } from '../../../sim/exchange/calls/call-event.ts';
import { callEvents, type UnreachedEvent } from '../../../sim/exchange/events.ts';
import {
  afterSetUp,
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

/** Two devices on an exchange with these options. */
async function open(options: Parameters<typeof createExchangeFixture>[0] = {}): Promise<void> {
  fixture = createExchangeFixture(options);
  alice = await fixture.device('alice');
  bob = await fixture.device('bob');
}
beforeEach(() => open());

const settle = () => new Promise((resolve) => void setImmediate(resolve));

function accepted(): string {
  const call_id = alice.dial('bob');
  expect(bob.accept(call_id)).toBe(0);
  return call_id;
}

function connected(): string {
  const call_id = accepted();
  expect([alice.connected(call_id), bob.connected(call_id)]).toEqual([0, 0]);
  return call_id;
}

describe('the reply', () => {
  it('to each command about a call contains the id of the call', () => {
    const call_id = accepted();
    const replies = [
      alice.send('offer', { call_id, sdp: PACKED }),
      bob.send('answer', { call_id, sdp: PACKED }),
      alice.send('candidate', { call_id, candidate: CANDIDATE }),
      alice.send('remove_candidates', { call_id, candidates: [CANDIDATE] }),
      alice.send('connected', { call_id, connection: CONNECTION, reconnect: false }),
      alice.send('audio', { call_id, is_enabled: true }),
      alice.send('video', { call_id, is_enabled: true }),
      bob.send('recording', {
        call_id,
        recording_id: 'r',
        recording_type: 'remote_audio_only',
        recording_status: 'none',
      }),
      bob.send('end', { call_id }),
    ];
    expect(replies.map(({ payload }) => payload)).toEqual(replies.map(() => ({ call_id })));
    expect(replies.map(({ type }) => type)).toEqual([
      'offer_ack',
      'answer_ack',
      'candidate_ack',
      'remove_candidates_ack',
      'connected_ack',
      'audio_ack',
      'video_ack',
      'recording_ack',
      'end_ack',
    ]);
  });

  it('ERR-1400999 to a command that fails in the exchange gives no detail', async () => {
    await open({
      mediaPath: () => {
        throw new Error('EMFILE at 192.0.2.7');
      },
    });
    const reply = alice.send('dial', { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] });
    expect(reply).toMatchObject({
      type: 'dial_ack',
      error: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: '' },
    });
    expect(reply.payload).toBeUndefined();
    expect(fixture.exchange.liveCalls).toEqual([]);
  });

  it('S14 to a dial above the limit gives the cause', async () => {
    await open({ settings: { dials: { burst: 1, perSecond: 1 } } });
    alice.dial('bob');
    const payload = { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] };
    expect(alice.send('dial', payload).error).toEqual({
      code: ErrorCode.ERR_SERVER_INTERNAL_ERROR,
      message: expect.stringContaining('Too many'),
    });
  });
});

describe('the limits of candidates', () => {
  const send = (call_id: string, count: number) =>
    Array.from({ length: count }, () => alice.send('candidate', { call_id, candidate: CANDIDATE }).error);

  it('B44 belong to one description: another description has a hundred, and a repeated one has none', () => {
    const call_id = accepted();
    alice.send('offer', { call_id, sdp: PACKED });
    expect(send(call_id, 100).filter((error) => error !== undefined)).toEqual([]);
    const [refused] = send(call_id, 1);
    expect(refused).toEqual({
      code: ErrorCode.INVALID_PARAMETER_VALUE,
      message: expect.stringContaining('candidate '),
    });
    alice.send('offer', { call_id, sdp: PACKED });
    expect(send(call_id, 1)).toMatchObject([{ code: ErrorCode.INVALID_PARAMETER_VALUE }]);
    alice.send('offer', { call_id, sdp: packSdp(`${SDP}a=ice-restart\r\n`) });
    const again = send(call_id, 101);
    expect(again.map((error) => error?.code ?? 0)).toEqual([
      ...Array.from({ length: 100 }, () => 0),
      ErrorCode.INVALID_PARAMETER_VALUE,
    ]);
  });

  it('B44 also count removed candidates', () => {
    const call_id = accepted();
    const remove = (count: number) =>
      alice.send('remove_candidates', { call_id, candidates: Array.from({ length: count }, () => CANDIDATE) }).error;
    expect(remove(100)).toBeUndefined();
    expect(remove(101)).toEqual({
      code: ErrorCode.INVALID_PARAMETER_VALUE,
      message: expect.stringContaining('payload.candidates: '),
    });
    expect(bob.types.filter((type) => type === 'remove_candidates')).toHaveLength(1);
  });
});

describe('the listener of a host of the exchange', () => {
  /** Collects the events that the exchange emits. */
  const hear = () => {
    const told: CallEvent[] = [];
    const stop = fixture.exchange.subscribe(afterSetUp((event) => told.push(event)));
    return { told, stop, kinds: () => told.map(({ kind }) => kind) };
  };
  const hold = (device: Device, call_id: string, is_on_hold: boolean) =>
    expect(device.code('hold', { call_id, is_on_hold, was_relayed: false })).toBe(0);

  it('gets an event when both sides are connected, and when the call ends, with its result', () => {
    const { told, kinds, stop } = hear();
    const call_id = accepted();
    alice.connected(call_id);
    expect([kinds(), fixture.exchange.liveCalls]).toEqual([[], [{ callId: call_id, state: 'accepted' }]]);
    fixture.clock.advance(40);
    bob.connected(call_id);
    const at = fixture.clock.wallTime();
    const head = { callId: call_id, caller: 'alice', callee: 'bob', isVideoCall: true };
    const now = { at, clock: fixture.clock.now() };
    expect(told).toEqual([
      { ...head, kind: 'connected', ...now },
      { ...head, kind: 'begun', ...now },
    ]);
    // Restored media causes no second connected event.
    alice.code('connected', { call_id, connection: CONNECTION, reconnect: true });
    fixture.clock.advance(5_000);
    bob.code('end', { call_id });
    expect(kinds()).toEqual(['connected', 'begun', 'ended']);
    expect(told[2]).toMatchObject({
      ...head,
      at: at + 5_000,
      record: { startedAt: at, duration: 5_000 },
      lost: null,
      endedBySide: 'callee',
    });
    stop();
    connected();
    expect(told).toHaveLength(3);
  });

  it('gets the same events when the callee has media first', () => {
    const { kinds } = hear();
    const call_id = accepted();
    bob.connected(call_id);
    expect(kinds()).toEqual([]);
    alice.connected(call_id);
    expect(kinds()).toEqual(['connected', 'begun']);
  });

  it('gets a hold of the first side that holds, and its end when the last side resumes', () => {
    const call_id = connected();
    const { kinds } = hear();
    hold(alice, call_id, true);
    expect(kinds()).toEqual(['held']);
    hold(bob, call_id, true);
    hold(alice, call_id, true);
    hold(alice, call_id, false);
    expect(kinds()).toEqual(['held']);
    hold(bob, call_id, false);
    expect(kinds()).toEqual(['held', 'resumed']);
    hold(bob, call_id, false);
    expect(kinds()).toEqual(['held', 'resumed']);
  });

  it('gets a hold from before the connection once the call is connected', () => {
    const { kinds } = hear();
    const call_id = accepted();
    hold(bob, call_id, true);
    expect(kinds()).toEqual([]);
    alice.connected(call_id);
    bob.connected(call_id);
    expect(kinds()).toEqual(['connected', 'begun', 'held']);
    hold(bob, call_id, false);
    expect(kinds()).toEqual(['connected', 'begun', 'held', 'resumed']);
  });

  it('does not affect calls and other listeners when it throws', () => {
    fixture.exchange.subscribe(
      afterSetUp(() => {
        throw new Error('EPIPE');
      }),
    );
    const { kinds } = hear();
    const call_id = connected();
    expect([kinds(), alice.code('end', { call_id })]).toEqual([['connected', 'begun'], 0]);
    expect(fixture.log.filter(({ level }) => level === 'error')).toHaveLength(3);
  });

  it('gets an event of an unreached call only when the callee has no connected device', async () => {
    const unreached: UnreachedEvent[] = [];
    fixture.exchange.subscribe((event) => void (event.kind === 'unreached' && unreached.push(event)));
    alice.dial('bob');
    expect(unreached).toEqual([]);
    bob.disconnect();
    const callId = alice.dial('bob', { is_video_call: false });
    const caller = { user_id: 'alice', nickname: 'alice', profile_url: '', metadata: {}, is_active: true };
    expect(unreached).toEqual([{ kind: 'unreached', callId, calleeId: 'bob', caller, isVideoCall: false }]);
  });
});

describe('a host that permits dials', () => {
  const payload = { callee_id: 'bob', is_video_call: false, constraints: AV, capabilities: [] };
  let asked: DialQuestion[];
  let answer: () => Promise<boolean>;
  const mayDial = (question: DialQuestion) => {
    asked.push(question);
    return answer();
  };
  beforeEach(async () => {
    asked = [];
    answer = async () => true;
    await open({ policy: { mayDial } });
  });
  /** Dials, and returns the reply once it arrives. */
  async function dial(more: object = {}) {
    const frame = alice.frame('dial', { ...payload, ...more });
    alice.receive(JSON.stringify(frame));
    await settle();
    return alice.replies.find(({ request_id }) => request_id === frame.request_id);
  }

  it('decides about each dial to an existing user, with caller, callee and kind, and about nothing else', async () => {
    const reply = await dial();
    expect(reply).toMatchObject({ type: 'dial_ack', payload: { caller: { user_id: 'alice' } } });
    expect(asked).toEqual([{ callId: expect.any(String), caller: 'alice', callee: 'bob', isVideoCall: false }]);
    expect(reply?.payload).toMatchObject({ call_id: asked[0]?.callId });
    expect(alice.code('unended_calls', {})).toBe(0);
    expect((await dial({ callee_id: 'nobody' }))?.error?.code).toBe(ErrorCode.ERR_CALLEE_DOES_NOT_EXIST);
    expect(asked).toHaveLength(1);
  });

  it('ERR-1400105 ERR-1400999 may refuse a dial; the dial is also refused when the host fails', async () => {
    answer = async () => false;
    const refused = await dial();
    expect(refused).toMatchObject({ cmd: 'CALL', type: 'dial_ack', error: { code: ErrorCode.ERR_NO_PERMISSION } });
    answer = () => Promise.reject(new Error('ECONNREFUSED'));
    expect(await dial()).toMatchObject({
      cmd: 'CALL',
      type: 'dial_ack',
      error: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR },
    });
    expect([bob.types, fixture.exchange.liveCalls]).toEqual([[], []]);
    const byHttp = await fixture.http('POST', '/v1/action/direct_call', {
      headers: alice.headers,
      body: alice.frame('dial', payload),
    });
    expect(byHttp).toMatchObject({
      status: 200,
      body: { type: 'dial_ack', error: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR } },
    });
  });

  it('B66 permits exactly the requested dial: another callee or kind with the same request id conflicts', async () => {
    await fixture.device('carol');
    let say = (_: boolean) => {};
    answer = () => new Promise((resolve) => void (say = resolve));
    const request_id = 'one-request';
    const frame = (more: object) => ({ ...alice.frame('dial', { ...payload, ...more }), request_id });
    const receive = (more: object) => alice.receive(JSON.stringify(frame(more)));
    receive({});
    receive({ callee_id: 'carol' });
    receive({ is_video_call: true });
    await settle();
    expect(alice.replies.filter((reply) => reply.request_id === request_id)).toMatchObject([
      { error: { code: ErrorCode.INVALID_PARAMETER_VALUE, message: expect.stringContaining('request_id') } },
      { error: { code: ErrorCode.INVALID_PARAMETER_VALUE } },
    ]);
    const headers = alice.headers;
    const byHttp = fixture.http('POST', '/v1/action/direct_call', { headers, body: frame({ callee_id: 'carol' }) });
    expect(await byHttp).toMatchObject({ status: 409, body: { code: ErrorCode.INVALID_PARAMETER_VALUE } });
    say(true);
    await settle();
    expect(asked).toHaveLength(1);
    expect(fixture.exchange.liveCalls).toMatchObject([{ callId: asked[0]?.callId }]);
    expect(bob.types).toEqual(['dial']);
  });

  it('S14 is asked at most as often as the budget of dials allows, and one dial is counted once', async () => {
    await open({ policy: { mayDial }, settings: { dials: { burst: 2, perSecond: 0.001 } } });
    expect((await dial())?.payload).toBeDefined();
    answer = async () => false;
    expect((await dial())?.error?.code).toBe(ErrorCode.ERR_NO_PERMISSION);
    const over = { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: expect.stringContaining('Too many') };
    expect((await dial())?.error).toEqual(over);
    expect(asked).toHaveLength(2);
  });

  it('S14 is not asked for a caller with too many calls, nor by an exchange that drains', async () => {
    await open({ policy: { mayDial }, settings: { callsPerCaller: 1 } });
    expect((await dial())?.payload).toBeDefined();
    expect((await dial())?.error).toEqual({
      code: ErrorCode.ERR_SERVER_INTERNAL_ERROR,
      message: expect.stringContaining('at once'),
    });
    fixture.exchange.drain();
    expect((await dial())?.error).toEqual({
      code: ErrorCode.ERR_SERVER_INTERNAL_ERROR,
      message: expect.stringContaining('restart'),
    });
    expect(asked).toHaveLength(1);
  });

  it('ERR-1400104 is not asked about a dial of a user to the same user id', async () => {
    expect((await dial({ callee_id: 'alice' }))?.error?.code).toBe(ErrorCode.ERR_DIAL_MYSELF);
    expect(asked).toEqual([]);
  });

  it('ERR-1400103 ERR-1400104 does not delay a dial that the exchange refuses', () => {
    for (const [callee_id, code] of [
      ['nobody', ErrorCode.ERR_CALLEE_DOES_NOT_EXIST],
      ['alice', ErrorCode.ERR_DIAL_MYSELF],
    ] as const) {
      expect(alice.send('dial', { ...payload, callee_id }).error?.code).toBe(code);
    }
  });

  it('S14 does not free a refused dial from the budget of bytes', async () => {
    await open({ policy: { mayDial }, settings: { sent: { burst: 300, perSecond: 0.001 } } });
    const codes = [1, 2, 3, 4].map(() => alice.code('dial', { ...payload, callee_id: 'alice' }));
    expect(new Set(codes)).toEqual(new Set([ErrorCode.ERR_DIAL_MYSELF, ErrorCode.ERR_SERVER_INTERNAL_ERROR]));
  });

  it('whose answer arrives after the device disconnected causes no call', async () => {
    let say = (_: boolean) => {};
    answer = () => new Promise((resolve) => void (say = resolve));
    await dial();
    alice.disconnect();
    say(true);
    await settle();
    expect([bob.types, fixture.exchange.liveCalls]).toEqual([[], []]);
  });

  describe('for a repeated dial', () => {
    let say: (isAllowed: boolean) => void;
    let events: CallEvent[];
    let again: () => Promise<{ status: number; body: any }>;
    const request_id = 'repeated';
    const replies = () => alice.replies.filter((reply) => reply.request_id === request_id);
    const notDialled = () => events.filter(({ kind }) => kind === 'not_dialled');

    beforeEach(async () => {
      answer = () => new Promise((resolve) => void (say = resolve));
      events = [];
      fixture.exchange.subscribe(callEvents((event) => void events.push(event)));
      const frame = alice.frame('dial', payload, request_id);
      again = () => fixture.http('POST', '/v1/action/direct_call', { headers: alice.headers, body: frame });
      alice.receive(JSON.stringify(frame));
    });

    it('I12 HTTP-25: is asked once while it decides, and both frames get the same call', async () => {
      const byHttp = again();
      await settle();
      expect(asked).toHaveLength(1);
      say(true);
      const call_id = asked[0]?.callId;
      expect(await byHttp).toMatchObject({ status: 200, body: { payload: { call_id } } });
      expect(replies()).toMatchObject([{ payload: { call_id } }]);
      expect(bob.types).toEqual(['dial']);
      expect(notDialled()).toEqual([]);
    });

    it('I12: is not asked again about a call that was dialled, and is asked again about a refused one', async () => {
      say(true);
      await settle();
      expect(await again()).toMatchObject({ body: { payload: { call_id: asked[0]?.callId } } });
      expect(asked).toHaveLength(1);

      answer = async () => false;
      await dial();
      const [refused] = alice.replies.slice(-1);
      expect(refused?.error?.code).toBe(ErrorCode.ERR_NO_PERMISSION);
      const repeated = alice.frame('dial', payload, refused?.request_id);
      answer = async () => true;
      alice.receive(JSON.stringify(repeated));
      await settle();
      expect(asked).toHaveLength(3);
      expect(alice.replies.at(-1)).toMatchObject({ payload: { call_id: asked[2]?.callId } });
      expect(notDialled()).toEqual([]);
    });

    it('gets one report of an allowed call that was not dialled, after the last of its frames', async () => {
      const byHttp = again();
      alice.disconnect();
      fixture.exchange.drain();
      say(true);
      expect((await byHttp).body.error.code).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
      await settle();
      expect(notDialled()).toMatchObject([{ ...asked[0], kind: 'not_dialled' }]);
      expect(fixture.exchange.liveCalls).toEqual([]);
    });

    it('gets no report of a call that it refused', async () => {
      alice.disconnect();
      say(false);
      await settle();
      expect(notDialled()).toEqual([]);
    });

    it('causes a count of a refused dial by the code of its refusal', async () => {
      const codes: number[] = [];
      fixture.exchange.subscribe((event) => void (event.kind === 'refused' && codes.push(event.code)));
      await dial({ callee_id: 'unknown' });
      expect(codes).toEqual([ErrorCode.ERR_CALLEE_DOES_NOT_EXIST]);
    });
  });
});

describe('commands that change no call', () => {
  it('the exchange answers a heartbeat with its time, and runs a repeated one again', () => {
    const frame = JSON.stringify(alice.frame('heartbeat', {}, 'beat'));
    alice.receive(frame);
    fixture.clock.advance(1_000);
    alice.receive(frame);
    const [first, second] = alice.replies.slice(-2).map(({ payload }) => (payload as { alive_at: number }).alive_at);
    expect(first).toBe(Date.UTC(2026, 0, 1));
    expect(second).toBe(Date.UTC(2026, 0, 1) + 1_000);
  });

  it('a sign of life and a list of calls run again when they are repeated', () => {
    const call_id = accepted();
    const alive = JSON.stringify(alice.frame('alive', { call_id }, 'alive'));
    const list = JSON.stringify(alice.frame('unended_calls', {}, 'list'));
    alice.receive(alive);
    alice.receive(list);
    expect(alice.replies.at(-1)).toMatchObject({ payload: { calls: [{ call_id }] } });
    bob.code('end', { call_id });
    alice.receive(alive);
    expect(alice.replies.at(-1)?.error?.code).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    alice.receive(list);
    expect(alice.replies.at(-1)).toMatchObject({ payload: { calls: [] } });
  });
});
