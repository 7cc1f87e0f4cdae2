/** The contract of every shared state. Each case has separate keys and channels. */
import { randomBytes } from 'node:crypto';
import type { SharedState } from '../../../sim/cluster/shared-state.ts';
import { check, checkEqual, rejection, type ContractSuite } from '../ports/contract.ts';

/** A shared state, as two nodes see it. */
export interface SharedStateSubject {
  readonly one: SharedState;
  readonly two: SharedState;
  /** Returns a third node. The case closes it. */
  readonly connect: () => Promise<SharedState>;
  /** Returns the time of the subject. Milliseconds. */
  readonly now: () => number;
  /** Lets time pass until `holds` returns true. Rejects when it does not become true. */
  readonly until: (holds: () => boolean | Promise<boolean>) => Promise<void>;
}

const fresh = (what: string) => `${what}:${randomBytes(6).toString('hex')}`;
const LIFE = 60_000;

/** A key that ends within milliseconds, and the read that finds it absent. */
const SHORT = 20;

const values: ContractSuite<SharedStateSubject> = [
  {
    title: 'a value that one node sets is read by another, replaced, and removed',
    async run({ one, two }) {
      const [key, other] = [fresh('value'), fresh('value')];
      checkEqual(await two.get(key), null, 'an absent key has no value');
      await one.set(key, '第一', LIFE);
      await one.set(other, '', LIFE);
      checkEqual([await two.get(key), await two.get(other)], ['第一', ''], 'the value is read as it was set');
      await two.set(key, 'second', LIFE);
      checkEqual(await one.get(key), 'second', 'the last value holds');
      await one.remove([key, other, fresh('absent')]);
      checkEqual([await two.get(key), await two.get(other)], [null, null], 'all named keys are removed');
      await one.remove([]);
    },
  },
  {
    title: 'the time is the same for every node, and does not go back',
    async run({ one, two }) {
      const [first, second, third] = [await one.time(), await two.time(), await one.time()];
      check(first <= second && second <= third, 'a later question gets a later time');
      check([first, second, third].every(Number.isInteger), 'the time is in whole milliseconds');
      check(third - first < 10_000, 'the times are close to each other');
    },
  },
  {
    title: 'a value is absent after its life, and a new value has a new life',
    async run({ one, two, until }) {
      const [short, long] = [fresh('value'), fresh('value')];
      await one.set(short, 'short', SHORT);
      await one.set(long, 'short', SHORT);
      await one.set(long, 'long', LIFE);
      await until(async () => (await two.get(short)) === null);
      checkEqual(await two.get(long), 'long', 'the new life replaces the old one');
    },
  },
  {
    title: 'of several nodes that set an absent key, one succeeds, and the others get its value',
    async run({ one, two, until }) {
      const key = fresh('claim');
      const nodes = [one, two, one, two];
      const found = await Promise.all(nodes.map((node, at) => node.setAbsent(key, `claim ${at}`, LIFE)));
      const value = await one.get(key);
      checkEqual(found.filter((other) => other === null).length, 1, 'one node sets the key');
      checkEqual(found[Number(value?.at(-1))], null, 'the value is that of the node that set it');
      check(
        found.every((other) => other === null || other === value),
        'the others get the value',
      );
      const short = fresh('claim');
      checkEqual(await one.setAbsent(short, 'first', SHORT), null, 'the key was absent');
      await until(async () => (await two.setAbsent(short, 'second', LIFE)) === null);
      checkEqual(await one.get(short), 'second', 'a key is absent again after its life');
    },
  },
  {
    title: 'the life of keys of each kind is prolonged, and an absent key stays absent',
    async run({ one, two, until }) {
      const [value, fields, list, ending, absent] = ['value', 'fields', 'list', 'ending', 'absent'].map(fresh);
      if (!value || !fields || !list || !ending || !absent) throw new Error('five keys');
      await one.set(value, 'kept', 1_000);
      await one.changeFields(fields, { set: { kept: 'yes' }, lifeMs: 1_000 });
      await one.append(list, ['kept'], 10, 1_000);
      const there = await two.prolong([value, absent, fields, list], LIFE);
      checkEqual(there, [true, false, true, true], 'each key that is there is prolonged');
      await one.set(ending, 'ends', 1_100);
      await until(async () => (await one.get(ending)) === null);
      checkEqual(await one.get(value), 'kept', 'a value stays');
      checkEqual([...(await one.fields(fields))], [['kept', 'yes']], 'fields stay');
      checkEqual(await one.list(list), { last: 1, entries: ['kept'] }, 'a list stays');
      checkEqual(await one.get(absent), null, 'an absent key stays absent');
      checkEqual(await one.prolong([], LIFE), [], 'no keys are no error');
      await one.prolong([value], SHORT);
      await until(async () => (await two.get(value)) === null);
    },
  },
];

