/** What the exchange may rely on, whatever keeps its records. Each case has users and calls of its own. */
import type { EndRecord } from '../../../sim/exchange/calls/call.ts';
import type { LiveCall, LiveSignal } from '../../../sim/exchange/calls/live-call.ts';
import type { HistoryRequest, KeptCall, Store } from '../../../sim/exchange/store.ts';
import type { SummaryBody } from '../../../src/protocol/http.ts';
import { check, checkEqual, type ContractSuite } from '../ports/contract.ts';

let made = 0;
const fresh = (what: string) => `${what}-${process.pid}-${(made += 1)}`;

const person = (user_id: string) => ({
  user_id,
  nickname: `${user_id} 晚`,
  profile_url: '',
  metadata: { town: 'Wien' },
  is_active: true,
});

export function aRecord(caller: string, callee: string, more: Partial<EndRecord> = {}): EndRecord {
  const createdAt = more.createdAt ?? 1_767_225_600_000;
  return {
    callId: fresh('call'),
    isVideoCall: true,
    customItems: {},
    itemsAffectedAt: createdAt,
    participants: [person(caller), person(callee)],
    createdAt,
    startedAt: createdAt + 5_000,
    endedAt: createdAt + 65_000,
    endedBy: person(callee),
    duration: 60_000,
    endResult: 'completed',
    ...more,
  };
}

type LiveLeg = LiveCall['legs'][number];

function aLeg(side: LiveLeg['side'], userId: string, more: Partial<LiveLeg> = {}): LiveLeg {
  return {
    side,
    userId,
    clientId: `${userId}-1`,
    capabilities: [],
    media: { audio: true, video: false },
    recording: 'none',
    onHold: false,
    connectedAt: null,
    hasDescribed: false,
    outcome: null,
    request: null,
    session: null,
    lost: null,
    firstSignal: 1,
    lastSignal: 0,
    ...more,
  };
}

/** A call that rings. */
export function aLiveCall(caller: string, callee: string, more: Partial<LiveCall> = {}): LiveCall {
  const createdAt = 1_767_225_600_000;
  return {
    callId: fresh('call'),
    isVideoCall: true,
    customItems: { topic: '晚餐', '"\\': 'null\u0000' },
    itemsAffectedAt: createdAt,
    constraints: { audio: true, video: true },
    createdAt,
    callerUser: person(caller),
    calleeUser: person(callee),
    dialReceived: false,
    webhook: null,
    begunAt: null,
    state: { name: 'ringing', since: { at: createdAt, clock: 12 } },
    legs: [aLeg('caller', caller), aLeg('callee', callee, { lastSignal: 2 })],
    ...more,
  };
}

const aSignal = ({ callId }: LiveCall, sequence: number, clientId: string): LiveSignal => ({
  callId,
  side: 'callee',
  clientId,
  sequence,
  frame: `{"sequence_number":${sequence}}`,
});

/** The seen time of each case is its own, so that no case finds the calls of another abandoned. */
let moments = 1_800_000_000_000;
const aMoment = () => ({ at: (moments += 1_000_000), clock: 5 });
const ofCalls = (kept: readonly KeptCall[], ...calls: readonly LiveCall[]): KeptCall[] =>
  kept.filter(({ callId }) => calls.some((call) => call.callId === callId));

const asked = (userId: string, more: Partial<HistoryRequest> = {}): HistoryRequest => ({
  userId,
  role: null,
  endResults: [],
  from: 0,
  to: Number.MAX_SAFE_INTEGER,
  limit: 10,
  after: null,
  ...more,
});

async function idsOf(store: Store, request: HistoryRequest): Promise<string[]> {
  return (await store.history(request))?.calls.map(({ callId }) => callId) ?? ['no page'];
}

const SUMMARY: SummaryBody = {
  version: 1,
  user_role: 'dc_caller',
  summary_data: {
    end_result: 'completed',
    pdd: 120,
    setup_time: null,
    reconnection_count: 0,
    network_type: null,
    candidate_type: 'host',
    audio: { codec: 'opus', mos_list: [4.4, 4.3], mos: 4.35, packet_loss_rate: 0, rtt: 1.5 },
    video: null,
    stats_interval: 3,
  },
};

