/** How an exchange continues a call that the previous exchange stored. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommandType, CommandPayload } from '../../../src/protocol/messages/commands.ts';
import type { ExchangeOptions } from '../../../sim/exchange/exchange.ts';
import type { LiveCall, LiveSignal, Moment } from '../../../sim/exchange/calls/live-call.ts';
import { DEFAULT_SETTINGS } from '../../../sim/exchange/settings.ts';
import type { NotSaved, Owner } from '../../../sim/exchange/store.ts';
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

const SILENCE = DEFAULT_SETTINGS.aliveSilenceMs;
const DIAL = { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] };

class RecordingStore extends MemoryStore {
  /** The numbers of signals that each write adds. */
  readonly added: number[][] = [];

  override async saveLiveCalls(
    owner: Owner,
    seen: Moment,
    calls: readonly LiveCall[],
    signals: readonly LiveSignal[],
  ): Promise<NotSaved> {
    this.added.push(signals.map(({ sequence }) => sequence));
    return super.saveLiveCalls(owner, seen, calls, signals);
  }
}

let clock: HandClock;
let store: RecordingStore;
let fixture: ExchangeFixture;
let made = 0;

async function start(more: Partial<ExchangeOptions> = {}): Promise<void> {
  const next = (kind: string) => `${kind}-${(made += 1)}`;
  const ids = { uuid: () => next('id'), token: () => next('token') };
  fixture = createExchangeFixture({ store, clock, name: 'one', ids, ...more });
  await fixture.exchange.open();
}

/** Ends the process without an event, and starts another after `downMs`. */
async function crash(downMs: number, more: Partial<ExchangeOptions> = {}): Promise<void> {
  await settled();
  clock.stop();
  clock.advance(downMs);
  clock.startProcess();
  await start(more);
}

