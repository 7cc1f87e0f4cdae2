/** The writes of an exchange about its live calls, and their times. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ALL_SAVED, type LiveCallPlace, type NotSaved, type Owner } from '../../../sim/exchange/store.ts';
import type { EndRecord } from '../../../sim/exchange/calls/call.ts';
import type { Cluster, ClusterHost } from '../../../sim/exchange/cluster.ts';
import type { LiveCall, LiveSignal, Moment } from '../../../sim/exchange/calls/live-call.ts';
import type { ExchangeSettings } from '../../../sim/exchange/settings.ts';
import { MemoryStore } from '../../../sim/store/memory-store.ts';
import { aLiveCall } from '../../contract/store/store.contract.ts';
import { AV, CONNECTION, createExchangeFixture, type Device, type ExchangeFixture } from './exchange-fixture.ts';
import { HandClock } from '../support/hand-clock.ts';

interface Written {
  readonly owner: Owner;
  readonly seen: Moment;
  readonly calls: readonly LiveCall[];
  readonly signals: readonly string[];
}

class RecordingStore extends MemoryStore {
  readonly writes: Written[] = [];
  readonly taken: unknown[] = [];
  readonly left: Owner[] = [];
  readonly forgotten: string[] = [];
  readonly swept: number[] = [];
  /** The results of the next writes. Default: all is saved. */
  readonly results: (NotSaved | Error)[] = [];
  /** The ids of the calls whose end was recorded. */
  readonly ended: string[] = [];
  liveCallPlace: LiveCallPlace = 'database';
  /** What the writes of records wait for. */
  disk: Promise<void> = Promise.resolve();
  /** What the next write of live calls waits for. */
  held: Promise<void> | null = null;

  endLiveCall({ callId }: EndRecord): void {
    this.ended.push(callId);
  }
  override async saveCalls(...saved: Parameters<MemoryStore['saveCalls']>) {
    await this.disk;
    return super.saveCalls(...saved);
  }

  override async takeLiveCalls(...take: Parameters<MemoryStore['takeLiveCalls']>) {
    this.taken.push(take);
    return super.takeLiveCalls(...take);
  }
  override async saveLiveCalls(
    owner: Owner,
    seen: Moment,
    calls: readonly LiveCall[],
    signals: readonly LiveSignal[],
  ): Promise<NotSaved> {
    const named = signals.map(({ clientId, sequence, frame }) => `${clientId} ${sequence} ${JSON.parse(frame).type}`);
    this.writes.push({ owner, seen, calls, signals: named });
    const { held } = this;
    this.held = null;
    if (held) await held;
    const result = this.results.shift();
    if (result instanceof Error) throw result;
    return result ?? super.saveLiveCalls(owner, seen, calls, signals);
  }
  override async leaveLiveCalls(owner: Owner) {
    this.left.push(owner);
    return super.leaveLiveCalls(owner);
  }
  override async forgetLiveCalls(callIds: readonly string[]) {
    this.forgotten.push(...callIds);
    return super.forgetLiveCalls(callIds);
  }
  override async abandonedCalls(before: number) {
    this.swept.push(before);
    return super.abandonedCalls(before);
  }
}

let clock: HandClock;
let store: RecordingStore;
let fixture: ExchangeFixture;
let alice: Device;
let bob: Device;

async function open(settings: Partial<ExchangeSettings> = {}): Promise<void> {
  fixture = createExchangeFixture({ store, clock, name: 'one', settings });
  await fixture.exchange.open();
  [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
}

beforeEach(async () => {
  clock = new HandClock();
  clock.startProcess();
  store = new RecordingStore();
  await open();
});

/** Runs the callbacks that wait for the store. */
async function settled(): Promise<void> {
  await fixture.exchange.kept();
  await new Promise((resolve) => setImmediate(resolve));
}
/** Returns the writes since the last time. */
const written = () => store.writes.splice(0);
const messages = () => fixture.log.map(({ message }) => message);

async function say(device: Device, ...command: Parameters<Device['frame']>): Promise<void> {
  device.receive(JSON.stringify(device.frame(...command)));
  await settled();
}

async function dialled(): Promise<string> {
  await say(alice, 'dial', { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] });
  const callId = fixture.exchange.liveCalls.at(-1)?.callId;
  if (callId === undefined) throw new Error('the dial was refused');
  return callId;
}