export const storeContract: ContractSuite<Store> = [
  {
    title: 'ENT-15: a record comes back as it was kept, for caller and callee alike',
    async run(store) {
      const [alice, bob] = [fresh('alice'), fresh('bob')];
      const whole = aRecord(alice, bob, { customItems: { topic: '晚餐', '"\\': 'null\u0000', 'a b': '\ud800' } });
      const bare = aRecord(alice, bob, {
        createdAt: whole.createdAt + 1,
        isVideoCall: false,
        startedAt: null,
        endedBy: null,
        duration: 0,
        endResult: 'no_answer',
      });
      await store.saveCall(whole);
      await store.saveCall(bare);
      for (const user of [alice, bob]) {
        checkEqual(
          await store.history(asked(user)),
          { calls: [bare, whole], hasMore: false },
          'the newest call is first',
        );
      }
      checkEqual(await store.call(whole.callId), whole, 'a call is found by its id');
      check((await store.call('none')) === undefined, 'no such id finds nothing');
      checkEqual(await store.history(asked(fresh('carol'))), { calls: [], hasMore: false }, 'others see nothing');
    },
  },
  {
    title: 'keeps a call once: a second record of it changes nothing',
    async run(store) {
      const [alice, bob] = [fresh('alice'), fresh('bob')];
      const record = aRecord(alice, bob);
      await Promise.all([store.saveCall(record), store.saveCall({ ...record, endResult: 'unknown' })]);
      await store.saveCall({ ...record, endResult: 'declined' });
      const page = await store.history(asked(bob));
      checkEqual(page?.calls.length, 1, 'there is one record');
      check(page?.calls[0]?.endResult !== 'declined', 'it is one of those that came first');
    },
  },
  {
    title: 'HTTP-19 ENT-16 QRY-04: finds by role, by results and by the time of dialling, both ends included',
    async run(store) {
      const [alice, bob] = [fresh('alice'), fresh('bob')];
      const out = aRecord(alice, bob, { createdAt: 1_000, endResult: 'completed' });
      const inward = aRecord(bob, alice, { createdAt: 2_000, endResult: 'declined' });
      const missed = aRecord(bob, alice, { createdAt: 3_000, endResult: 'no_answer' });
      for (const record of [missed, out, inward]) await store.saveCall(record);
      const ids = (more: Partial<HistoryRequest>) => idsOf(store, asked(alice, more));
      checkEqual(
        await ids({}),
        [missed.callId, inward.callId, out.callId],
        'the newest is first, in whatever order they ended',
      );
      checkEqual(await ids({ role: 'dc_caller' }), [out.callId], 'calls alice made');
      checkEqual(await ids({ role: 'dc_callee' }), [missed.callId, inward.callId], 'calls alice got');
      checkEqual(await ids({ endResults: ['no_answer', 'completed'] }), [missed.callId, out.callId], 'two results');
      checkEqual(await ids({ from: 2_000, to: 3_000 }), [missed.callId, inward.callId], 'from and to count');
      checkEqual(await ids({ from: 2_001, to: 2_999 }), [], 'none between');
      checkEqual(
        await ids({ role: 'dc_callee', endResults: ['declined'], from: 2_000, to: 2_000 }),
        [inward.callId],
        'all at once',
      );
    },
  },
  {
    title: 'pages give every call once, those of one instant too, though new ones end meanwhile',
    async run(store) {
      const [alice, bob] = [fresh('alice'), fresh('bob')];
      const records = Array.from({ length: 25 }, (_, at) =>
        aRecord(alice, bob, { createdAt: 1_000 + Math.floor(at / 10) }),
      );
      for (const record of records) await store.saveCall(record);
      const seen: string[] = [];
      let after: string | null = null;
      for (let page = 0; page < 3; page += 1) {
        const found: Awaited<ReturnType<Store['history']>> = await store.history(asked(alice, { after }));
        checkEqual([found?.calls.length, found?.hasMore], page < 2 ? [10, true] : [5, false], `page ${page}`);
        seen.push(...(found?.calls.map(({ callId }) => callId) ?? []));
        after = seen.at(-1) ?? null;
        await store.saveCall(aRecord(alice, bob, { createdAt: 2_000 + page }));
      }
      checkEqual([...seen].sort(), records.map(({ callId }) => callId).sort(), 'each once');
    },
  },
  {
    title: 'B24 a page begins after a call of that user, and after no other',
    async run(store) {
      const [alice, bob, carol] = [fresh('alice'), fresh('bob'), fresh('carol')];
      const theirs = aRecord(bob, carol);
      await store.saveCall(theirs);
      await store.saveCall(aRecord(alice, bob));
      check((await store.history(asked(alice, { after: theirs.callId }))) === undefined, 'not after a call of others');
      check((await store.history(asked(alice, { after: "' or 1=1 --" }))) === undefined, 'not after no call');
      check((await store.history(asked(bob, { after: theirs.callId }))) !== undefined, 'after a call of theirs');
    },
  },
  {
    title: 'ENT-03 custom items are replaced only where they still are what was read',
    async run(store) {
      const record = aRecord(fresh('alice'), fresh('bob'), { customItems: { a: '1' }, itemsAffectedAt: 5 });
      await store.saveCall(record);
      const first = { items: { a: '2', b: '' }, affectedAt: 6 };
      checkEqual(await store.replaceCustomItems(record.callId, 5, first), true, 'the first is taken');
      checkEqual(
        await store.replaceCustomItems(record.callId, 5, { items: {}, affectedAt: 7 }),
        false,
        'the late is not',
      );
      checkEqual(await store.replaceCustomItems('none', 5, first), false, 'nor one of no call');
      checkEqual(
        await store.call(record.callId),
        { ...record, customItems: first.items, itemsAffectedAt: 6 },
        'the first stands',
      );
      const attempts = Array.from({ length: 8 }, (_, at) =>
        store.replaceCustomItems(record.callId, 6, { items: { at: String(at) }, affectedAt: 7 + at }),
      );
      checkEqual((await Promise.all(attempts)).filter(Boolean).length, 1, 'one of eight at once is taken');
    },
  },
  {
    title:
      'HTTP-20 HTTP-21 HTTP-22: push tokens are kept once, belong to a user and a type, and go one by one or together',
    async run(store) {
      const [alice, bob] = [fresh('alice'), fresh('bob')];
      // Longer than what an index of a database takes, and nothing that could be packed.
      const long = Array.from({ length: 256 }, () => crypto.randomUUID().slice(0, 16)).join('');
      const token = (userId: string, text: string, type: 'fcm_voip' | 'apns_voip' = 'fcm_voip') => ({
        userId,
        type,
        token: text,
      });
      const first = fresh('token');
      for (const one of [
        token(alice, first),
        token(alice, first),
        token(alice, long),
        token(alice, first, 'apns_voip'),
      ]) {
        await store.savePushToken(one, false, 32);
      }
      const tokensOf = async (user: string) =>
        (await store.pushTokens(user)).map(({ type, token: text }) => `${type} ${text}`).sort();
      checkEqual(
        await tokensOf(alice),
        [`apns_voip ${first}`, `fcm_voip ${first}`, `fcm_voip ${long}`].sort(),
        'each once',
      );
      checkEqual(await store.removePushToken(token(bob, first)), false, 'nobody removes the token of another');
      checkEqual(await store.removePushToken(token(alice, long)), true, 'its owner does');
      checkEqual(await store.removePushToken(token(alice, long)), false, 'once');
      await store.removePushTokens(alice, 'fcm_voip');
      checkEqual(await tokensOf(alice), [`apns_voip ${first}`], 'all of a type go, and no other');
    },
  },
  {
    title: 'a user who has authenticated is known once, until they are forgotten',
    async run(store) {
      const [alice, bob] = [fresh('user'), fresh('user')];
      await Promise.all([store.saveCaller(alice), store.saveCaller(alice), store.saveCaller(bob)]);
      const known = async () => (await store.callers()).filter((id) => id === alice || id === bob).sort();
      checkEqual(await known(), [alice, bob].sort(), 'each once');
      await store.forgetCaller(alice);
      await store.forgetCaller(alice);
      checkEqual(await known(), [bob], 'the other stays');
    },
  },
  {
    title: 'a unique push token moves from others of its type; one that is not stays with both',
    async run(store) {
      const users = Array.from({ length: 6 }, () => fresh('user'));
      const [alice = '', bob = ''] = users;
      const text = fresh('token');
      const token = (userId: string) => ({ userId, type: 'fcm_voip' as const, token: text });
      const owners = async () =>
        (await Promise.all(users.map((user) => store.pushTokens(user)))).flat().map(({ userId }) => userId);
      await store.savePushToken({ ...token(bob), type: 'apns_voip' }, false, 32);
      await store.savePushToken(token(alice), false, 32);
      await store.savePushToken(token(bob), false, 32);
      checkEqual((await owners()).sort(), [alice, bob, bob].sort(), 'both have it');
      await store.savePushToken(token(alice), true, 32);
      checkEqual((await owners()).sort(), [alice, bob].sort(), 'bob has that of the other type alone');
      await store.removePushTokens(bob, 'apns_voip');
      await Promise.all(users.map((user) => store.savePushToken(token(user), true, 32)));
      checkEqual((await owners()).length, 1, 'of many at once one has it');
    },
  },
  {
    title: 'S14: a user has no more push tokens of a type than one may, also of many that come at once',
    async run(store) {
      const [alice, bob] = [fresh('user'), fresh('user')];
      const save = (userId: string, token: string, type: 'fcm_voip' | 'apns_voip' = 'fcm_voip') =>
        store.savePushToken({ userId, type, token }, false, 3);
      await save(bob, 'own');
      await save(alice, 'other type', 'apns_voip');
      for (const token of ['one', 'two', 'three', 'four']) await save(alice, token);
      const tokensOf = async (user: string) =>
        (await store.pushTokens(user)).filter(({ type }) => type === 'fcm_voip').map(({ token }) => token);
      checkEqual((await tokensOf(alice)).length, 3, 'one makes room');
      checkEqual((await tokensOf(alice)).includes('four'), true, 'not the latest');
      const before = (await tokensOf(alice)).sort();
      for (const token of before) await save(alice, token);
      checkEqual((await tokensOf(alice)).sort(), before, 'one that is kept already needs no room');
      await Promise.all(Array.from({ length: 8 }, (_, at) => save(alice, `more ${at}`)));
      checkEqual((await tokensOf(alice)).length, 3, 'of eight at once');
      checkEqual(await tokensOf(bob), ['own'], 'another user');
      checkEqual((await store.pushTokens(alice)).length, 4, 'another type');
    },
  },
  {
    title: 'a summary is kept once for a device of a call',
    async run(store) {
      const callId = fresh('call');
      const other = { ...SUMMARY, user_role: 'dc_callee' as const };
      const device = { userId: 'alice', clientId: 'one' };
      await store.saveSummary(callId, device, SUMMARY);
      await store.saveSummary(callId, device, other);
      checkEqual(await store.summaries(callId), [SUMMARY], 'the first stands');
      await store.saveSummary(callId, { userId: 'bob', clientId: 'one' }, other);
      checkEqual((await store.summaries(callId)).length, 2, 'another device has its own');
      checkEqual(await store.summaries('none'), [], 'a call without has none');
    },
  },
  {
    title: 'D12: a call that goes on comes back to the exchange of its name as it was, with its signals in order',
    async run(store) {
      const [alice, bob, name] = [fresh('alice'), fresh('bob'), fresh('exchange')];
      const call = aLiveCall(alice, bob);
      const seen = aMoment();
      const { owner, calls } = await store.takeLiveCalls(name, seen, 0);
      checkEqual([owner, ofCalls(calls, call)], [{ name, epoch: 1 }, []], 'it is the first start of this name');
      const signals = [2, 1].map((sequence) => aSignal(call, sequence, `${bob}-1`));
      checkEqual(await store.saveLiveCalls(owner, seen, [call], signals), true, 'its owner may write');
      const later = { at: seen.at + 5_000, clock: 5_005 };
      checkEqual(await store.saveLiveCalls(owner, later, [], []), true, 'also that it is there');
      const taken = await store.takeLiveCalls(name, aMoment(), 0);
      checkEqual(taken.owner.epoch, 2, 'it is the second start');
      const kept = { callId: call.callId, body: call, signals: signals.toReversed(), seen: later };
      checkEqual(ofCalls(taken.calls, call), [kept], 'the call is there, and until when it was seen');
    },
  },
  {
    title: 'a call that goes on is replaced whole, and keeps the newest signals of each leg alone',
    async run(store) {
      const [alice, bob, name] = [fresh('alice'), fresh('bob'), fresh('exchange')];
      const call = aLiveCall(alice, bob);
      const { owner } = await store.takeLiveCalls(name, aMoment(), 0);
      const signal = (sequence: number) => aSignal(call, sequence, `${bob}-1`);
      await store.saveLiveCalls(owner, aMoment(), [call], [signal(1), signal(2)]);
      const changed = {
        ...call,
        dialReceived: true,
        legs: [aLeg('caller', alice), aLeg('callee', bob, { firstSignal: 2, lastSignal: 3 })],
      };
      await store.saveLiveCalls(owner, aMoment(), [changed], [signal(3)]);
      const { calls } = await store.takeLiveCalls(name, aMoment(), 0);
      const [kept] = ofCalls(calls, call);
      checkEqual([kept?.body, kept?.signals], [changed, [signal(2), signal(3)]], 'what is kept');
    },
  },
  {
    title: 'ENT-15: a call is a record or a call that goes on, never both',
    async run(store) {
      const [alice, bob, name] = [fresh('alice'), fresh('bob'), fresh('exchange')];
      const [call, other] = [aLiveCall(alice, bob), aLiveCall(alice, bob)];
      const { owner } = await store.takeLiveCalls(name, aMoment(), 0);
      const signals = [call, other].map((one) => aSignal(one, 1, `${bob}-1`));
      await store.saveLiveCalls(owner, aMoment(), [call, other], signals);
      await store.saveCall(aRecord(alice, bob, { callId: call.callId }));
      await store.forgetLiveCalls([other.callId]);
      const { calls } = await store.takeLiveCalls(name, aMoment(), 0);
      checkEqual(ofCalls(calls, call, other), [], 'neither goes on');
      checkEqual((await store.call(call.callId))?.callId, call.callId, 'the one that ended has a record');
      check((await store.call(other.callId)) === undefined, 'the one that was forgotten has none');
    },
  },
  {
    title: 'an exchange that was started anew elsewhere under its name writes no more',
    async run(store) {
      const [alice, bob, name] = [fresh('alice'), fresh('bob'), fresh('exchange')];
      const call = aLiveCall(alice, bob);
      const first = await store.takeLiveCalls(name, aMoment(), 0);
      await store.saveLiveCalls(first.owner, aMoment(), [call], []);
      const second = await store.takeLiveCalls(name, aMoment(), 0);
      const stale = { ...call, dialReceived: true };
      checkEqual(await store.saveLiveCalls(first.owner, aMoment(), [stale], []), false, 'the first is refused');
      checkEqual(await store.saveLiveCalls(second.owner, aMoment(), [], []), true, 'the second is not');
      const { calls } = await store.takeLiveCalls(name, aMoment(), 0);
      checkEqual(ofCalls(calls, call)[0]?.body, call, 'the first has changed nothing');
    },
  },
  {
    title: 'a call of an exchange that runs is left to it, until that has not written for too long',
    async run(store) {
      const [alice, bob] = [fresh('alice'), fresh('bob')];
      const call = aLiveCall(alice, bob);
      const { owner } = await store.takeLiveCalls(fresh('exchange'), aMoment(), 0);
      const seen = aMoment();
      await store.saveLiveCalls(owner, seen, [call], []);
      const other = await store.takeLiveCalls(fresh('exchange'), seen, seen.at);
      checkEqual(ofCalls(other.calls, call), [], 'another exchange does not take it');
      checkEqual(ofCalls(await store.abandonedCalls(seen.at), call), [], 'it is not abandoned at that moment');
      const kept = { callId: call.callId, body: call, signals: [], seen };
      checkEqual(ofCalls(await store.abandonedCalls(seen.at + 1), call), [kept], 'it is, a moment later');
    },
  },
];
