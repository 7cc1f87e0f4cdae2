/** A restarted exchange: its live calls continue, or end in the history with their length. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommandPayload, CommandType } from '../../../src/protocol/messages/commands.ts';
import type { ReplyFrame } from '../../../src/protocol/envelope.ts';
import { ALL_SAVED, type NotSaved } from '../../../sim/exchange/store.ts';
import type { CallEvent } from '../../../sim/exchange/calls/call-event.ts';
import { callEvents } from '../../../sim/exchange/events.ts';
import type { ExchangeOptions } from '../../../sim/exchange/exchange.ts';
import type { LiveCall } from '../../../sim/exchange/calls/live-call.ts';
import { DEFAULT_SETTINGS } from '../../../sim/exchange/settings.ts';
import { MemoryStore } from '../../../sim/store/memory-store.ts';
import {
  AV,
  CONNECTION,
  createExchangeFixture,
  PACKED,
  type Device,
  type ExchangeFixture,
} from './exchange-fixture.ts';
import { HandClock } from '../support/hand-clock.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

let clock: HandClock;
let store: MemoryStore;
let fixture: ExchangeFixture;
let alice: Device;
let bob: Device;
let made = 0;
let posted: { event: string; payload: Record<string, unknown> }[] = [];

const RELAY = { urls: ['turn:relay.test'], secret: 'hush' };
const SILENCE = DEFAULT_SETTINGS.aliveSilenceMs;

async function started(more: Partial<ExchangeOptions> = {}): Promise<ExchangeFixture> {
  const next = (kind: string) => `${kind}-${(made += 1)}`;
  const opened = createExchangeFixture({
    store,
    clock,
    name: 'one',
    ids: { uuid: () => next('id'), token: () => next('token') },
    settings: { relay: RELAY },
    postWebhook: async ({ body }) => void posted.push(JSON.parse(body)),
    ...more,
  });
  await opened.exchange.open();
  return opened;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Runs the callbacks that wait for the store. */
async function settled(): Promise<void> {
  await fixture.exchange.kept();
  await turn();
}

/** Returns the states of the live calls in the store. */
const keptStates = async () => (await store.abandonedCalls(Infinity)).map(({ body }) => (body as LiveCall).state.name);

async function say<T extends CommandType>(device: Device, type: T, payload: CommandPayload<T>, id?: string) {
  // A client never uses one id for two requests, also after the exchange has restarted.
  const frame = device.frame(type, payload, id ?? `request-${(made += 1)}`);
  device.receive(JSON.stringify(frame));
  await settled();
  const reply = device.replies.findLast(({ request_id }) => request_id === frame.request_id);
  if (!reply) throw new Error(`no reply to ${type}`);
  return reply;
}
const codeOf = ({ error }: ReplyFrame): number => error?.code ?? 0;
const DIAL = { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] };

async function dialled(more: Partial<CommandPayload<'dial'>> = {}): Promise<string> {
  return ((await say(alice, 'dial', { ...DIAL, ...more })).payload as { call_id: string }).call_id;
}

async function accepted(): Promise<string> {
  const call_id = await dialled();
  await say(bob, 'accept', { call_id, constraints: AV, capabilities: [] });
  return call_id;
}

async function connected(): Promise<string> {
  const call_id = await accepted();
  for (const device of [alice, bob])
    await say(device, 'connected', { call_id, connection: CONNECTION, reconnect: false });
  return call_id;
}

const both = () => Promise.all([fixture.device('alice'), fixture.device('bob')]);

/** Ends the process without an event to its clients. Its pending work changes nothing any more. */
async function crash(downMs: number, meanwhile = () => {}, more?: Partial<ExchangeOptions>): Promise<void> {
  for (const device of [alice, bob]) device.disconnect();
  clock.stop();
  clock.advance(downMs);
  meanwhile();
  clock.startProcess();
  fixture = await started(more);
}