const fieldCases: ContractSuite<SharedStateSubject> = [
  {
    title: 'fields are set, replaced and removed together, and a key without fields is absent',
    async run({ one, two }) {
      const key = fresh('fields');
      checkEqual((await one.fields(key)).size, 0, 'an absent key has no fields');
      checkEqual(await one.changeFields(key, { set: { a: '1', b: '二', c: '' }, lifeMs: LIFE }), true, 'it is made');
      await two.changeFields(key, { set: { a: '3', d: '4' }, remove: ['b', 'absent'], lifeMs: LIFE });
      const fields = Object.fromEntries(await one.fields(key));
      checkEqual(
        ['a', 'b', 'c', 'd'].map((field) => fields[field] ?? null),
        ['3', null, '', '4'],
        'the changes of both nodes hold',
      );
      await one.changeFields(key, { remove: ['a', 'c', 'd'], lifeMs: LIFE });
      checkEqual(await two.prolong([key], LIFE), [false], 'the key is absent');
    },
  },
  {
    title: 'a change with a condition is made only while its field has the value, or is absent',
    async run({ one, two }) {
      const key = fresh('fields');
      const change = (is: string | null, owner: string) =>
        two.changeFields(key, { where: { field: 'owner', is }, set: { owner }, remove: ['state'], lifeMs: LIFE });
      checkEqual(await change('node', 'two'), false, 'an absent field has no value');
      checkEqual((await one.fields(key)).size, 0, 'nothing was made');
      checkEqual(await change(null, 'two'), true, 'the field is absent');
      await one.changeFields(key, { set: { state: 'live' }, lifeMs: LIFE });
      checkEqual(await change(null, 'three'), false, 'the field is there');
      checkEqual(await change('three', 'three'), false, 'the field has another value');
      const fields = new Map(await one.fields(key));
      checkEqual([fields.get('owner'), fields.get('state')], ['two', 'live'], 'a refused change changes nothing');
      checkEqual(await change('two', 'three'), true, 'the field has the value');
      checkEqual([...(await one.fields(key))], [['owner', 'three']], 'the whole change is made');
    },
  },
  {
    title: 'of several nodes that expect the same value, one changes it',
    async run({ one, two }) {
      const key = fresh('fields');
      await one.changeFields(key, { set: { owner: 'dead' }, lifeMs: LIFE });
      const made = await Promise.all(
        [one, two, one, two].map((node, at) =>
          node.changeFields(key, { where: { field: 'owner', is: 'dead' }, set: { owner: `${at}` }, lifeMs: LIFE }),
        ),
      );
      checkEqual(made.filter(Boolean).length, 1, 'one change is made');
      checkEqual((await one.fields(key)).get('owner'), String(made.indexOf(true)), 'the owner is the one that made it');
    },
  },
  {
    title: 'each change sets the life of all fields, and a refused change does not',
    async run({ one, until }) {
      const [ends, stays] = [fresh('fields'), fresh('fields')];
      await one.changeFields(ends, { set: { a: '1' }, lifeMs: LIFE });
      await one.changeFields(ends, { set: { b: '2' }, lifeMs: 1_100 });
      await one.changeFields(ends, { where: { field: 'a', is: 'other' }, set: { b: '3' }, lifeMs: LIFE });
      await one.changeFields(stays, { set: { a: '1' }, lifeMs: 1_000 });
      await one.changeFields(stays, { lifeMs: LIFE });
      await until(async () => (await one.fields(ends)).size === 0);
      checkEqual((await one.fields(stays)).size, 1, 'the later life holds');
    },
  },
];

const buckets: ContractSuite<SharedStateSubject> = [
  {
    title: 'nodes take the points of one bucket, and learn when it has a point again',
    async run({ one, two }) {
      const key = fresh('bucket');
      const budget = { burst: 5, perSecond: 0.01 };
      const waits = await Promise.all([one, two, one, two].map((node) => node.charge(key, budget, 1)));
      checkEqual(waits, [0, 0, 0, 0], 'one of five points is left');
      const within = (wait: number, ms: number) => check(wait > ms - 5_000 && wait <= ms, `${ms} ms, not ${wait} ms`);
      within(await one.charge(key, budget, 1), 100_000);
      within(await two.charge(key, budget, 2), 300_000);
      within(await one.charge(key, budget, 0), 300_000);
      within(await two.charge(key, budget, 50), 600_000);
      checkEqual(await one.charge(fresh('bucket'), budget, 1), 0, 'another key has another bucket');
    },
  },
  {
    title: 'a bucket fills up with time, to its burst and not above',
    async run({ one, two, until, now }) {
      const key = fresh('bucket');
      const budget = { burst: 10, perSecond: 20 };
      const start = now();
      checkEqual(await one.charge(key, budget, 9), 0, 'one of ten points is left');
      const wait = await two.charge(key, budget, 9);
      check(wait > 100 && wait <= 450, `eight points are owed: ${wait} ms`);
      await until(async () => (await two.charge(key, budget, 0)) === 0);
      check(now() - start >= 449, `nine points take 450 ms, not ${now() - start} ms`);
      const full = now();
      await until(() => now() - full >= 700);
      const again = await one.charge(key, budget, 12);
      check(again > 100 && again <= 150, `two points are owed: ${again} ms`);
    },
  },
];