async function connected(): Promise<string> {
  const call_id = await dialled();
  await say(bob, 'accept', { call_id, constraints: AV, capabilities: ['x'] });
  for (const device of [alice, bob])
    await say(device, 'connected', { call_id, connection: CONNECTION, reconnect: false });
  return call_id;
}

describe('the live calls of an exchange', () => {
  it('are claimed under its name, with the calls of an exchange that missed three heartbeats', () => {
    expect(store.taken).toEqual([['one', { at: clock.wallTime(), clock: 7_000 }, clock.wallTime() - 15_000]]);
  });

  it('are logged when they cannot be read, and so is each record that the database refused', async () => {
    const { takeLiveCalls } = MemoryStore.prototype;
    store.takeLiveCalls = async (...take) => ({
      ...(await takeLiveCalls.apply(store, take)),
      refused: [{ callId: 'one', error: new Error('refused') }],
      unreadable: ['two'],
      skipped: 2,
    });
    await open();
    expect(fixture.log.filter(({ level }) => level === 'error')).toMatchObject([
      { message: 'the database refused the record of a call', fields: { call: 'one' } },
      { message: 'the record of a call cannot be read, and is lost', fields: { call: 'two' } },
      { message: 'parts of the file of live calls cannot be read', fields: { parts: 2 } },
    ]);
  });

  it('are claimed once, and released once', async () => {
    await fixture.exchange.open();
    expect(store.taken).toHaveLength(1);
    await connected();
    for (let at = 0; at < 2; at += 1) fixture.exchange.close();
    await settled();
    expect([store.left, alice.closes]).toEqual([[{ name: 'one', epoch: 1 }], [1012]]);
  });

  it('are written at each change, and each signal once', async () => {
    const call_id = await connected();
    const since = { at: clock.wallTime(), clock: 7_000 };
    const leg = {
      capabilities: [],
      media: AV,
      recording: 'none',
      onHold: false,
      connectedAt: since,
      hasDescribed: false,
      outcome: null,
      session: null,
      lost: null,
      firstSignal: 1,
      lastSignal: 2,
    };
    const writes = written();
    expect(writes.flatMap(({ signals }) => signals)).toEqual([
      'bob-1 1 dial',
      'alice-1 1 accept',
      'bob-1 2 connected',
      'alice-1 2 connected',
    ]);
    expect(writes.map(({ calls }) => calls[0]?.state)).toEqual([
      { name: 'ringing', since },
      { name: 'accepted', since, callee: 'bob-1' },
      { name: 'accepted', since, callee: 'bob-1' },
      { name: 'connected', since, callee: 'bob-1' },
    ]);
    expect(writes[0]?.calls[0]?.legs[0]).toMatchObject({ firstSignal: 1, lastSignal: 0 });
    const person = (user_id: string) => ({
      user_id,
      nickname: user_id,
      profile_url: '',
      metadata: {},
      is_active: true,
    });
    expect(writes.at(-1)).toEqual({
      owner: { name: 'one', epoch: 1 },
      seen: since,
      signals: ['alice-1 2 connected'],
      calls: [
        {
          callId: call_id,
          isVideoCall: true,
          customItems: {},
          itemsAffectedAt: since.at,
          constraints: AV,
          createdAt: since.at,
          callerUser: person('alice'),
          calleeUser: person('bob'),
          dialReceived: false,
          webhook: null,
          begunAt: since,
          state: { name: 'connected', since, callee: 'bob-1' },
          legs: [
            { ...leg, side: 'caller', userId: 'alice', clientId: 'alice-1', request: 'alice-1-1' },
            { ...leg, side: 'callee', userId: 'bob', clientId: 'bob-1', capabilities: ['x'], request: 'bob-1-1' },
          ],
        },
      ],
    });
  });

  it('are marked as seen every five seconds, as long as a call lives', async () => {
    const call_id = await connected();
    written();
    clock.advance(4_999);
    await settled();
    expect(written()).toEqual([]);
    clock.advance(1);
    await settled();
    expect(written()).toMatchObject([{ seen: { at: clock.wallTime(), clock: 12_000 }, calls: [], signals: [] }]);
    clock.advance(5_000);
    await settled();
    expect(written()).toHaveLength(1);
    await say(alice, 'end', { call_id });
    written();
    clock.advance(20_000);
    await settled();
    expect(written()).toEqual([]);
    await dialled();
    written();
    clock.advance(5_000);
    await settled();
    expect(written()).toHaveLength(1);
  });

  it('have two more writes after the last of them in a store that writes them apart, which remove what they left', async () => {
    store.liveCallPlace = 'file';
    await open();
    const call_id = await connected();
    await say(alice, 'end', { call_id });
    written();
    clock.advance(5_000);
    await settled();
    expect(written()).toMatchObject([{ calls: [], signals: [] }]);
    clock.advance(5_000);
    await settled();
    expect(written()).toMatchObject([{ calls: [], signals: [] }]);
    clock.advance(20_000);
    await settled();
    expect(written()).toEqual([]);
    // Also after a call that no beat has seen.
    await say(alice, 'end', { call_id: await connected() });
    written();
    for (const left of [1, 1, 0]) {
      clock.advance(5_000);
      await settled();
      expect(written()).toHaveLength(left);
    }
  });

  it('are written again with the next change, and not in the same turn, for a store that writes them apart', async () => {
    store.liveCallPlace = 'file';
    await open();
    store.results.push({ ...ALL_SAVED, missing: ['unknown'] });
    const call_id = await dialled();
    expect(written().map(({ signals }) => signals)).toEqual([['bob-1 1 dial']]);
    store.results.push({ ...ALL_SAVED, missing: [call_id] });
    await say(alice, 'video', { call_id, is_enabled: false });
    expect(written()).toHaveLength(1);
    await say(bob, 'accept', { call_id, constraints: AV, capabilities: [] });
    expect(written().map(({ signals }) => signals)).toEqual([
      expect.arrayContaining(['bob-1 1 dial', 'alice-1 1 accept']),
    ]);
  });

  it('are written with all signals again, also when an earlier write is in progress by then', async () => {
    let host: ClusterHost | undefined;
    const cluster: Cluster = {
      devices: (here) => here,
      router: (here) => here,
      ownerOf: () => null,
      start: async (started) => void (host = started),
    };
    fixture = createExchangeFixture({ store, clock, name: 'one', cluster });
    await fixture.exchange.open();
    [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
    const call_id = await dialled();
    await say(bob, 'accept', { call_id, constraints: AV, capabilities: [] });
    let release = (): void => undefined;
    store.held = new Promise((resolve) => (release = resolve));
    written();
    const saying = say(alice, 'video', { call_id, is_enabled: false });
    await new Promise((resolve) => setImmediate(resolve));
    expect(written().map(({ signals }) => signals)).toEqual([['bob-1 2 video']]);
    host?.writeAgain(call_id);
    release();
    await saying;
    await say(alice, 'video', { call_id, is_enabled: true });
    expect(written().map(({ signals }) => signals)).toEqual([
      expect.arrayContaining(['bob-1 1 dial', 'alice-1 1 accept', 'bob-1 2 video']),
      ['bob-1 3 video'],
    ]);
  });

  it('are not written for a candidate in a store that writes them apart, which gets the signal alone', async () => {
    const candidate = { sdp: 'candidate:1', sdp_mid: '0', sdp_mline_index: 0 };
    for (const isApart of [true, false]) {
      store.liveCallPlace = isApart ? 'file' : 'database';
      await open();
      const call_id = await dialled();
      await say(bob, 'accept', { call_id, constraints: AV, capabilities: [] });
      written();
      await say(alice, 'candidate', { call_id, candidate });
      const [write] = written();
      expect([write?.calls.length, write?.signals]).toEqual([isApart ? 0 : 1, ['bob-1 2 candidate']]);
      // A write that fails is made again with the call.
      store.results.push(new Error('no space'));
      await say(bob, 'remove_candidates', { call_id, candidates: [candidate] });
      await say(bob, 'candidate', { call_id, candidate });
      const [, again] = written();
      expect([again?.calls.length, again?.signals]).toEqual([
        1,
        ['alice-1 2 remove_candidates', 'alice-1 3 candidate'],
      ]);
      await say(alice, 'end', { call_id });
    }
  });

  it('end at once in a store that writes them apart, and the record holds back the messages of their devices alone', async () => {
    store.liveCallPlace = 'file';
    await open();
    const carol = await fixture.device('carol');
    await fixture.device('dave');
    const call_id = await connected();
    let save = (): void => undefined;
    store.disk = new Promise((resolve) => (save = resolve));
    alice.receive(JSON.stringify(alice.frame('end', { call_id })));
    expect(store.ended).toEqual([call_id]);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const before = [alice.replies.length, bob.events.length];
    carol.receive(
      JSON.stringify(
        carol.frame('dial', { callee_id: 'dave', is_video_call: false, constraints: AV, capabilities: [] }),
      ),
    );
    await turn();
    expect([alice.replies.length, bob.events.length, carol.replies.length]).toEqual([...before, 1]);
    save();
    await settled();
    expect([alice.replies.length, bob.events.length]).toEqual(before.map((count) => count + 1));
  });

  it('wait for no first login of another user, whose answer waits until it is saved', async () => {
    store.liveCallPlace = 'file';
    await open();
    let save = (): void => undefined;
    const saving = new Promise<void>((resolve) => (save = resolve));
    store.saveCaller = () => saving;
    let isAnswered = false;
    const login = fixture.device('carol').then(() => (isAnswered = true));
    await new Promise((resolve) => setImmediate(resolve));
    const frame = alice.frame('dial', { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] });
    alice.receive(JSON.stringify(frame));
    await new Promise((resolve) => setImmediate(resolve));
    expect([alice.replies.length, bob.types, isAnswered]).toEqual([1, ['dial'], false]);
    save();
    await login;
  });

  it('S14: are written up to a limit, and the end of one makes space for the next', async () => {
    await open({ liveCalls: 1 });
    const first = await dialled();
    written();
    const second = await dialled();
    expect(written()).toEqual([]);
    expect(messages()).toContainEqual(expect.stringMatching(/^too many live calls/));
    await say(alice, 'video', { call_id: first, is_enabled: false });
    await say(alice, 'cancel', { call_id: first });
    written();
    await say(alice, 'alive', { call_id: second });
    await say(bob, 'accept', { call_id: second, constraints: AV, capabilities: [] });
    const [write] = written();
    expect([write?.calls[0]?.callId, write?.signals]).toEqual([second, ['alice-1 1 accept', 'bob-1 1 dial']]);
  });

  it('S14: are ten thousand at most by default', async () => {
    const ample = { burst: 1e9, perSecond: 1 };
    await open({ messages: ample, sent: ample, accountMessages: ample, dials: ample, callsPerCaller: 20_000 });
    bob.disconnect();
    const dial = () => {
      const payload = { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] };
      alice.receive(JSON.stringify(alice.frame('dial', payload)));
    };
    const refused = () => messages().filter((message) => message.startsWith('too many live calls')).length;
    for (let at = 0; at < 10_000; at += 1) dial();
    expect(refused()).toBe(0);
    dial();
    expect(refused()).toBe(1);
    await settled();
    expect(written().flatMap(({ calls }) => calls)).toHaveLength(10_000);
  });

  it('S27: a failed write is repeated with the state at that time, and without a call that ended', async () => {
    const [first, second] = [await connected(), await dialled()];
    written();
    store.results.push(new Error('disk full'));
    await say(alice, 'hold', { call_id: first, is_on_hold: true, was_relayed: false });
    expect(written()).toMatchObject([{ calls: [{ callId: first }], signals: ['bob-1 3 hold'] }]);
    store.results.push(new Error('disk full'));
    await say(bob, 'hold', { call_id: first, is_on_hold: true, was_relayed: false });
    expect(written()).toMatchObject([{ signals: ['alice-1 3 hold', 'bob-1 3 hold'] }]);
    await settled();
    const [again, ...more] = written();
    expect(again?.signals).toEqual(['alice-1 3 hold', 'bob-1 3 hold']);
    expect([again?.calls[0]?.legs.map(({ onHold }) => onHold), more]).toEqual([[true, true], []]);
    store.results.push(new Error('disk full'));
    await say(alice, 'video', { call_id: second, is_enabled: false });
    expect(written()).toMatchObject([{ calls: [{ callId: second }] }]);
    await say(alice, 'cancel', { call_id: second });
    await settled();
    expect(written().flatMap(({ calls, signals }) => [...calls, ...signals])).toEqual([]);
  });

  it('S27: are written again after the write queue dropped a write that failed for an hour', async () => {
    const call_id = await connected();
    store.results.push(new Error('disk full'), new Error('disk full'));
    await say(alice, 'hold', { call_id, is_on_hold: true, was_relayed: false });
    clock.advance(3_600_000);
    await settled();
    expect(messages()).toContain('a write was dropped');
    store.results.splice(0);
    written();
    const [carol, next] = [await fixture.device('carol'), await fixture.device('dave')];
    await say(carol, 'dial', { callee_id: next.userId, is_video_call: true, constraints: AV, capabilities: [] });
    expect(written().flatMap(({ calls }) => calls)).toMatchObject([{ callerUser: { user_id: 'carol' } }]);
  });

  it.each(['fails', 'succeeds'])(
    'a call that ends while it is written is not written again: the write %s',
    async (how) => {
      const call_id = await connected();
      written();
      let finish = () => {};
      const writing = new Promise<NotSaved>((resolve, reject) => {
        finish = () => (how === 'fails' ? reject(new Error('disk full')) : resolve(ALL_SAVED));
      });
      const save = store.saveLiveCalls;
      store.saveLiveCalls = () => writing;
      alice.receive(JSON.stringify(alice.frame('video', { call_id, is_enabled: false })));
      await new Promise((resolve) => setImmediate(resolve));
      alice.receive(JSON.stringify(alice.frame('end', { call_id })));
      store.saveLiveCalls = save;
      finish();
      await settled();
      await settled();
      expect(messages().filter((message) => message === 'the store failed')).toHaveLength(how === 'fails' ? 1 : 0);
      expect(written().flatMap(({ calls, signals }) => [...calls, ...signals])).toEqual([]);
      expect((await store.call(call_id))?.endResult).toBe('completed');
    },
  );

  it('that ended are removed from a cluster after their record is saved, which waits for no write to it', async () => {
    store.liveCallPlace = 'cluster';
    await open();
    const [first, second] = [await connected(), await dialled()];
    let finish = () => {};
    const writing = new Promise<NotSaved>((resolve) => (finish = () => resolve(ALL_SAVED)));
    store.saveLiveCalls = () => writing;
    alice.receive(JSON.stringify(alice.frame('video', { call_id: first, is_enabled: false })));
    await new Promise((resolve) => setImmediate(resolve));
    for (const [type, call_id] of [
      ['end', first],
      ['cancel', second],
    ] as const) {
      alice.receive(JSON.stringify(alice.frame(type, { call_id })));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const results = (await Promise.all([first, second].map((id) => store.call(id)))).map((call) => call?.endResult);
    expect([results, store.forgotten]).toEqual([['completed', 'canceled'], []]);
    const { forgetLiveCalls } = RecordingStore.prototype;
    store.forgetLiveCalls = () => Promise.reject(new Error('no answer'));
    finish();
    await settled();
    expect([messages().at(-1), store.forgotten]).toEqual([expect.stringMatching(/^the store failed/), []]);
    store.forgetLiveCalls = forgetLiveCalls;
    await settled();
    expect(store.forgotten).toEqual([first, second]);
    // A removed call is not removed again.
    const third = await dialled();
    await say(alice, 'cancel', { call_id: third });
    expect(store.forgotten).toEqual([first, second, third]);
  });

  it('that ended are removed from a cluster without a delay of messages', async () => {
    store.liveCallPlace = 'cluster';
    await open();
    const call_id = await connected();
    const [replies, ends] = [alice.replies.length, bob.told];
    store.forgetLiveCalls = () => new Promise(() => undefined);
    for (const times of [1, 2]) {
      // The second one is refused. Its reply is made after the removal has begun.
      alice.receive(JSON.stringify(alice.frame('end', { call_id })));
      for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      expect([ends, alice.replies.length - replies, bob.told]).toEqual([undefined, times, 'completed']);
    }
  });

  it('that ended are not removed from a database a second time', async () => {
    await say(alice, 'cancel', { call_id: await dialled() });
    expect(store.forgotten).toEqual([]);
  });

  it('an exchange that lost its name writes no more, and releases no call of the other exchange', async () => {
    const call_id = await connected();
    written();
    store.results.push({ ...ALL_SAVED, isReplaced: true });
    await say(alice, 'hold', { call_id, is_on_hold: true, was_relayed: false });
    expect(written()).toHaveLength(1);
    await say(alice, 'hold', { call_id, is_on_hold: false, was_relayed: false });
    expect([written(), bob.types.filter((type) => type === 'hold').length]).toEqual([[], 2]);
    fixture.exchange.close();
    await settled();
    expect([store.left, clock.pending]).toEqual([[], 0]);
  });

  it('are written a last time when the exchange stops, which then releases them and has no timers', async () => {
    const call_id = await connected();
    written();
    clock.advance(1_000);
    alice.receive(JSON.stringify(alice.frame('hold', { call_id, is_on_hold: true, was_relayed: false })));
    fixture.exchange.close();
    await settled();
    expect(written()).toMatchObject([
      { seen: { clock: 8_000 }, calls: [{ callId: call_id, legs: [{ onHold: true }, {}] }], signals: ['bob-1 3 hold'] },
    ]);
    expect([store.left, clock.pending]).toEqual([[{ name: 'one', epoch: 1 }], 0]);
    clock.advance(600_000);
    await settled();
    expect([written(), store.swept]).toEqual([[], []]);
  });

  it('are marked as seen a last time when the exchange stops, also without a change', async () => {
    await connected();
    written();
    clock.advance(1_000);
    fixture.exchange.close();
    await settled();
    expect(written()).toMatchObject([{ seen: { clock: 8_000 }, calls: [], signals: [] }]);
  });

  it('are dropped when a fault requires it', async () => {
    const call_id = await connected();
    written();
    fixture.exchange.forgetCalls();
    await settled();
    expect([store.forgotten, written()]).toEqual([[call_id], []]);
    clock.advance(20_000);
    await settled();
    expect(written()).toEqual([]);
  });
});