async function restart(downMs: number, meanwhile = () => {}): Promise<void> {
  fixture.exchange.close();
  await settled();
  for (const device of [alice, bob]) device.disconnect();
  clock.advance(downMs);
  meanwhile();
  clock.startProcess();
  fixture = await started();
}

const HOW = { 'SIGTERM and started again': restart, 'kill -9 and started again': crash };

async function history(): Promise<Record<string, unknown>[]> {
  await settled();
  const { body } = await fixture.http('GET', '/v1/users/alice/calls', {
    headers: (await fixture.device('alice', 'reader')).headers,
  });
  return body.calls;
}

beforeEach(async () => {
  clock = new HandClock();
  store = new MemoryStore();
  made = 0;
  posted = [];
  fixture = await started();
  [alice, bob] = await both();
});

describe.each(Object.entries(HOW))('%s', (_, again) => {
  it('F15 F35 ERR-1400106: a user who is away can be called, and one who never logged in cannot', async () => {
    await settled();
    bob.disconnect();
    const unreached: string[] = [];
    await again(4_000);
    fixture.exchange.close();
    await settled();
    fixture = await started();
    fixture.exchange.subscribe((event) => void (event.kind === 'unreached' && unreached.push(event.calleeId)));
    alice = await fixture.device('alice');
    expect(codeOf(await say(alice, 'dial', DIAL))).toBe(0);
    expect(unreached).toEqual(['bob']);
    expect(codeOf(await say(alice, 'dial', { ...DIAL, callee_id: 'carol' }))).toBe(
      ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE,
    );
  });

  it('DC-49 ENT-15: a connected call continues, and its length in the history includes the restart', async () => {
    const call_id = await connected();
    clock.advance(20_000);
    await settled();
    await again(4_000);
    [alice, bob] = await both();
    const { payload } = await say(alice, 'unended_calls', {});
    expect(payload).toMatchObject({ calls: [{ call_id, user_role: 'dc_caller', callee_client_id: 'bob-1' }] });
    expect(bob.event('snapshot')).toMatchObject({ call_id, signal_snapshot: { is_audio_enabled: true } });
    expect(codeOf(await say(bob, 'alive', { call_id }))).toBe(0);
    clock.advance(10_000);
    expect(codeOf(await say(alice, 'end', { call_id }))).toBe(0);
    expect(bob.told).toBe('completed');
    expect(await history()).toMatchObject([{ call_id, end_result: 'completed', duration: 34_000, ended_by: 'alice' }]);
  });

  it('a ringing call continues to ring with the same signal number, and can be accepted', async () => {
    const call_id = await dialled({ custom_items: { topic: 'dinner' } });
    await again(4_000);
    [alice, bob] = await both();
    await settled();
    expect(bob.events.filter(({ type }) => type === 'dial').map(({ sequence_number }) => sequence_number)).toEqual([1]);
    expect(bob.event('dial')).toMatchObject({ call_id, custom_items: { topic: 'dinner' } });
    expect(codeOf(await say(bob, 'accept', { call_id, constraints: AV, capabilities: [] }))).toBe(0);
    expect(alice.event('accept')).toMatchObject({ call_id, turn_credential: { turn_urls: ['turn:relay.test'] } });
  });

  it('a ringing call ends on both sides when the caller hangs up', async () => {
    const call_id = await dialled();
    await again(4_000);
    [alice, bob] = await both();
    expect(codeOf(await say(alice, 'cancel', { call_id }))).toBe(0);
    expect(bob.told).toBe('canceled');
  });

  it('a ringing call ends by its timer although the caller does not return', async () => {
    const dialledAt = clock.wallTime();
    await dialled();
    await again(4_000);
    bob = await fixture.device('bob');
    clock.advance(SILENCE);
    await settled();
    expect(bob.told).toBe('no_answer');
    expect(await history()).toMatchObject([{ end_result: 'no_answer', duration: 0, started_at: dialledAt }]);
  });

  it('an accepted call continues to connect: devices fetch missed signals, and the signal numbers continue', async () => {
    const call_id = await accepted();
    bob.disconnect();
    alice.receive(
      JSON.stringify(alice.frame('offer', { call_id, sdp: PACKED, peer_connection_id: 'pc', offer_id: 'o' })),
    );
    await settled();
    await again(4_000);
    [alice, bob] = await both();
    const missed = await fixture.http('GET', '/v1/direct_calls/missed_signal', {
      headers: bob.headers,
      query: { call_ids: call_id },
    });
    expect(missed.body.signals.map(({ type, sequence_number }: any) => [type, sequence_number])).toEqual([
      ['dial', 1],
      ['offer', 2],
    ]);
    await say(alice, 'audio', { call_id, is_enabled: false });
    expect(bob.events.at(-1)).toMatchObject({ type: 'audio', sequence_number: 3 });
    for (const device of [alice, bob])
      await say(device, 'connected', { call_id, connection: CONNECTION, reconnect: false });
    expect(fixture.exchange.liveCalls).toEqual([{ callId: call_id, state: 'connected' }]);
  });

  it('hold, mute, recording and custom items are restored', async () => {
    const call_id = await connected();
    await say(bob, 'hold', { call_id, is_on_hold: true, was_relayed: false });
    await say(bob, 'audio', { call_id, is_enabled: false });
    const recording = {
      recording_id: 'r',
      recording_type: 'local_remote_audios',
      recording_status: 'recording',
    } as const;
    expect(codeOf(await say(bob, 'recording', { call_id, ...recording }))).toBe(0);
    const items = { headers: alice.headers, body: { custom_items: { note: 'late' }, mode: 'upsert' } };
    expect((await fixture.http('PUT', `/v1/direct_calls/${call_id}/custom_items`, items)).status).toBe(200);
    await again(4_000);
    expect(fixture.exchange.begunCalls).toMatchObject([{ callId: call_id, isHeld: true, isBack: false }]);
    [alice, bob] = await both();
    expect(alice.event('snapshot')).toMatchObject({
      signal_snapshot: { is_audio_enabled: false, recording: 'recording', custom_items: { note: 'late' } },
    });
    const heard: CallEvent[] = [];
    fixture.exchange.subscribe(callEvents((event) => heard.push(event)));
    await say(bob, 'hold', { call_id, is_on_hold: false, was_relayed: false });
    expect(heard.map(({ kind }) => kind)).toEqual(['resumed']);
    await say(alice, 'alive', { call_id });
    expect(heard.map(({ kind }) => kind)).toEqual(['resumed', 'returned']);
  });

  it('D13: a side that does not return ends the call, whose length is the time until it was last seen', async () => {
    const call_id = await connected();
    const heard: CallEvent[] = [];
    clock.advance(20_000);
    await settled();
    await again(4_000);
    fixture.exchange.subscribe(callEvents((event) => heard.push(event)));
    alice = await fixture.device('alice');
    await say(alice, 'alive', { call_id });
    clock.advance(SILENCE - 1);
    expect(alice.told).toBeUndefined();
    await say(alice, 'alive', { call_id });
    clock.advance(1);
    await settled();
    expect(alice.told).toBe('connection_lost');
    expect(await history()).toMatchObject([{ end_result: 'connection_lost', duration: 20_000, ended_by: null }]);
    // The exchange dispatched no event that both were back.
    expect(heard.map(({ kind }) => kind)).toEqual(['ended']);
  });

  it('two restarts: the length continues, and a side that did not return was last seen before the first restart', async () => {
    const call_id = await connected();
    clock.advance(20_000);
    await settled();
    await again(4_000);
    alice = await fixture.device('alice');
    await say(alice, 'alive', { call_id });
    clock.advance(10_000);
    await settled();
    await again(4_000);
    alice = await fixture.device('alice');
    await say(alice, 'alive', { call_id });
    clock.advance(SILENCE);
    expect(await history()).toMatchObject([{ end_result: 'connection_lost', duration: 20_000 }]);
  });

  it('a clock that is set back or forward during the call does not change its length', async () => {
    const call_id = await connected();
    clock.set(-3_600_000);
    clock.advance(20_000);
    await settled();
    await again(4_000);
    [alice, bob] = await both();
    await say(bob, 'alive', { call_id });
    clock.set(7_200_000);
    clock.advance(10_000);
    await say(alice, 'end', { call_id });
    expect(await history()).toMatchObject([{ end_result: 'completed', duration: 34_000 }]);
  });

  it('a clock that was set back while no exchange ran adds nothing, and ends no call', async () => {
    const call_id = await connected();
    clock.advance(20_000);
    await settled();
    await again(4_000, () => clock.set(-60_000));
    [alice, bob] = await both();
    expect(codeOf(await say(alice, 'end', { call_id }))).toBe(0);
    expect(await history()).toMatchObject([{ end_result: 'completed', duration: 20_000 }]);
  });

  it('D12: a device that was away when the call ended gets the result, as the history has it', async () => {
    const call_id = await connected();
    bob.disconnect();
    clock.advance(10_000);
    await say(alice, 'end', { call_id });
    await again(4_000);
    [alice, bob] = await both();
    const carol = await fixture.device('carol');
    const missed = async ({ headers }: Device) => {
      const path = '/v1/direct_calls/missed_signal';
      return (await fixture.http('GET', path, { headers, query: { call_ids: call_id } })).body.signals;
    };
    expect(await missed(bob)).toMatchObject([
      { type: 'end', payload: { call_id, end_result: 'completed', ended_by: { user_id: 'alice' }, duration: 10_000 } },
    ]);
    expect(await missed(carol)).toEqual([]);
    const codes = await Promise.all([bob, carol].map(async (one) => codeOf(await say(one, 'alive', { call_id }))));
    expect(codes).toEqual([ErrorCode.ERR_INVALID_CALL_STATUS, ErrorCode.ERR_CALL_DOES_NOT_EXIST]);
  });

  it('ERR-1400101 D11: a device that lost the call to another accept cannot act in it', async () => {
    const tablet = await fixture.device('bob', 'bob-2');
    const call_id = await accepted();
    expect(tablet.told).toBe('other_device_accepted');
    await again(4_000);
    const back = await fixture.device('bob', 'bob-2');
    expect(back.events).toEqual([]);
    expect(codeOf(await say(back, 'accept', { call_id, constraints: AV, capabilities: [] }))).toBe(
      ErrorCode.ERR_INVALID_CALL_STATUS,
    );
  });

  it('I12: a repeated dial or accept whose reply was lost runs once, with the same answer', async () => {
    const call_id = ((await say(alice, 'dial', DIAL, 'the-dial')).payload as { call_id: string }).call_id;
    const accept = { call_id, constraints: AV, capabilities: [] };
    expect(codeOf(await say(bob, 'accept', accept, 'the-accept'))).toBe(0);
    await again(1_000);
    [alice, bob] = await both();
    expect((await say(alice, 'dial', DIAL, 'the-dial')).payload).toMatchObject({ call_id });
    expect((await say(bob, 'accept', accept, 'the-accept')).payload).toMatchObject({ call_id });
    expect(fixture.exchange.liveCalls).toHaveLength(1);
  });

  it('the webhook of a call gets each event of the call once', async () => {
    const call_id = await dialled({ webhook: { url: 'https://host.test/', headers: { 'x-key': 'k' } } });
    await say(bob, 'accept', { call_id, constraints: AV, capabilities: [] });
    for (const device of [alice, bob])
      await say(device, 'connected', { call_id, connection: CONNECTION, reconnect: false });
    await again(4_000);
    [alice, bob] = await both();
    await say(bob, 'end', { call_id });
    expect(posted.map(({ event }) => event)).toEqual(['dial', 'accept', 'establish', 'end']);
    expect(posted.at(-1)?.payload).toMatchObject({ end_result: 'completed', duration: 4_000 });
  });
});

