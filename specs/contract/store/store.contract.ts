/** The contract of every store of the exchange. Each case has separate users and calls. */
import type { EndRecord } from '../../../sim/exchange/calls/call.ts';
import type { LiveCall, LiveSignal } from '../../../sim/exchange/calls/live-call.ts';
import { ALL_SAVED, type HistoryRequest, type KeptCall, type Store } from '../../../sim/exchange/store.ts';
import type { SummaryBody } from '../../../src/protocol/http.ts';
import { check, checkEqual, type ContractSuite } from '../ports/contract.ts';

/** The case of a store that several exchanges share. */
export const OF_SEVERAL_EXCHANGES = 'a live call belongs to its exchange until that has not written for too long';

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

/** Returns a ringing call. */
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

/** The last time of a case, each of which gets a later one. So no case finds abandoned calls of another. */
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
    title: 'ENT-15: caller and callee read the same record that was stored',
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
      await store.saveCalls([whole]);
      await store.saveCalls([bare]);
      for (const user of [alice, bob]) {
        checkEqual(
          await store.history(asked(user)),
          { calls: [bare, whole], hasMore: false },
          'the newest call is first',
        );
      }
      checkEqual(await store.call(whole.callId), whole, 'a call is found by its id');
      check((await store.call('none')) === undefined, 'an unknown id finds no call');
      checkEqual(
        await store.history(asked(fresh('carol'))),
        { calls: [], hasMore: false },
        'other users find no calls',
      );
    },
  },
  {
    title: 'stores a call once: a second record of the call changes nothing',
    async run(store) {
      const [alice, bob] = [fresh('alice'), fresh('bob')];
      const record = aRecord(alice, bob);
      await Promise.all([store.saveCalls([record]), store.saveCalls([{ ...record, endResult: 'unknown' }])]);
      await store.saveCalls([{ ...record, endResult: 'declined' }]);
      const page = await store.history(asked(bob));
      checkEqual(page?.calls.length, 1, 'there is one record');
      check(page?.calls[0]?.endResult !== 'declined', 'it is one of the first two records');
    },
  },
  {
    title:
      'HTTP-19 ENT-16 QRY-04: finds calls by role, by results and by the time of dialling, which includes both bounds',
    async run(store) {
      const [alice, bob] = [fresh('alice'), fresh('bob')];
      const out = aRecord(alice, bob, { createdAt: 1_000, endResult: 'completed' });
      const inward = aRecord(bob, alice, { createdAt: 2_000, endResult: 'declined' });
      const missed = aRecord(bob, alice, { createdAt: 3_000, endResult: 'no_answer' });
      for (const record of [missed, out, inward]) await store.saveCalls([record]);
      const ids = (more: Partial<HistoryRequest>) => idsOf(store, asked(alice, more));
      checkEqual(
        await ids({}),
        [missed.callId, inward.callId, out.callId],
        'the newest is first, in whatever order they ended',
      );
      checkEqual(await ids({ role: 'dc_caller' }), [out.callId], 'the calls that alice made');
      checkEqual(await ids({ role: 'dc_callee' }), [missed.callId, inward.callId], 'the calls that alice received');
      checkEqual(await ids({ endResults: ['no_answer', 'completed'] }), [missed.callId, out.callId], 'two results');
      checkEqual(await ids({ from: 2_000, to: 3_000 }), [missed.callId, inward.callId], 'from and to are included');
      checkEqual(await ids({ from: 2_001, to: 2_999 }), [], 'no call is between');
      checkEqual(
        await ids({ role: 'dc_callee', endResults: ['declined'], from: 2_000, to: 2_000 }),
        [inward.callId],
        'all conditions together',
      );
    },
  },
  {
    title: 'pages contain each call once, also calls of one instant, and also when new calls end between two pages',
    async run(store) {
      const [alice, bob] = [fresh('alice'), fresh('bob')];
      const records = Array.from({ length: 25 }, (_, at) =>
        aRecord(alice, bob, { createdAt: 1_000 + Math.floor(at / 10) }),
      );
      for (const record of records) await store.saveCalls([record]);
      const seen: string[] = [];
      let after: string | null = null;
      for (let page = 0; page < 3; page += 1) {
        const found: Awaited<ReturnType<Store['history']>> = await store.history(asked(alice, { after }));
        checkEqual([found?.calls.length, found?.hasMore], page < 2 ? [10, true] : [5, false], `page ${page}`);
        seen.push(...(found?.calls.map(({ callId }) => callId) ?? []));
        after = seen.at(-1) ?? null;
        await store.saveCalls([aRecord(alice, bob, { createdAt: 2_000 + page })]);
      }
      checkEqual([...seen].sort(), records.map(({ callId }) => callId).sort(), 'each is stored once');
    },
  },
  {
    title: 'B24 a page starts only after a call of the same user',
    async run(store) {
      const [alice, bob, carol] = [fresh('alice'), fresh('bob'), fresh('carol')];
      const theirs = aRecord(bob, carol);
      await store.saveCalls([theirs]);
      await store.saveCalls([aRecord(alice, bob)]);
      check(
        (await store.history(asked(alice, { after: theirs.callId }))) === undefined,
        'not after a call of other users',
      );
      check((await store.history(asked(alice, { after: "' or 1=1 --" }))) === undefined, 'not after an unknown call');
      check((await store.history(asked(bob, { after: theirs.callId }))) !== undefined, 'after a call of the user');
    },
  },
  {
    title: 'ENT-03 custom items are replaced only when they did not change since they were read',
    async run(store) {
      const record = aRecord(fresh('alice'), fresh('bob'), { customItems: { a: '1' }, itemsAffectedAt: 5 });
      await store.saveCalls([record]);
      const first = { items: { a: '2', b: '' }, affectedAt: 6 };
      checkEqual(await store.replaceCustomItems(record.callId, 5, first), true, 'the first is accepted');
      checkEqual(
        await store.replaceCustomItems(record.callId, 5, { items: {}, affectedAt: 7 }),
        false,
        'the late one is refused',
      );
      checkEqual(await store.replaceCustomItems('none', 5, first), false, 'one of an unknown call is refused');
      checkEqual(
        await store.call(record.callId),
        { ...record, customItems: first.items, itemsAffectedAt: 6 },
        'the first remains',
      );
      const attempts = Array.from({ length: 8 }, (_, at) =>
        store.replaceCustomItems(record.callId, 6, { items: { at: String(at) }, affectedAt: 7 + at }),
      );
      checkEqual((await Promise.all(attempts)).filter(Boolean).length, 1, 'one of eight at once is accepted');
    },
  },
  {
    title:
      'HTTP-20 HTTP-21 HTTP-22: push tokens are stored once for a user and a type, and are removed one by one or together',
    async run(store) {
      const [alice, bob] = [fresh('alice'), fresh('bob')];
      // Longer than the largest entry of a database index, and random, so that no compression shortens it.
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
        'each is stored once',
      );
      checkEqual(
        await store.removePushToken(token(bob, first)),
        false,
        'a user cannot remove the token of another user',
      );
      checkEqual(await store.removePushToken(token(alice, long)), true, 'its owner removes it');
      checkEqual(await store.removePushToken(token(alice, long)), false, 'its owner cannot remove it twice');
      await store.removePushTokens(alice, 'fcm_voip');
      checkEqual(await tokensOf(alice), [`apns_voip ${first}`], 'all of one type are removed, and no others');
    },
  },
  {
    title: 'a user who has authenticated is stored once, until the user is deleted',
    async run(store) {
      const [alice, bob] = [fresh('user'), fresh('user')];
      await Promise.all([store.saveCaller(alice), store.saveCaller(alice), store.saveCaller(bob)]);
      const known = async () => (await store.callers()).filter((id) => id === alice || id === bob).sort();
      checkEqual(await known(), [alice, bob].sort(), 'each is stored once');
      await store.forgetCaller(alice);
      await store.forgetCaller(alice);
      checkEqual(await known(), [bob], 'the other remains');
    },
  },
  {
    title: 'a unique push token moves from other users of its type; another token stays with both users',
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
      checkEqual((await owners()).sort(), [alice, bob].sort(), 'bob has only the token of the other type');
      await store.removePushTokens(bob, 'apns_voip');
      await Promise.all(users.map((user) => store.savePushToken(token(user), true, 32)));
      checkEqual((await owners()).length, 1, 'of many users at once, one has it');
    },
  },
  {
    title: 'S14: a user has at most the permitted number of push tokens of a type, also when many are saved at once',
    async run(store) {
      const [alice, bob] = [fresh('user'), fresh('user')];
      const save = (userId: string, token: string, type: 'fcm_voip' | 'apns_voip' = 'fcm_voip') =>
        store.savePushToken({ userId, type, token }, false, 3);
      await save(bob, 'own');
      await save(alice, 'other type', 'apns_voip');
      for (const token of ['one', 'two', 'three', 'four']) await save(alice, token);
      const tokensOf = async (user: string) =>
        (await store.pushTokens(user)).filter(({ type }) => type === 'fcm_voip').map(({ token }) => token);
      checkEqual((await tokensOf(alice)).length, 3, 'an older token is removed');
      checkEqual((await tokensOf(alice)).includes('four'), true, 'the latest token remains');
      const before = (await tokensOf(alice)).sort();
      for (const token of before) await save(alice, token);
      checkEqual((await tokensOf(alice)).sort(), before, 'a stored token removes no other');
      await Promise.all(Array.from({ length: 8 }, (_, at) => save(alice, `more ${at}`)));
      checkEqual((await tokensOf(alice)).length, 3, 'the limit holds for eight at once');
      checkEqual(await tokensOf(bob), ['own'], 'another user is not affected');
      checkEqual((await store.pushTokens(alice)).length, 4, 'another type is not affected');
    },
  },
  {
    title: 'a summary is stored once for each device of a call',
    async run(store) {
      const callId = fresh('call');
      const other = { ...SUMMARY, user_role: 'dc_callee' as const };
      const device = { userId: 'alice', clientId: 'one' };
      await store.saveSummary(callId, device, SUMMARY);
      await store.saveSummary(callId, device, other);
      checkEqual(await store.summaries(callId), [SUMMARY], 'the first remains');
      await store.saveSummary(callId, { userId: 'bob', clientId: 'one' }, other);
      checkEqual((await store.summaries(callId)).length, 2, 'another device has a separate summary');
      checkEqual(await store.summaries('none'), [], 'a call without summaries has none');
    },
  },
  {
    title:
      'D12: an exchange that starts under the same name reads its live calls unchanged, with their signals in order',
    async run(store) {
      const [alice, bob, name] = [fresh('alice'), fresh('bob'), fresh('exchange')];
      const call = aLiveCall(alice, bob);
      const seen = aMoment();
      const { owner, calls } = await store.takeLiveCalls(name, seen, 0);
      checkEqual([owner, ofCalls(calls, call)], [{ name, epoch: 1 }, []], 'it is the first start of this name');
      const signals = [2, 1].map((sequence) => aSignal(call, sequence, `${bob}-1`));
      checkEqual(await store.saveLiveCalls(owner, seen, [call], signals), ALL_SAVED, 'its owner may write');
      const later = { at: seen.at + 5_000, clock: 5_005 };
      checkEqual(await store.saveLiveCalls(owner, later, [], []), ALL_SAVED, 'its owner may write that it runs');
      const taken = await store.takeLiveCalls(name, aMoment(), 0);
      checkEqual(taken.owner.epoch, 2, 'it is the second start');
      const kept = { callId: call.callId, body: call, signals: signals.toReversed(), seen: later };
      checkEqual(ofCalls(taken.calls, call), [kept], 'the call is stored with its last time');
    },
  },
  {
    title: 'a live call is replaced as a whole, and only the newest signals of each leg are stored',
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
      checkEqual([kept?.body, kept?.signals], [changed, [signal(2), signal(3)]], 'the stored call and signals');
    },
  },
  {
    title: 'ENT-15: a call is either a record or a live call, never both',
    async run(store) {
      const [alice, bob, name] = [fresh('alice'), fresh('bob'), fresh('exchange')];
      const [call, other] = [aLiveCall(alice, bob), aLiveCall(alice, bob)];
      const { owner } = await store.takeLiveCalls(name, aMoment(), 0);
      const signals = [call, other].map((one) => aSignal(one, 1, `${bob}-1`));
      await store.saveLiveCalls(owner, aMoment(), [call, other], signals);
      await store.saveCalls([aRecord(alice, bob, { callId: call.callId })]);
      await store.forgetLiveCalls([other.callId]);
      const { calls } = await store.takeLiveCalls(name, aMoment(), 0);
      checkEqual(ofCalls(calls, call, other), [], 'neither is a live call');
      checkEqual((await store.call(call.callId))?.callId, call.callId, 'the ended call has a record');
      check((await store.call(other.callId)) === undefined, 'the deleted call has none');
    },
  },
  {
    title: 'an exchange cannot write after another exchange has started under its name',
    async run(store) {
      const [alice, bob, name] = [fresh('alice'), fresh('bob'), fresh('exchange')];
      const call = aLiveCall(alice, bob);
      const first = await store.takeLiveCalls(name, aMoment(), 0);
      await store.saveLiveCalls(first.owner, aMoment(), [call], []);
      const second = await store.takeLiveCalls(name, aMoment(), 0);
      const stale = { ...call, dialReceived: true };
      checkEqual(
        await store.saveLiveCalls(first.owner, aMoment(), [stale], []),
        { ...ALL_SAVED, isReplaced: true },
        'the first is refused',
      );
      checkEqual(await store.saveLiveCalls(second.owner, aMoment(), [], []), ALL_SAVED, 'the second is accepted');
      const { calls } = await store.takeLiveCalls(name, aMoment(), 0);
      checkEqual(ofCalls(calls, call)[0]?.body, call, 'the first changed nothing');
    },
  },
  {
    title: OF_SEVERAL_EXCHANGES,
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
      checkEqual(ofCalls(await store.abandonedCalls(seen.at + 1), call), [kept], 'it is abandoned a moment later');
    },
  },
];