const windows: ContractSuite<SharedStateSubject> = [
  {
    title: 'nodes count in one window, whose end no count moves, and a refused count costs nothing',
    async run({ one, two, until, now }) {
      const key = fresh('window');
      const window = { most: 5, lifeMs: LIFE };
      const counts = await Promise.all([one, two, one, two].map((node) => node.count(key, window, 1)));
      checkEqual(counts, [0, 0, 0, 0], 'four of five points are counted');
      const begun = now();
      await until(() => now() - begun >= 50);
      const refused = [await one.count(key, window, 2), await two.count(key, window, 2)];
      checkEqual(await one.count(key, window, 1), 0, 'one point is left');
      refused.push(await two.count(key, window, 1));
      for (const wait of refused) check(wait > LIFE / 2 && wait <= LIFE - 48, `the end does not move: ${wait} ms`);
    },
  },
  {
    title: 'a window ends at its time, and the next one has all points',
    async run({ one, two, until, now }) {
      const key = fresh('window');
      const window = { most: 5, lifeMs: 300 };
      const start = now();
      checkEqual(await one.count(key, window, 5), 0, 'all points are counted');
      await until(async () => (await two.count(key, window, 5)) === 0);
      check(now() - start >= 299, `the window lasts 300 ms, not ${now() - start} ms`);
    },
  },
  {
    title: 'points are returned to a window, and never more than were counted',
    async run({ one, two }) {
      const key = fresh('window');
      const window = { most: 3, lifeMs: LIFE };
      checkEqual(await one.count(key, window, -1), 0, 'nothing is returned to an absent window');
      checkEqual(await one.count(key, window, 4), LIFE, 'more than a window never fits');
      checkEqual(await one.count(key, window, 3), 0, 'three points are counted');
      checkEqual(await two.count(key, window, -2), 0, 'two are returned');
      check((await one.count(key, window, 3)) > 0, 'one is still counted');
      checkEqual(await one.count(key, window, 2), 0, 'two are counted again');
      await two.count(key, window, -10);
      check((await one.count(key, window, 4)) > 0, 'the window does not grow');
      checkEqual(await one.count(key, window, 3), 0, 'it has all its points');
      await two.remove([key]);
      checkEqual(await one.count(key, window, 3), 0, 'a removed window is a new one');
    },
  },
];

const lists: ContractSuite<SharedStateSubject> = [
  {
    title: 'entries are numbered across nodes, and all but the newest are dropped',
    async run({ one, two }) {
      const key = fresh('list');
      checkEqual(await one.list(key), { last: 0, entries: [] }, 'an absent list is empty');
      checkEqual(await one.append(key, [], 3, LIFE), 0, 'no entries make no list');
      checkEqual(await one.append(key, ['一'], 3, LIFE), 1, 'the first entry is number 1');
      checkEqual(await two.append(key, ['2', ''], 3, LIFE), 3, 'the numbers go on');
      checkEqual(await one.list(key), { last: 3, entries: ['一', '2', ''] }, 'the entries are in order');
      checkEqual(await one.append(key, ['4', '5'], 3, LIFE), 5, 'the numbers go on');
      checkEqual(await two.list(key), { last: 5, entries: ['', '4', '5'] }, 'the newest three are kept');
      checkEqual(await two.append(key, [], 2, LIFE), 5, 'no entries change no number');
      checkEqual(await two.list(key), { last: 5, entries: ['4', '5'] }, 'fewer are kept');
      const many = Array.from({ length: 1_000 }, (_, at) => `entry ${at}`);
      checkEqual(await one.append(key, many, 2, LIFE), 1_005, 'an append may have more entries than are kept');
      checkEqual(await two.list(key), { last: 1_005, entries: many.slice(-2) }, 'the newest of them are kept');
    },
  },
  {
    title: 'nodes that append at the same time get different numbers, and a list ends after its life',
    async run({ one, two, until }) {
      const key = fresh('list');
      const last = await Promise.all([one, two, one, two].map((node, at) => node.append(key, [`${at}`], 10, LIFE)));
      checkEqual(new Set(last).size, 4, 'each entry has another number');
      const { entries } = await one.list(key);
      checkEqual(
        last.map((number) => entries[number - 1]),
        ['0', '1', '2', '3'],
        'each is at its number',
      );
      await one.append(key, ['last'], 10, SHORT);
      await until(async () => (await two.list(key)).last === 0);
    },
  },
];