it('S08 S11: the stored data has no session, no token of a dial and no password of a relay', async () => {
  await accepted();
  const written = JSON.stringify((await store.takeLiveCalls('one', { at: 0, clock: 0 }, 0)).calls);
  expect(written).toContain('dial');
  expect(written).not.toMatch(/token-\d|hmac/);
});

it('S08: an earlier session is valid for requests about a live call for a short time, and opens no channel', async () => {
  const sha256 = (text: string) => `hash(${text.length})${text.slice(-3)}`;
  fixture = await started({ sha256 });
  [alice, bob] = await both();
  const carol = await fixture.device('carol');
  const call_id = await connected();
  await crash(4_000, undefined, { sha256 });
  const asks = async ({ headers }: Device, more: Record<string, string> = {}) => {
    const query = { call_ids: call_id };
    const path = '/v1/direct_calls/missed_signal';
    return (await fixture.http('GET', path, { headers: { ...headers, ...more }, query })).status;
  };
  expect([await asks(alice), await asks(bob), await asks(carol)]).toEqual([200, 200, 401]);
  expect(await asks(alice, { 'x-client-id': 'other' })).toBe(401);
  const who = { sessionToken: alice.token, clientId: alice.clientId, version: '1' };
  expect(fixture.exchange.connect(who, { send: () => undefined, close: () => undefined })).toMatchObject({
    status: 401,
  });
  const former = alice;
  alice = await fixture.device('alice');
  expect([await asks(former), await asks(alice)]).toEqual([401, 200]);
  // The next start has the new session of alice, and still the old one of bob.
  await settled();
  await crash(1_000, undefined, { sha256 });
  expect([await asks(former), await asks(alice), await asks(bob)]).toEqual([401, 200, 200]);
  fixture.exchange.revokeSessions('alice');
  clock.advance(SILENCE - 1);
  expect([await asks(alice), await asks(bob)]).toEqual([401, 200]);
  clock.advance(1);
  expect(await asks(bob)).toBe(401);
});