async function settled(): Promise<void> {
  await fixture.exchange.kept();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Sends a command, and returns its reply. */
async function say<T extends CommandType>(device: Device, type: T, payload: CommandPayload<T>, id?: string) {
  const frame = device.frame(type, payload, id ?? `request-${(made += 1)}`);
  device.receive(JSON.stringify(frame));
  await settled();
  const reply = device.replies.findLast(({ request_id }) => request_id === frame.request_id);
  if (!reply) throw new Error(`no reply to ${type}`);
  return reply;
}
const codeOf = async <T extends CommandType>(device: Device, type: T, payload: CommandPayload<T>) =>
  (await say(device, type, payload)).error?.code ?? 0;

async function dialled(alice: Device): Promise<string> {
  return ((await say(alice, 'dial', DIAL)).payload as { call_id: string }).call_id;
}

const accept = (bob: Device, call_id: string) => say(bob, 'accept', { call_id, constraints: AV, capabilities: [] });

/** Advances the time while the devices send alive. */
async function keptAlive(call_id: string, ms: number, ...devices: Device[]): Promise<void> {
  for (let left = ms; left > 0; left -= 20_000) {
    for (const device of devices) await say(device, 'alive', { call_id });
    clock.advance(Math.min(20_000, left));
    await settled();
  }
}

beforeEach(async () => {
  clock = new HandClock();
  store = new RecordingStore();
  made = 0;
  await start();
});

describe('a call that continues', () => {
  it('numbers its next signal after those that were written later than the call', async () => {
    const [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
    const call_id = await dialled(alice);
    await accept(bob, call_id);
    const candidate = { sdp: 'candidate:1', sdp_mid: '0', sdp_mline_index: 0 };
    await say(alice, 'candidate', { call_id, candidate });
    // A store that writes live calls apart has the call as it was before the candidate.
    const take = store.takeLiveCalls.bind(store);
    store.takeLiveCalls = async (...asked) => {
      const taken = await take(...asked);
      const before = ({ legs, ...call }: LiveCall) => ({
        ...call,
        legs: legs.map((leg) => ({ ...leg, lastSignal: 1 })),
      });
      return { ...taken, calls: taken.calls.map((kept) => ({ ...kept, body: before(kept.body as LiveCall) })) };
    };
    await crash(1_000);
    const [back, other] = [await fixture.device('alice'), await fixture.device('bob')];
    await say(back, 'candidate', { call_id, candidate });
    expect(other.events.at(-1)).toMatchObject({ type: 'candidate', sequence_number: 3 });
  });

  it('rings at most as long as any call, including the time without an exchange', async () => {
    const [alice] = [await fixture.device('alice'), await fixture.device('bob')];
    const call_id = await dialled(alice);
    await keptAlive(call_id, 100_000, alice);
    await crash(4_000);
    const back = await fixture.device('alice');
    await keptAlive(call_id, DEFAULT_SETTINGS.ringTimeoutMs - 104_000 - 1, back);
    expect(fixture.exchange.liveCalls).toHaveLength(1);
    clock.advance(1);
    await settled();
    expect([fixture.exchange.liveCalls, back.told]).toEqual([[], 'no_answer']);
  });

  it('is set up for at most as long as any call, including the time without an exchange', async () => {
    const [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
    const call_id = await dialled(alice);
    await accept(bob, call_id);
    await keptAlive(call_id, 100_000, alice, bob);
    await crash(4_000);
    const both = [await fixture.device('alice'), await fixture.device('bob')];
    await keptAlive(call_id, DEFAULT_SETTINGS.setupTimeoutMs - 104_000 - 1, ...both);
    expect(fixture.exchange.liveCalls).toHaveLength(1);
    clock.advance(1);
    await settled();
    expect(both.map(({ told }) => told)).toEqual(['timed_out', 'timed_out']);
  });

  it('D13: is found by a device that returns in time, for any time of ringing before', async () => {
    const alice = await fixture.device('alice');
    await fixture.device('bob');
    const call_id = await dialled(alice);
    await keptAlive(call_id, DEFAULT_SETTINGS.ringTimeoutMs - 1_000, alice);
    await crash(4_000);
    const back = await fixture.device('alice');
    await keptAlive(call_id, SILENCE - 1, back);
    expect(fixture.exchange.liveCalls).toHaveLength(1);
    clock.advance(1);
    expect(fixture.exchange.liveCalls).toEqual([]);
  });

  it('rings at most for the ring limit when that is shorter than the silence limit', async () => {
    const settings = { ringTimeoutMs: SILENCE - 10_000 };
    await start({ settings });
    const alice = await fixture.device('alice');
    await fixture.device('bob');
    const call_id = await dialled(alice);
    await crash(4_000, { settings });
    const back = await fixture.device('alice');
    await keptAlive(call_id, settings.ringTimeoutMs - 1, back);
    expect(fixture.exchange.liveCalls).toHaveLength(1);
    clock.advance(1);
    expect(fixture.exchange.liveCalls).toEqual([]);
  });

  it('D13: continues to ring when a ringing device is silent', async () => {
    const alice = await fixture.device('alice');
    await fixture.device('bob');
    const call_id = await dialled(alice);
    await crash(1_000);
    const back = await fixture.device('alice');
    await keptAlive(call_id, SILENCE + 1_000, back);
    expect(fixture.exchange.liveCalls).toEqual([{ callId: call_id, state: 'ringing' }]);
  });

  it('continues a second time, while it rings and after the accept', async () => {
    const alice = await fixture.device('alice');
    await fixture.device('bob');
    const call_id = await dialled(alice);
    for (const state of ['ringing', 'ringing'] as const) {
      await crash(1_000);
      expect(fixture.exchange.liveCalls).toEqual([{ callId: call_id, state }]);
    }
    await accept(await fixture.device('bob'), call_id);
    for (const state of ['accepted', 'accepted'] as const) {
      await crash(1_000);
      expect(fixture.exchange.liveCalls).toEqual([{ callId: call_id, state }]);
    }
  });

  it('is between the caller and the device that accepted, in any order of ringing', async () => {
    const alice = await fixture.device('alice');
    await fixture.device('bob', 'bob-1');
    const tablet = await fixture.device('bob', 'bob-2');
    const call_id = await dialled(alice);
    await accept(tablet, call_id);
    await crash(1_000);
    const [back, phone, found] = [
      await fixture.device('alice'),
      await fixture.device('bob', 'bob-1'),
      await fixture.device('bob', 'bob-2'),
    ];
    expect(await codeOf(phone, 'alive', { call_id })).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    await say(back, 'offer', { call_id, sdp: PACKED, peer_connection_id: 'pc', offer_id: 'o' });
    expect([found.event('offer')?.offer_id, phone.event('offer')]).toEqual(['o', undefined]);
    await say(found, 'end', { call_id });
    expect(back.told).toBe('not_connected');
  });

  it('sends each device its signals again, also when two users have the same client names, and stores none twice', async () => {
    const alice = await fixture.device('alice', 'same');
    const [bob, tablet] = [await fixture.device('bob', 'same'), await fixture.device('bob', 'bob-2')];
    const call_id = await dialled(alice);
    await accept(bob, call_id);
    const missed = async (device: Device) => {
      const ask = { headers: device.headers, query: { call_ids: call_id } };
      const { body } = await fixture.http('GET', '/v1/direct_calls/missed_signal', ask);
      return body.signals.map(({ type, sequence_number }: any) => `${type} ${sequence_number}`);
    };
    const before = [await missed(alice), await missed(bob), await missed(tablet)];
    expect(before).toEqual([['accept 1'], ['dial 1'], ['dial 1', 'other_device_accepted 2']]);
    await crash(1_000);
    store.added.length = 0;
    const back = [await fixture.device('alice', 'same'), await fixture.device('bob', 'same')] as const;
    const backTablet = await fixture.device('bob', 'bob-2');
    expect([await missed(back[0]), await missed(back[1]), await missed(backTablet)]).toEqual(before);
    await say(back[0], 'audio', { call_id, is_enabled: false });
    expect(store.added.flat()).toEqual([2]);
  });

  it('uses the media path again, under its id', async () => {
    const opened: string[] = [];
    const mediaPath = (callId: string) => {
      opened.push(callId);
      return {
        rewriteSdp: (sdp: string) => sdp.replace('s=-', 's=led'),
        rewriteCandidate: async (candidate: string) => candidate,
        dispose: () => void opened.push('disposed'),
      };
    };
    const [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
    const call_id = await dialled(alice);
    await accept(bob, call_id);
    await crash(1_000, { mediaPath });
    const [back, other] = [await fixture.device('alice'), await fixture.device('bob')];
    expect(opened).toEqual([call_id]);
    await say(back, 'offer', { call_id, sdp: PACKED, peer_connection_id: 'pc', offer_id: 'o' });
    expect([other.event('offer')?.offer_id, other.event('offer')?.sdp === PACKED]).toEqual(['o', false]);
    await say(back, 'end', { call_id });
    expect(opened).toEqual([call_id, 'disposed']);
  });

  it('ERR-1400106: its users count as users who have logged in', async () => {
    await fixture.device('bob');
    await dialled(await fixture.device('alice'));
    await crash(1_000);
    const carol = await fixture.device('carol');
    for (const callee_id of ['alice', 'bob']) expect(await codeOf(carol, 'dial', { ...DIAL, callee_id })).toBe(0);
    expect(await codeOf(carol, 'dial', { ...DIAL, callee_id: 'dave' })).toBe(ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE);
  });

  it('I12: gives the first answer to a repeated dial and accept', async () => {
    const [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
    const dial = await say(alice, 'dial', DIAL, 'the-dial');
    const { call_id } = dial.payload as { call_id: string };
    const accepting = { call_id, constraints: AV, capabilities: [] };
    const accepted = await say(bob, 'accept', accepting, 'the-accept');
    await crash(1_000);
    expect(await say(await fixture.device('alice'), 'dial', DIAL, 'the-dial')).toEqual(dial);
    expect(await say(await fixture.device('bob'), 'accept', accepting, 'the-accept')).toEqual(accepted);
  });

  it('S08: refuses requests of a device whose leg has ended', async () => {
    const sha256 = (text: string) => `hash of ${text}`;
    await start({ sha256 });
    const [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
    const tablet = await fixture.device('bob', 'bob-2');
    const call_id = await dialled(alice);
    await accept(bob, call_id);
    await crash(1_000, { sha256 });
    const asks = async ({ headers }: Device) =>
      (await fixture.http('GET', '/v1/direct_calls/missed_signal', { headers, query: { call_ids: call_id } })).status;
    expect([await asks(alice), await asks(bob), await asks(tablet)]).toEqual([200, 200, 401]);
  });

  it('is connected for as long as both sides had media', async () => {
    const [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
    const call_id = await dialled(alice);
    await accept(bob, call_id);
    await say(alice, 'connected', { call_id, connection: CONNECTION, reconnect: false });
    await crash(4_000);
    const [back, other] = [await fixture.device('alice'), await fixture.device('bob')];
    clock.advance(6_000);
    await say(other, 'connected', { call_id, connection: CONNECTION, reconnect: false });
    expect(fixture.exchange.liveCalls).toEqual([{ callId: call_id, state: 'connected' }]);
    await say(back, 'alive', { call_id });
    const sides = { caller: 'alice', callee: 'bob', isVideoCall: true };
    const now = { at: clock.wallTime(), clock: clock.now() };
    expect(fixture.exchange.begunCalls).toEqual([{ callId: call_id, ...sides, ...now, isHeld: false, isBack: true }]);
    clock.advance(5_000);
    await say(back, 'end', { call_id });
    await settled();
    expect(store.records).toMatchObject([{ duration: 5_000, endResult: 'completed' }]);
  });
});

it('F35: a user whose first login was not saved before a crash can be called after two restarts', async () => {
  const alice = await fixture.device('alice');
  const { saveCaller } = MemoryStore.prototype;
  // The process ends before it has saved the login.
  store.saveCaller = () => Promise.resolve();
  const bob = await fixture.device('bob');
  const call_id = await dialled(alice);
  store.saveCaller = saveCaller;
  expect(bob.types).toEqual(['dial']);
  await crash(1_000);
  const again = await fixture.device('bob');
  expect(await codeOf(again, 'decline', { call_id })).toBe(0);
  await crash(1_000);
  expect(await codeOf(await fixture.device('alice'), 'dial', DIAL)).not.toBe(ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE);
});

describe('a stored call with invalid data', () => {
  it.each([
    ['has no caller', { legs: [] }],
    ['has a device of the callee for its caller', 'first leg'],
    ['has no device that accepted it', { state: { name: 'accepted', since: { at: 0, clock: 0 }, callee: 'none' } }],
    ['has no device that is connected', { state: { name: 'connected', since: { at: 0, clock: 0 }, callee: 'none' } }],
  ])('is dropped when it %s', async (_, wrong) => {
    const alice = await fixture.device('alice');
    await fixture.device('bob');
    const call_id = await dialled(alice);
    await settled();
    const take = store.takeLiveCalls.bind(store);
    store.takeLiveCalls = async (...options) => {
      const { owner, calls } = await take(...options);
      const broken = calls.map((kept) => {
        const body = kept.body as LiveCall;
        const legs = body.legs.slice(1);
        return { ...kept, body: { ...body, ...(typeof wrong === 'string' ? { legs } : wrong) } };
      });
      return { owner, calls: broken };
    };
    await crash(1_000);
    expect(fixture.exchange.liveCalls).toEqual([]);
    expect(fixture.log).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'a call that was kept cannot be read' }),
    );
    store.takeLiveCalls = take;
    await crash(1_000);
    expect([fixture.exchange.liveCalls, call_id.length > 0]).toEqual([[], true]);
    expect(fixture.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
