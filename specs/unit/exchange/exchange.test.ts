/** The requests of a host to an exchange, and the calls that the exchange stores, at their limits. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Credentials } from '../../../sim/exchange/directory/credentials.ts';
import { WriteQueue } from '../../../sim/exchange/delivery/write-queue.ts';
import { Log } from '../../../sim/exchange/logging/log.ts';
import type { LogEntry } from '../../../sim/exchange/ports.ts';
import {
  AV,
  CANDIDATE,
  createExchangeFixture,
  onPresence,
  PACKED,
  type Device,
  type ExchangeFixture,
} from './exchange-fixture.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { HandClock } from '../support/hand-clock.ts';

let fixture: ExchangeFixture;
let alice: Device;
let bob: Device;

async function open(options: Parameters<typeof createExchangeFixture>[0] = {}): Promise<void> {
  fixture = createExchangeFixture(options);
  alice = await fixture.device('alice');
  bob = await fixture.device('bob');
}
beforeEach(() => open());

const settle = () => new Promise((resolve) => void setImmediate(resolve));
const dialCode = (from: Device, callee_id: string) =>
  from.code('dial', { callee_id, is_video_call: true, constraints: AV, capabilities: [] });

function accepted(from = alice, to = bob): string {
  const call_id = from.dial(to.userId);
  expect(to.accept(call_id)).toBe(0);
  return call_id;
}

function connected(from = alice, to = bob): string {
  const call_id = accepted(from, to);
  for (const device of [from, to]) expect(device.connected(call_id)).toBe(0);
  return call_id;
}

describe('a host', () => {
  it('ends a connected call for both sides as completed, and no other call', () => {
    const ringing = alice.dial('bob');
    fixture.exchange.endCall(ringing);
    fixture.exchange.endCall('none');
    expect(bob.accept(ringing)).toBe(0);
    fixture.exchange.endCall(ringing);
    expect(fixture.exchange.liveCalls).toEqual([{ callId: ringing, state: 'accepted' }]);
    for (const device of [alice, bob]) device.connected(ringing);
    fixture.clock.advance(1_000);
    fixture.exchange.endCall(ringing);
    expect([alice.told, bob.told, fixture.exchange.liveCalls]).toEqual(['completed', 'completed', []]);
    expect(fixture.exchange.records).toMatchObject([{ endResult: 'completed', endedBy: null, duration: 1_000 }]);
    fixture.exchange.endCall(ringing);
    expect(fixture.exchange.records).toHaveLength(1);
  });

  it('S06 ends only the calls between two users, dialled by either user', async () => {
    const carol = await fixture.device('carol');
    const there = alice.dial('bob');
    const back = bob.dial('alice');
    const other = alice.dial('carol');
    const another = carol.dial('bob');
    fixture.exchange.endCallsBetween('alice', 'bob');
    expect(fixture.exchange.liveCalls.map(({ callId }) => callId)).toEqual([other, another]);
    expect(fixture.exchange.records.map(({ callId, endResult }) => [callId, endResult])).toEqual([
      [there, 'unknown'],
      [back, 'unknown'],
    ]);
  });

  it('adds users, replaces their data, and removes them with all their state', async () => {
    fixture.exchange.addUser({ user_id: 'erin', nickname: 'Erin', profile_url: 'u', metadata: { a: 'b' } });
    expect(dialCode(alice, 'erin')).toBe(ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE);
    const erin = await fixture.device('erin');
    fixture.exchange.addUser({ user_id: 'erin', nickname: 'E.', profile_url: 'v' });
    const call_id = erin.dial('bob');
    expect(bob.event('dial').caller).toEqual({
      user_id: 'erin',
      nickname: 'E.',
      profile_url: 'v',
      metadata: {},
      is_active: true,
      role: 'dc_caller',
    });
    const other = alice.dial('bob');
    fixture.exchange.removeUser('erin');
    expect(fixture.exchange.liveCalls).toEqual([{ callId: other, state: 'ringing' }]);
    expect(bob.code('decline', { call_id })).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect(dialCode(alice, 'erin')).toBe(ErrorCode.ERR_CALLEE_DOES_NOT_EXIST);
    // A user who is added again has not logged in yet.
    fixture.exchange.addUser({ user_id: 'erin', nickname: 'Erin', profile_url: 'u' });
    expect(dialCode(alice, 'erin')).toBe(ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE);
  });

  it('S08 revokes the sessions of one user; their sockets stay, and their next command is refused', async () => {
    fixture.exchange.revokeSessions('alice');
    expect([alice.closes, alice.code('unended_calls', {}), bob.code('unended_calls', {})]).toEqual([
      [],
      ErrorCode.USER_NOT_AUTHENTICATED,
      0,
    ]);
  });

  it('reads the connected devices, and the users who are reachable', async () => {
    expect([fixture.exchange.deviceCount, fixture.exchange.presenceOf('carol')]).toEqual([2, 'offline']);
    const carol = await fixture.device('carol');
    const second = await fixture.device('carol', 'carol-2');
    expect([fixture.exchange.deviceCount, fixture.exchange.presenceOf('carol')]).toEqual([4, 'online']);
    carol.disconnect();
    expect(fixture.exchange.presenceOf('carol')).toBe('online');
    second.disconnect();
    expect([fixture.exchange.deviceCount, fixture.exchange.presenceOf('carol')]).toEqual([2, 'offline']);
  });

  it('S18 loses no event when another presence listener throws, and the log has the error', () => {
    const heard: string[] = [];
    onPresence(fixture.exchange, () => {
      throw new Error('broken');
    });
    onPresence(fixture.exchange, (userId) => void heard.push(userId));
    bob.accept(alice.dial('bob'));
    expect(heard).toEqual(['alice', 'bob']);
    expect(JSON.stringify(fixture.log)).toContain('a listener to presence failed');
  });

  it('gets changes of presence until it unsubscribes; a user is in a call from the accept on', () => {
    const changes: string[] = [];
    const stop = onPresence(fixture.exchange, (userId) =>
      changes.push(`${userId} ${fixture.exchange.presenceOf(userId)}`),
    );
    const call_id = alice.dial('bob');
    expect([changes, fixture.exchange.presenceOf('alice')]).toEqual([[], 'online']);
    bob.accept(call_id);
    expect(changes).toEqual(['alice in_call', 'bob in_call']);
    alice.code('end', { call_id });
    expect(changes.slice(2)).toEqual(['alice online', 'bob online']);
    stop();
    bob.disconnect();
    expect(changes).toHaveLength(4);
  });

  it('D12 drops every call without an event or a timer, and closes their media paths', async () => {
    let disposed = 0;
    await open({
      mediaPath: () => ({
        rewriteSdp: (sdp) => sdp,
        rewriteCandidate: async (sdp) => sdp,
        dispose: () => (disposed += 1),
      }),
    });
    alice.dial('bob');
    accepted();
    connected();
    const heard = bob.events.length;
    fixture.exchange.forgetCalls();
    expect([fixture.clock.pending, disposed, bob.events.length]).toEqual([0, 3, heard]);
    expect([fixture.exchange.liveCalls, fixture.exchange.records]).toEqual([[], []]);
  });

  it('closes each socket when it stops, and ends each call', () => {
    connected();
    bob.dial('alice');
    fixture.exchange.close();
    expect([alice.closes, bob.closes]).toEqual([[1012], [1012]]);
    expect(fixture.exchange.records.map(({ endResult }) => endResult)).toEqual(['unknown', 'unknown']);
    expect([fixture.clock.pending, fixture.exchange.liveCalls]).toEqual([0, []]);
  });

  it('PAY-16 changes the relay of all live calls, or of one, for the legs that understand it', async () => {
    const relay = { urls: ['turn:one'], secret: 's' };
    await open({ settings: { relay } });
    const carol = await fixture.device('carol');
    const first = alice.dial('bob', { capabilities: ['turn_changed'] });
    bob.accept(first);
    const second = carol.dial('bob', { capabilities: ['turn_changed'] });
    fixture.exchange.changeTurn();
    const changes = (device: Device) => device.types.filter((type) => type === 'turn_changed').length;
    expect([alice, carol, bob].map(changes)).toEqual([1, 1, 0]);
    expect(alice.event('turn_changed').turn_credential).toMatchObject({ turn_urls: ['turn:one'] });
    fixture.exchange.changeTurn(second, { ...relay, urls: ['turn:two'] });
    expect([alice, carol].map(changes)).toEqual([1, 2]);
    expect(carol.event('turn_changed')).toMatchObject({
      call_id: second,
      turn_credential: { turn_urls: ['turn:two'] },
    });
    carol.code('cancel', { call_id: second });
    expect(() => fixture.exchange.changeTurn(second)).toThrow(
      expect.objectContaining({ code: ErrorCode.ERR_CALL_DOES_NOT_EXIST }),
    );
  });
});

describe('calls that ended', () => {
  const cancelled = () => {
    const call_id = alice.dial('bob');
    alice.code('cancel', { call_id });
    return call_id;
  };
  const known = () => fixture.exchange.records.map(({ callId }) => callId);

  it('are stored for ten minutes, and the oldest are dropped at the limit', async () => {
    await open({ settings: { endedCalls: 2 } });
    const first = cancelled();
    fixture.clock.advance(1_000);
    const second = cancelled();
    expect(known()).toEqual([first, second]);
    const third = cancelled();
    expect(known()).toEqual([second, third]);
    fixture.clock.advance(600_000 - 1);
    expect(alice.code('cancel', { call_id: second })).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    const fourth = cancelled();
    expect(known()).toEqual([third, fourth]);
    fixture.clock.advance(1);
    const fifth = cancelled();
    expect(known()).toEqual([fourth, fifth]);
  });

  it('accept no command of their devices, and another device of the caller cannot act in a live call', async () => {
    const other = await fixture.device('alice', 'alice-2');
    const call_id = accepted();
    expect(other.code('end', { call_id })).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect(other.send('unended_calls', {}).payload).toEqual({ calls: [] });
    alice.code('end', { call_id });
    expect(alice.send('unended_calls', {}).payload).toEqual({ calls: [] });
  });
});

describe('the participations in a call', () => {
  it('S06 of two users admit no third user, who connects while it rings and while it is connected', async () => {
    const call_id = alice.dial('bob');
    const carol = await fixture.device('carol');
    expect([carol.types, carol.send('unended_calls', {}).payload]).toEqual([[], { calls: [] }]);
    bob.accept(call_id);
    expect(['alice', 'bob', 'carol'].map((userId) => fixture.exchange.presenceOf(userId))).toEqual([
      'in_call',
      'in_call',
      'online',
    ]);
  });

  it('are distinguished by user and client together: both sides may use the same client id', async () => {
    const [hers, his] = [await fixture.device('alice', 'phone'), await fixture.device('bob', 'phone')];
    const call_id = accepted(hers, his);
    expect(his.send('unended_calls', {}).payload).toMatchObject({ calls: [{ user_role: 'dc_callee' }] });
    const item = { custom_items: { a: '1' }, mode: 'upsert' };
    await fixture.http('PUT', `/v1/direct_calls/${call_id}/custom_items`, { headers: hers.headers, body: item });
    const updates = (device: Device) => device.types.filter((type) => type === 'custom_items_update').length;
    // Includes the devices of both users that have no part in it.
    expect([hers, his, alice, bob].map(updates)).toEqual([0, 1, 1, 1]);
    expect(his.code('offer', { call_id, sdp: PACKED })).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(hers.code('end', { call_id })).toBe(0);
    expect(his.event('end')).toMatchObject({ ended_by: { user_id: 'alice' } });
  });

  it('end for a device that lost the call, and item changes are sent to each device that still rings', async () => {
    const bob2 = await fixture.device('bob', 'bob-2');
    const call_id = alice.dial('bob');
    const body = { custom_items: { a: '1' }, mode: 'upsert' };
    await fixture.http('PUT', `/v1/direct_calls/${call_id}/custom_items`, { headers: bob.headers, body });
    expect([bob, bob2].map((device) => device.types.includes('custom_items_update'))).toEqual([false, true]);
    bob.accept(call_id);
    expect(bob2.send('unended_calls', {}).payload).toEqual({ calls: [] });
    bob2.disconnect();
    await bob2.connect();
    expect(bob2.types.at(-1)).toBe('other_device_accepted');
  });

  it('D13 are silent 65 s after their last message, after any number of messages', () => {
    const call_id = connected();
    for (const ms of [40_000, 40_000, 10_000]) {
      fixture.clock.advance(ms);
      for (const device of [alice, bob]) device.send('alive', { call_id });
    }
    fixture.clock.advance(64_999);
    expect(fixture.exchange.liveCalls).toHaveLength(1);
    fixture.clock.advance(1);
    expect([alice.told, bob.told]).toEqual(['connection_lost', 'connection_lost']);
  });

  it('have a length of zero when the call ends at once, and never a negative one, also when the clock goes back', () => {
    const first = connected();
    alice.code('end', { call_id: first });
    const second = connected();
    fixture.clock.advance(-5_000);
    alice.code('end', { call_id: second });
    expect(fixture.exchange.records.map(({ duration }) => duration)).toEqual([0, 0]);
  });
});

describe('the media path', () => {
  type Path = ReturnType<NonNullable<NonNullable<Parameters<typeof createExchangeFixture>[0]>['mediaPath']>>;
  const on = async (path: Partial<Path>) => {
    const made: string[] = [];
    await open({
      mediaPath: (callId) => {
        made.push(callId);
        return {
          rewriteSdp: (sdp) => sdp,
          rewriteCandidate: async (sdp, from) => `${sdp} by ${from}`,
          dispose: () => undefined,
          ...path,
        };
      },
    });
    return made;
  };
  const udp = CANDIDATE;
  const tcp = { ...CANDIDATE, sdp: 'candidate:2 1 tcp 1 192.0.2.7 9 typ host' };

  it('is created for each call, and carries removed candidates like added ones; dropped candidates are not sent', async () => {
    const made = await on({
      rewriteCandidate: async (sdp, from) => (sdp.includes('tcp') ? null : `${sdp} by ${from}`),
    });
    const call_id = accepted();
    expect(made).toEqual([call_id]);
    bob.send('remove_candidates', { call_id, candidates: [udp, tcp] });
    alice.send('remove_candidates', { call_id, candidates: [tcp] });
    alice.send('candidate', { call_id, candidate: tcp });
    await settle();
    const kept = { ...udp, sdp: `${udp.sdp} by callee` };
    expect(alice.event('remove_candidates')).toEqual({ call_id, candidates: [kept] });
    expect(bob.types).toEqual(['dial']);
  });

  it('carries the answers of the callee', async () => {
    const from: string[] = [];
    await on({ rewriteSdp: (sdp, side) => (from.push(side), sdp) });
    const call_id = accepted();
    alice.send('offer', { call_id, sdp: PACKED, peer_connection_id: 'p' });
    bob.send('answer', { call_id, sdp: PACKED, peer_connection_id: 'p' });
    await settle();
    expect(from.toSorted()).toEqual(['callee', 'caller']);
    expect(alice.event('answer')).toMatchObject({ call_id, peer_connection_id: 'p' });
    expect(bob.event('offer')).toMatchObject({ call_id, peer_connection_id: 'p' });
  });

  it('is logged when it fails, and later messages pass', async () => {
    let fails = true;
    await on({
      rewriteCandidate: async (sdp) => {
        if (fails) throw new Error('EHOSTUNREACH');
        return sdp;
      },
    });
    const call_id = accepted();
    alice.send('candidate', { call_id, candidate: udp });
    await settle();
    fails = false;
    alice.send('candidate', { call_id, candidate: udp });
    await settle();
    expect(bob.types).toEqual(['dial', 'candidate']);
    expect(fixture.log.filter(({ level }) => level === 'error')).toHaveLength(1);
  });
});

describe('a device that connects again', () => {
  it('gets the ringing calls of its user, and its live calls with the present state of the other side', async () => {
    const call_id = alice.dial('bob', { constraints: { audio: true, video: false } });
    const ringing = bob.send('unended_calls', {}).payload;
    expect(ringing).toMatchObject({
      calls: [{ signal_snapshot: { is_audio_enabled: true, is_video_enabled: false } }],
    });
    expect(alice.send('unended_calls', {}).payload).toMatchObject({
      calls: [
        { signal_snapshot: { is_audio_enabled: false, is_video_enabled: false, recording: 'none' }, signal_seq: 0 },
      ],
    });
    bob.code('accept', { call_id, constraints: { audio: false, video: true }, capabilities: [] });
    alice.disconnect();
    bob.disconnect();
    await alice.connect();
    await bob.connect();
    expect(alice.events.at(-1)).toMatchObject({
      type: 'snapshot',
      payload: { signal_seq: 1, signal_snapshot: { is_audio_enabled: false, is_video_enabled: true } },
    });
    expect(bob.events.at(-1)).toMatchObject({ type: 'snapshot', payload: { signal_seq: 1 } });
  });

  it('gets nothing when its socket closed before the first event was sent', async () => {
    alice.dial('bob');
    bob.disconnect();
    const sent: string[] = [];
    const who = { sessionToken: bob.token, clientId: bob.clientId, version: '' };
    const first = fixture.exchange.connect(who, { send: (text) => sent.push(text), close: () => undefined });
    if ('status' in first) throw new Error('refused');
    first.closed();
    await settle();
    expect(sent).toEqual([]);
  });
});

describe('a channel', () => {
  const link = { send: () => undefined, close: () => undefined };

  it('S14 S08 is refused with a status, a code and a message', async () => {
    const refused = fixture.exchange.connect({ sessionToken: 'x', clientId: 'y', version: '' }, link);
    expect(refused).toEqual({
      status: 401,
      code: ErrorCode.USER_NOT_AUTHENTICATED,
      message: 'The user is not authenticated.',
    });
    await open({ settings: { devicesPerUser: 1 } });
    const { body } = await fixture.http('POST', '/v1/users/alice/login', {
      headers: { 'x-client-id': 'alice-2' },
      body: { app_id: 'ringback-demo', user_id: 'alice' },
    });
    const who = { sessionToken: body.sbcall_session_token, clientId: 'alice-2', version: '' };
    expect(fixture.exchange.connect(who, link)).toEqual({
      status: 429,
      code: ErrorCode.ERR_SERVER_INTERNAL_ERROR,
      message: expect.stringContaining('Too many devices'),
    });
  });

  it('D25 accepts a message of 64 KiB, counted in bytes; a longer one closes it, and later messages are ignored', () => {
    const sized = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
    alice.receive(sized(65_536));
    expect(alice.closes).toEqual([]);
    alice.receive(sized(65_537));
    expect(alice.closes).toEqual([1009]);
    // Messages that the client sent before it notices still arrive, and are not counted or answered.
    const replies = alice.replies.length;
    for (let at = 0; at < 500; at += 1) alice.receive('{}');
    expect([alice.closes, alice.replies.length]).toEqual([[1009], replies]);
    const wide = `"${'é'.repeat(32_767)}"`;
    bob.receive(wide);
    expect(bob.closes).toEqual([]);
    bob.receive(`"${'é'.repeat(32_767)}x"`);
    expect(bob.closes).toEqual([1009]);
  });

  it.each([
    ['a group that is none', { cmd: 'ROOT', type: 'end' }, { cmd: 'UTIL', type: 'end_ack' }],
    ['a type that is too long', { cmd: 'CALL', type: 'x'.repeat(65) }, { cmd: 'CALL', type: 'unknown_ack' }],
    ['a type that is none', { cmd: 'CALL', type: 'x'.repeat(64) }, { cmd: 'CALL', type: `${'x'.repeat(64)}_ack` }],
    ['a type that is no text', { cmd: 'SGNL', type: 7 }, { cmd: 'SGNL', type: 'unknown_ack' }],
  ])('answers %s with the parts it can read', (_, wrong, answer) => {
    alice.receive(JSON.stringify({ version: 1, request_id: 'r', payload: {}, ...wrong }));
    const reply = alice.replies.at(-1);
    expect(reply).toMatchObject({
      version: 1,
      request_id: 'r',
      ...answer,
      error: { code: ErrorCode.ERR_WRONG_RESPONSE },
    });
    expect(reply?.error?.message.length).toBeLessThanOrEqual(200);
  });
});

describe('relay credentials', () => {
  it('without a relay are empty, and a relay without a signing key is refused', () => {
    const clock = { wallTime: () => 0 };
    const none = new Credentials(clock, null, 1_000, undefined).current('bob');
    expect(none).toEqual({ username: '', password: '', turn_urls: [], transport_policy: 'all' });
    const relay = { urls: ['turn:a', 'turn:b'], secret: 's' };
    expect(() => new Credentials(clock, relay, 1_000, undefined)).toThrow('hmacSha1');
    const credentials = new Credentials(clock, relay, 1_000, (key, text) => `${key} ${text}`);
    expect(credentials.current('bob')).toEqual({
      username: '1:bob',
      password: 's 1:bob',
      turn_urls: relay.urls,
      transport_policy: 'all',
    });
    credentials.use(null);
    expect(credentials.current('bob')).toEqual(none);
  });
});

describe('the log', () => {
  it('has each entry with its time, level and fields, masked', () => {
    const entries: LogEntry[] = [];
    const log = new Log((entry) => entries.push(entry), { wallTime: () => 7 });
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]('from 1.2.3.4', { a: '1.2.3.4', n: 1 });
    log.info('plain');
    const fields = { a: '***', n: 1 };
    const levels = ['debug', 'info', 'warn', 'error'];
    expect(entries.slice(0, 4)).toEqual(levels.map((level) => ({ at: 7, level, message: 'from ***', fields })));
    expect(entries[4]).toEqual({ at: 7, level: 'info', message: 'plain', fields: {} });
  });
});

describe('a writeQueue', () => {
  const keeping = () => {
    const idle = { cancel: () => undefined };
    const clock = { time: 0, now: () => clock.time, after: () => idle };
    const lost: unknown[] = [];
    const log = {
      error: (message: string, fields?: Readonly<Record<string, unknown>>) => lost.push([message, fields?.['write']]),
    };
    return { clock, lost, writeQueue: new WriteQueue(log, clock) };
  };

  it('writes in order, one at a time, also what is added meanwhile', async () => {
    const { writeQueue } = keeping();
    const written: string[] = [];
    let isWriting = false;
    const write = (name: string) => async () => {
      expect(isWriting).toBe(false);
      isWriting = true;
      await settle();
      isWriting = false;
      written.push(name);
    };
    writeQueue.keep('a', write('a'));
    writeQueue.keep('b', write('b'));
    await Promise.resolve();
    writeQueue.keep('c', write('c'));
    await writeQueue.settled();
    expect(written).toEqual(['a', 'b', 'c']);
  });

  it('retries a failed write after five seconds, until it is stopped', async () => {
    const clock = new HandClock();
    const writeQueue = new WriteQueue({ error: () => undefined }, clock);
    const tried: number[] = [];
    let isBroken = true;
    const keep = () =>
      writeQueue.keep('a', async () => {
        tried.push(clock.now());
        if (isBroken) throw new Error('no database');
      });
    const pass = async (ms: number) => {
      clock.advance(ms);
      await settle();
    };
    const began = clock.now();
    keep();
    await settle();
    for (let times = 0; times < 3; times += 1) await pass(5_000);
    isBroken = false;
    for (let times = 0; times < 3; times += 1) await pass(5_000);
    expect(tried.map((at) => at - began)).toEqual([0, 5_000, 10_000, 15_000, 20_000]);
    isBroken = true;
    keep();
    await settle();
    writeQueue.stop();
    await pass(60_000);
    expect([tried.length, clock.pending]).toEqual([6, 0]);
    await writeQueue.settled();
    await pass(60_000);
    expect(tried).toHaveLength(7);
  });

  it('drops a write that the store has refused for an hour, and continues', async () => {
    const { clock, lost, writeQueue } = keeping();
    let tries = 0;
    let others = 0;
    writeQueue.keep('bad', async () => {
      tries += 1;
      throw new Error('never');
    });
    writeQueue.keep('good', async () => void (others += 1));
    await writeQueue.settled();
    clock.time += 3_599_999;
    await writeQueue.settled();
    expect([tries, others]).toEqual([2, 0]);
    clock.time += 1;
    await writeQueue.settled();
    expect([tries, others]).toEqual([3, 1]);
    expect(lost.at(-1)).toEqual(['a write was dropped', 'bad']);
    await writeQueue.settled();
    expect(tries).toBe(3);
  });

  it('drops the oldest write when ten thousand wait', async () => {
    const { lost, writeQueue } = keeping();
    let isDown = true;
    const written: number[] = [];
    const keep = (at: number) =>
      writeQueue.keep(`w${at}`, async () => {
        if (isDown) throw new Error('down');
        written.push(at);
      });
    for (let at = 0; at < 10_000; at += 1) keep(at);
    await writeQueue.settled();
    const given = () => lost.filter((one) => (one as string[])[0] === 'a write was dropped');
    expect(given()).toEqual([]);
    keep(10_000);
    expect(given()).toEqual([['a write was dropped', 'w0']]);
    await writeQueue.settled();
    isDown = false;
    await writeQueue.settled();
    expect([written.length, written[0], written.at(-1)]).toEqual([10_000, 1, 10_000]);
  });

  it('does not confuse the next write with the one that was dropped while it was written', async () => {
    const { writeQueue } = keeping();
    const written: string[] = [];
    let finish = () => {};
    writeQueue.keep('slow', () => new Promise((resolve) => void (finish = resolve)));
    await settle();
    for (let at = 1; at <= 10_000; at += 1) writeQueue.keep(`w${at}`, async () => void written.push(`w${at}`));
    finish();
    await writeQueue.settled();
    expect([written.length, written[0]]).toEqual([10_000, 'w1']);
  });
});