it('S08: a session that was revoked or replaced is not valid after the next start', async () => {
  const sha256 = (text: string) => `hash(${text.length})${text.slice(-3)}`;
  fixture = await started({ sha256 });
  [alice, bob] = await both();
  const call_id = await connected();
  await crash(1_000, undefined, { sha256 });
  const former = alice;
  alice = await fixture.device('alice');
  fixture.exchange.revokeSessions('alice');
  fixture.exchange.revokeSessions('bob');
  await settled();
  await crash(1_000, undefined, { sha256 });
  expect(fixture.exchange.liveCalls).toHaveLength(1);
  for (const { headers } of [former, alice, bob]) {
    const asked = fixture.http('GET', '/v1/direct_calls/missed_signal', { headers, query: { call_ids: call_id } });
    expect(await asked).toMatchObject({ status: 401 });
  }
});

it('SIGTERM first sends the pending messages, and closes each channel with a code after which its client reconnects', async () => {
  const call_id = await connected();
  const frame = alice.frame('hold', { call_id, is_on_hold: true, was_relayed: false });
  alice.receive(JSON.stringify(frame));
  fixture.exchange.close();
  expect(alice.closes).toEqual([]);
  await settled();
  expect(alice.replies.at(-1)?.request_id).toBe(frame.request_id);
  expect([alice.closes, bob.closes, bob.event('hold')]).toMatchObject([[1012], [1012], { is_peer_on_hold: true }]);
  expect([alice.told, bob.told, clock.pending]).toEqual([undefined, undefined, 0]);
  const who = { sessionToken: alice.token, clientId: alice.clientId, version: '1' };
  expect(fixture.exchange.connect(who, { send: () => undefined, close: () => undefined })).toMatchObject({
    status: 503,
  });
  expect(await fixture.http('GET', '/v1/users/alice/calls', { headers: alice.headers })).toMatchObject({
    status: 503,
    body: { code: ErrorCode.ERR_REQUEST_FAILED },
  });
});