describe('the calls that an exchange abandoned', () => {
  /** The exchange has not written for ten minutes. */
  const ABANDONED_MS = 600_000;
  const sweeps = async (ms: number) => {
    clock.advance(ms);
    await settled();
    return store.swept.splice(0).map((before) => clock.wallTime() - before);
  };

  it('are searched once a minute, also after the store failed', async () => {
    expect(await sweeps(59_999)).toEqual([]);
    expect(await sweeps(1)).toEqual([ABANDONED_MS]);
    const { abandonedCalls } = store;
    store.abandonedCalls = async () => {
      throw new Error('down');
    };
    await sweeps(60_000);
    expect(messages()).toContainEqual('abandoned calls could not be ended');
    store.abandonedCalls = abandonedCalls;
    expect(await sweeps(60_000)).toEqual([ABANDONED_MS]);
  });

  it('F48 belong to an exchange that wrote nothing between two searches, at any time of the clock', async () => {
    const { owner } = await store.takeLiveCalls('other', { at: clock.wallTime(), clock: 0 }, 0);
    const call = aLiveCall('alice', 'bob');
    await store.saveLiveCalls(owner, { at: clock.wallTime(), clock: 0 }, [call], []);
    // This server's clock is an hour ahead from here on.
    clock.set(3_600_000);
    for (let look = 1; look <= 3; look += 1) {
      await sweeps(60_000);
      await store.saveLiveCalls(owner, { at: look, clock: 0 }, [], []);
    }
    expect(store.records).toEqual([]);
    await sweeps(60_000);
    await sweeps(60_000);
    expect(store.records).toMatchObject([{ callId: call.callId }]);
  });

  it('end in the history, and an unreadable one is deleted', async () => {
    const { owner } = await store.takeLiveCalls('gone', { at: clock.wallTime(), clock: 0 }, 0);
    const good = aLiveCall('alice', 'bob');
    const bad = { ...aLiveCall('alice', 'bob'), state: { name: 'from another version' } } as unknown as LiveCall;
    await store.saveLiveCalls(owner, { at: clock.wallTime(), clock: 0 }, [good, bad], []);
    await sweeps(ABANDONED_MS);
    // Two consecutive searches must find a call, because its exchange may write again after the first one.
    await sweeps(60_000);
    expect([store.records, store.forgotten]).toEqual([[], []]);
    await sweeps(60_000);
    expect(store.records).toMatchObject([{ callId: good.callId, endResult: 'no_answer' }]);
    expect(store.forgotten).toEqual([bad.callId]);
  });
});