const channels: ContractSuite<SharedStateSubject> = [
  {
    title: 'each subscriber of a channel receives its texts in order, the sender included, and no other text',
    async run({ one, two, until }) {
      const [channel, other] = [fresh('channel'), fresh('channel')];
      const received: string[][] = [[], [], []];
      const ends = await Promise.all(
        [one, two, two].map((node, at) => node.subscribe(channel, (text) => received[at]?.push(text))),
      );
      await two.publish(other, 'not for these');
      const texts = Array.from({ length: 50 }, (_, at) => `文 ${at}`);
      await Promise.all(texts.map((text) => one.publish(channel, text)));
      await until(() => received.every(({ length }) => length >= texts.length));
      checkEqual(received, [texts, texts, texts], 'every subscriber receives every text once, in order');
      for (const end of ends) end();
    },
  },
  {
    title: 'a node receives nothing after the end of its subscription, and its other subscriptions hold',
    async run({ one, two, until }) {
      const channel = fresh('channel');
      const [first, second, third]: string[][] = [[], [], []];
      if (!first || !second || !third) throw new Error('three lists');
      const receive = (text: string) => first.push(text);
      const end = await two.subscribe(channel, receive);
      const endSecond = await two.subscribe(channel, (text) => second.push(text));
      end();
      end();
      await one.publish(channel, 'one');
      await until(() => second.length === 1);
      endSecond();
      const endThird = await two.subscribe(channel, (text) => third.push(text));
      await one.publish(channel, 'two');
      await until(() => third.length === 1);
      checkEqual([first, second, third], [[], ['one'], ['two']], 'each receives while it is subscribed');
      endThird();
    },
  },
  {
    title: 'a text arrives after the operations that its sender awaited',
    async run({ one, two, until }) {
      const [channel, key] = [fresh('channel'), fresh('value')];
      let seen: Promise<string | null> | undefined;
      const end = await two.subscribe(channel, () => {
        seen = two.get(key);
      });
      await one.set(key, 'written', LIFE);
      await one.publish(channel, 'look');
      await until(() => seen !== undefined);
      checkEqual(await seen, 'written', 'the receiver reads what was written');
      end();
    },
  },
];

const ends: ContractSuite<SharedStateSubject> = [
  {
    title: 'a key of another kind is refused, and is not called unreachable',
    async run({ one }) {
      const key = fresh('kind');
      await one.set(key, 'text', LIFE);
      for (const operation of [one.fields(key), one.list(key), one.append(key, ['a'], 1, LIFE)]) {
        const error = await rejection(operation, 'an operation of another kind');
        check(error instanceof Error && error.name !== 'StateUnreachable', 'it is an error of the caller');
      }
      check(one.isReachable, 'the state is reachable');
    },
  },
  {
    title: 'a closed state rejects operations, receives nothing, and leaves other nodes alone',
    async run({ one, connect, until }) {
      const closed = await connect();
      check(closed.isReachable && one.isReachable, 'both are connected');
      const channel = fresh('channel');
      const [before, after]: string[][] = [[], []];
      if (!before || !after) throw new Error('two lists');
      await closed.subscribe(channel, (text) => before.push(text));
      const end = await one.subscribe(channel, (text) => after.push(text));
      const running = rejection(closed.get(fresh('value')), 'an operation in progress');
      await closed.close();
      for (const error of [await running, await rejection(closed.get('value'), 'an operation')]) {
        check(error instanceof Error && error.name === 'StateUnreachable', 'operations reject as unreachable');
      }
      await rejection(
        closed.subscribe(channel, () => undefined),
        'a subscription',
      );
      await one.publish(channel, 'late');
      await until(() => after.length === 1);
      checkEqual(before, [], 'the closed node receives nothing');
      await closed.close();
      end();
    },
  },
];

export const sharedStateContract: ContractSuite<SharedStateSubject> = [
  ...values,
  ...fieldCases,
  ...buckets,
  ...windows,
  ...lists,
  ...channels,
  ...ends,
];