it('a reply and a ring are sent after they are stored, and without the store when it hangs', async () => {
  let take: (saved: NotSaved) => void = () => undefined;
  const slow = new (class extends MemoryStore {
    override saveLiveCalls(): Promise<NotSaved> {
      return new Promise((resolve) => (take = resolve));
    }
  })();
  fixture = await started({ store: slow });
  [alice, bob] = await both();
  alice.receive(JSON.stringify(alice.frame('dial', DIAL)));
  await turn();
  expect([alice.replies, bob.events]).toEqual([[], []]);
  take(ALL_SAVED);
  await turn();
  expect([alice.replies.length, bob.types]).toEqual([1, ['dial']]);
  alice.receive(JSON.stringify(alice.frame('alive', { call_id: 'none' })));
  await turn();
  expect(alice.replies).toHaveLength(2);
  const { call_id } = bob.event('dial');
  alice.receive(JSON.stringify(alice.frame('cancel', { call_id })));
  await turn();
  expect(bob.told).toBeUndefined();
  clock.advance(1_000);
  expect(bob.told).toBe('canceled');
});

it('S27: a store that refuses everything delays no call', async () => {
  const broken = new (class extends MemoryStore {
    override async saveLiveCalls(): Promise<NotSaved> {
      throw new Error('disk full');
    }
  })();
  fixture = await started({ store: broken });
  [alice, bob] = await both();
  const call_id = await connected();
  expect(codeOf(await say(bob, 'end', { call_id }))).toBe(0);
  expect(alice.told).toBe('completed');
});

it('S27: a failed write is repeated with the next change, and 5 s later when nothing changes', async () => {
  let isBroken = false;
  store = new (class extends MemoryStore {
    override async saveLiveCalls(...write: Parameters<MemoryStore['saveLiveCalls']>): Promise<NotSaved> {
      if (isBroken) throw new Error('the database is locked');
      return super.saveLiveCalls(...write);
    }
  })();
  fixture = await started();
  [alice, bob] = await both();
  const call_id = await dialled();
  isBroken = true;
  await say(bob, 'accept', { call_id, constraints: AV, capabilities: [] });
  isBroken = false;
  clock.advance(5_000);
  await turn();
  expect(await keptStates()).toEqual(['accepted']);
  isBroken = true;
  await say(bob, 'connected', { call_id, connection: CONNECTION, reconnect: false });
  isBroken = false;
  alice.receive(JSON.stringify(alice.frame('connected', { call_id, connection: CONNECTION, reconnect: false })));
  await turn();
  expect(await keptStates()).toEqual(['connected']);
});

it('each message waits for its own write, also while others have waited for long', async () => {
  const takes: ((saved: NotSaved) => void)[] = [];
  store = new (class extends MemoryStore {
    override saveLiveCalls(): Promise<NotSaved> {
      return new Promise((resolve) => takes.push(resolve));
    }
  })();
  fixture = await started();
  [alice, bob] = await both();
  const [carol] = await Promise.all([fixture.device('carol'), fixture.device('dave')]);
  alice.receive(JSON.stringify(alice.frame('dial', DIAL)));
  await turn();
  clock.advance(600);
  carol.receive(JSON.stringify(carol.frame('dial', { ...DIAL, callee_id: 'dave' })));
  takes.shift()?.(ALL_SAVED);
  await turn();
  expect([alice.replies.length, carol.replies.length]).toEqual([1, 0]);
  // A second after the first message, and 400 ms after the other.
  clock.advance(400);
  expect(carol.replies).toHaveLength(0);
  clock.advance(600);
  expect(carol.replies).toHaveLength(1);
});

it('many changes in one turn, and while the store is busy, are one write', async () => {
  let writes = 0;
  const counted = new (class extends MemoryStore {
    override async saveLiveCalls(...write: Parameters<MemoryStore['saveLiveCalls']>): Promise<NotSaved> {
      writes += 1;
      return super.saveLiveCalls(...write);
    }
  })();
  fixture = await started({ store: counted });
  [alice, bob] = await both();
  const call_id = await connected();
  writes = 0;
  for (const is_enabled of [true, false, true, false]) {
    alice.receive(JSON.stringify(alice.frame('audio', { call_id, is_enabled })));
  }
  await settled();
  expect(writes).toBe(1);
  await say(alice, 'alive', { call_id });
  expect(writes).toBe(1);
});

it('the changes of messages that arrive one after the other share a write at the end of the turn', async () => {
  const writes: number[] = [];
  const counted = new (class extends MemoryStore {
    override async saveLiveCalls(...write: Parameters<MemoryStore['saveLiveCalls']>): Promise<NotSaved> {
      writes.push(write[2].length);
      return super.saveLiveCalls(...write);
    }
  })();
  const turns: (() => void)[] = [];
  let isHeld = false;
  const endOfTurn = () => (isHeld ? new Promise<void>((resolve) => void turns.push(resolve)) : Promise.resolve());
  fixture = await started({ store: counted, endOfTurn });
  [alice, bob] = await both();
  const call_id = await connected();
  writes.length = 0;
  isHeld = true;
  const before = alice.replies.length;
  for (const device of [alice, bob]) {
    device.receive(JSON.stringify(device.frame('audio', { call_id, is_enabled: false })));
    // Node runs the callbacks of promises after the message of each socket.
    await turn();
  }
  expect([writes, alice.replies.length - before, turns.length]).toEqual([[], 0, 1]);
  isHeld = false;
  for (const end of turns.splice(0)) end();
  await settled();
  expect([writes, alice.replies.length - before]).toEqual([[1], 1]);
});

it('live calls are stored up to the setting; the log names a call above it, and free space is used again', async () => {
  fixture = await started({ settings: { relay: RELAY, liveCalls: 1 } });
  [alice, bob] = await both();
  const [carol, dave] = await Promise.all([fixture.device('carol'), fixture.device('dave')]);
  const first = await dialled();
  const reply = await say(carol, 'dial', { ...DIAL, callee_id: 'dave' });
  const { call_id } = reply.payload as { call_id: string };
  expect((await store.abandonedCalls(Infinity)).map(({ callId }) => callId)).toEqual([first]);
  const named = fixture.log.filter(({ message }) => message.startsWith('too many live calls'));
  expect(named[0]?.fields).toEqual({ call: call_id });
  await say(alice, 'cancel', { call_id: first });
  await say(dave, 'accept', { call_id, constraints: AV, capabilities: [] });
  const [kept] = await store.abandonedCalls(Infinity);
  expect([kept?.callId, kept?.signals.length]).toEqual([call_id, 2]);
});

it('an exchange does not continue the calls of another running exchange, and ends them when that one is gone', async () => {
  const call_id = await connected();
  clock.advance(20_000);
  await settled();
  const other = await started({ name: 'two' });
  expect(other.exchange.liveCalls).toEqual([]);
  expect(codeOf(await say(alice, 'alive', { call_id }))).toBe(0);
  clock.stop();
  const third = await started({ name: 'three' });
  clock.advance(DEFAULT_SETTINGS.abandonedMs + 60_000);
  await turn();
  clock.advance(60_000);
  await turn();
  expect(third.exchange.liveCalls).toEqual([]);
  expect(await store.call(call_id)).toMatchObject({ endResult: 'connection_lost', duration: 20_000 });
});

it('live calls do not count as abandoned when the store returns after a long time', async () => {
  let isAway = false;
  store = new (class extends MemoryStore {
    override async saveLiveCalls(...write: Parameters<MemoryStore['saveLiveCalls']>): Promise<NotSaved> {
      if (isAway) throw new Error('no connection');
      return super.saveLiveCalls(...write);
    }
    override async abandonedCalls(before: number) {
      if (isAway) throw new Error('no connection');
      return super.abandonedCalls(before);
    }
  })();
  fixture = await started();
  [alice, bob] = await both();
  clock.advance(57_000);
  const call_id = await connected();
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      clock.advance(1_000);
      for (const device of [alice, bob]) device.receive(JSON.stringify(device.frame('alive', { call_id })));
      await turn();
    }
  };
  isAway = true;
  await pass(DEFAULT_SETTINGS.abandonedMs + 1_000);
  // The next search for abandoned calls comes before the next write.
  await pass(60_000 - 1_000);
  isAway = false;
  await pass(70_000);
  expect(await store.call(call_id)).toBeUndefined();
  await say(alice, 'end', { call_id });
  expect(await store.call(call_id)).toMatchObject({ endResult: 'completed' });
});

it('a second exchange under the name claims the calls: the first reports it and stores none any more', async () => {
  const call_id = await connected();
  const second = await started();
  expect(second.exchange.liveCalls).toHaveLength(1);
  await say(alice, 'hold', { call_id, is_on_hold: true, was_relayed: false });
  expect(fixture.log.map(({ message }) => message)).toContainEqual(expect.stringMatching(/started under the name/));
});

it('ERR-1400106: a user who was removed counts as never authenticated, also after a restart', async () => {
  const bobAgain = { user_id: 'bob', nickname: 'another bob', profile_url: '' };
  fixture.exchange.removeUser('bob');
  await restart(1_000);
  fixture.exchange.addUser(bobAgain);
  alice = await fixture.device('alice');
  expect(codeOf(await say(alice, 'dial', DIAL))).toBe(ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE);
});

it('a call that cannot be read is deleted, and the exchange starts', async () => {
  const call_id = await connected();
  const damaged = new (class extends MemoryStore {
    override async takeLiveCalls() {
      const { owner, calls } = await store.takeLiveCalls('one', { at: 0, clock: 0 }, 0);
      return { owner, calls: calls.map((call) => ({ ...call, body: { callId: call.callId } })) };
    }
    override forgetLiveCalls(callIds: readonly string[]) {
      return store.forgetLiveCalls(callIds);
    }
  })();
  await crash(1_000, undefined, { store: damaged });
  expect(fixture.exchange.liveCalls).toEqual([]);
  alice = await fixture.device('alice');
  expect(codeOf(await say(alice, 'alive', { call_id }))).toBe(ErrorCode.ERR_CALL_DOES_NOT_EXIST);
  expect((await store.takeLiveCalls('one', { at: 0, clock: 0 }, 0)).calls).toEqual([]);
});

it('the removal of a user ends a continued call, and the history has its end', async () => {
  await connected();
  await crash(1_000);
  fixture.exchange.removeUser('bob');
  expect(await history()).toMatchObject([{ end_result: 'unknown', duration: 1_000 }]);
});

it('a command that still waits when the exchange stops has no effect and no reply, so the client repeats it', async () => {
  let decide: (isAllowed: boolean) => void = () => undefined;
  const decision = new Promise<boolean>((resolve) => (decide = resolve));
  fixture = await started({ policy: { mayDial: () => decision } });
  [alice, bob] = await both();
  const byHttp = await fixture.device('carol');
  alice.receive(JSON.stringify(alice.frame('dial', DIAL, 'by socket')));
  const answer = fixture.http('POST', '/v1/action/direct_call', {
    headers: byHttp.headers,
    body: byHttp.frame('dial', DIAL, 'by http'),
  });
  await turn();
  fixture.exchange.close();
  decide(true);
  expect(await answer).toMatchObject({ status: 503, body: { code: ErrorCode.ERR_REQUEST_FAILED } });
  await settled();
  expect([alice.replies, bob.types, await keptStates()]).toEqual([[], [], []]);
  expect(fixture.log.filter(({ level }) => level === 'error')).toEqual([]);
});
