/** The link of a node to the others: its tables, messages and questions, over a bus that loses, delays and repeats. */
import { afterEach, describe, expect, it } from 'vitest';
import { MemoryStateServer, type StateTransfer } from '../../../sim/cluster/memory-state.ts';
import { NotNow } from '../../../sim/cluster/node-link.ts';
import { Numbered } from '../../../sim/cluster/numbered.ts';
import { BEAT_MS, DEAD_MS, openLink, type OpenLink } from '../../../sim/cluster/open-link.ts';
import { StateUnreachable } from '../../../sim/cluster/shared-state.ts';
import { Log } from '../../../sim/exchange/logging/log.ts';
import { ExchangeClock } from '../../../sim/scenario/virtual/exchange-clock.ts';
import { HandClock } from '../support/hand-clock.ts';
import { turn } from './nodes.ts';

const links: OpenLink[] = [];
afterEach(async () => {
  for (const link of links.splice(0)) await link.leave();
});

/** What becomes of the texts on their way to a node. Default: they arrive. */
type Fate = (node: string, arrive: () => void) => void;

function aBus() {
  const clock = new HandClock();
  const fate: { of: Fate } = { of: (_, arrive) => queueMicrotask(arrive) };
  const server = new MemoryStateServer({
    clock,
    transit: (node: string, arrive: () => void, transfer: StateTransfer) =>
      transfer === 'text' ? fate.of(node, arrive) : queueMicrotask(arrive),
  });
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      await turn();
      clock.advance(Math.min(100, left));
    }
    await turn();
  };
  const open = async (node: string) => {
    const log = new Log(null, clock);
    const opening = openLink({ node, state: server.connect(node), clock, log });
    await pass(100);
    const link = await opening;
    links.push(link);
    return link;
  };
  return { clock, server, fate, pass, open };
}

const arrives: Fate = (_, arrive) => queueMicrotask(arrive);
const isLost: Fate = () => undefined;

describe('the numbers of messages', () => {
  it('tell new, missing, late and repeated messages apart', () => {
    const numbered = new Numbered();
    expect([1, 2, 4, 3, 3, 2, 5].map((seq) => numbered.arrived(seq))).toEqual([
      ...['next', 'next', 'ahead', 'late', 'known', 'known', 'next'],
    ]);
    expect([numbered.last, numbered.isMissing]).toEqual([5, false]);
    numbered.sentUpTo(7);
    expect(numbered.isMissing).toBe(true);
    numbered.forgive();
    expect([numbered.arrived(6), numbered.arrived(8)]).toEqual(['known', 'next']);
  });

  it('remember a bounded number of missing messages', () => {
    const numbered = new Numbered();
    numbered.arrived(1_000_000);
    expect([numbered.arrived(1), numbered.arrived(999_999)]).toEqual(['known', 'late']);
  });
});

describe('the tables of a node', () => {
  it('are copied to every node, also to one that joins later, and disappear with the node', async () => {
    const { pass, open } = aBus();
    const [first, second] = [await open('n1'), await open('n2')];
    const heard: string[] = [];
    second.table('people').onChange((key, node) => void heard.push(`${node} ${key}`));
    first.table('people').set('alice', 'phone');
    first.table('people').set('bob', 'laptop');
    first.table('people').set('bob', null);
    await pass(100);
    const third = await open('n3');
    for (const link of [second, third]) {
      expect([...link.table('people').elsewhere('alice')]).toEqual([['n1', 'phone']]);
      expect([...link.table('people').keysElsewhere()]).toEqual(['alice']);
    }
    expect(heard).toEqual(['n1 alice', 'n1 bob', 'n1 bob']);
    await first.leave();
    await pass(100);
    expect([second.others, [...third.table('people').keysElsewhere()], heard.at(-1)]).toEqual([['n3'], [], 'n1 alice']);
  });

  it('are right again within two signs of life after the bus has lost changes', async () => {
    const { fate, pass, open } = aBus();
    const [first, second] = [await open('n1'), await open('n2')];
    first.table('people').set('alice', 'phone');
    first.table('people').set('carol', 'phone');
    await pass(100);
    fate.of = isLost;
    first.table('people').set('alice', null);
    first.table('people').set('bob', 'laptop');
    await turn();
    fate.of = arrives;
    expect([...second.table('people').keysElsewhere()]).toEqual(['alice', 'carol']);
    await pass(2 * BEAT_MS);
    expect([...second.table('people').keysElsewhere()].toSorted()).toEqual(['bob', 'carol']);
  });

  it('are right again at once when a change arrives after one that the bus has lost', async () => {
    const { fate, open } = aBus();
    const [first, second] = [await open('n1'), await open('n2')];
    fate.of = isLost;
    first.table('people').set('alice', 'phone');
    await turn();
    fate.of = arrives;
    first.table('people').set('bob', 'laptop');
    await turn();
    expect([...second.table('people').keysElsewhere()].toSorted()).toEqual(['alice', 'bob']);
  });

  it('keep the newest value when changes arrive late, twice or in another order', async () => {
    const { fate, pass, open } = aBus();
    const [first, second] = [await open('n1'), await open('n2')];
    const held: (() => void)[] = [];
    fate.of = (_, arrive) => void held.push(arrive);
    for (const value of ['one', 'two', 'three']) {
      first.table('people').set('alice', value);
      await turn();
    }
    fate.of = arrives;
    for (const arrive of [...held.toReversed(), ...held.toReversed()]) arrive();
    expect([...second.table('people').elsewhere('alice')]).toEqual([['n1', 'three']]);
    await pass(2 * BEAT_MS);
    expect([...second.table('people').elsewhere('alice')]).toEqual([['n1', 'three']]);
  });

  it('keep the changes that arrive while a node waits for the whole tables', async () => {
    const { fate, pass, open } = aBus();
    const [first, second] = [await open('n1'), await open('n2')];
    fate.of = isLost;
    first.table('people').set('alice', 'lost');
    await turn();
    const held: (() => void)[] = [];
    // The answer with the whole tables is held back.
    fate.of = (node, arrive) => (node === 'n2' ? void held.push(arrive) : arrives(node, arrive));
    first.table('people').set('bob', 'old');
    await turn();
    for (const arrive of held.splice(0)) arrive();
    await turn();
    first.table('people').set('bob', 'new');
    await turn();
    for (const arrive of held.splice(0).toReversed()) arrive();
    await turn();
    expect([...second.table('people').elsewhere('bob')]).toEqual([['n1', 'new']]);
    expect([...second.table('people').elsewhere('alice')]).toEqual([['n1', 'lost']]);
    fate.of = arrives;
    await pass(BEAT_MS);
  });
});

describe('the messages of a node', () => {
  it('arrive once each, also when the bus repeats them or mixes their order', async () => {
    const { fate, pass, open } = aBus();
    const [first, second] = [await open('n1'), await open('n2')];
    const heard: unknown[] = [];
    second.receive('news', (message, from) => void heard.push([from, message]));
    const held: (() => void)[] = [];
    fate.of = (_, arrive) => void held.push(arrive);
    first.broadcast('news', 1);
    first.broadcast('news', 2);
    first.send('n2', 'news', 3);
    await turn();
    fate.of = arrives;
    for (const arrive of [...held.toReversed(), ...held]) arrive();
    await pass(BEAT_MS);
    expect(heard).toHaveLength(3);
    expect(heard).toEqual(expect.arrayContaining([1, 2, 3].map((message) => ['n1', message])));
  });

  it('are reported as missed when the bus loses them', async () => {
    const { fate, pass, open } = aBus();
    const [first, second] = [await open('n1'), await open('n2')];
    const missed: string[] = [];
    second.onMissed((node) => void missed.push(node));
    fate.of = isLost;
    first.send('n2', 'news', 1);
    await turn();
    fate.of = arrives;
    await pass(4 * BEAT_MS);
    expect(missed).toEqual(['n1']);
  });

  it('of another form than this version knows are ignored', async () => {
    const { server, pass, open } = aBus();
    const link = await open('n1');
    const other = server.connect('n9');
    for (const text of ['', 'null', '{"kind":"rows","from":"n9","seq":1}', '{"kind":"beat","from":"\n","seq":1}']) {
      await other.publish('all', text);
      await other.publish('node n1', text);
    }
    await pass(100);
    expect(link.others).toEqual([]);
  });
});

describe('a question to a node', () => {
  it('is answered, also when the bus loses it or its answer at first', async () => {
    const { fate, pass, open } = aBus();
    const [first, second] = [await open('n1'), await open('n2')];
    let asked = 0;
    second.answer('sum', (question) => {
      asked += 1;
      return (question as number) + 1;
    });
    let lost = 0;
    fate.of = (node, arrive) => {
      if (lost < 2) lost += 1;
      else arrives(node, arrive);
    };
    const answer = first.ask('n2', 'sum', 41);
    await pass(2_000);
    expect([await answer, asked]).toEqual([42, expect.any(Number)]);
  });

  it('is answered once when it is repeated while its answer takes long, and again after that', async () => {
    const { fate, pass, open } = aBus();
    const [first, second] = [await open('n1'), await open('n2')];
    const answers: (() => void)[] = [];
    second.answer('slow', (question) => new Promise((resolve) => answers.push(() => resolve(question))));
    const asked = first.ask('n2', 'slow', 'a question');
    await pass(1_000);
    expect(answers).toHaveLength(1);
    // The answer is lost.
    fate.of = (node, arrive) => (node === 'n1' ? undefined : arrives(node, arrive));
    answers.shift()?.();
    await pass(100);
    fate.of = arrives;
    await pass(1_000);
    expect(answers).toHaveLength(1);
    answers.shift()?.();
    await pass(100);
    expect(await asked).toBe('a question');
  });

  it('fails when the node has no answer, does not answer in time, or dies', async () => {
    const { server, fate, pass, open } = aBus();
    const [first, second] = [await open('n1'), await open('n2')];
    second.answer('fails', () => {
      throw new Error('a secret detail');
    });
    second.answer('not now', () => {
      throw new NotNow();
    });
    const failure = first.ask('n2', 'fails', null).catch(String);
    const silences = ['not now', 'unknown'].map((topic) => first.ask('n2', topic, null).catch(String));
    await pass(200);
    expect(await failure).toBe('NodeSilent: the node n2 failed to answer');
    await pass(4_000);
    expect(await Promise.all(silences)).toEqual(Array(2).fill('NodeSilent: the node n2 does not answer'));
    fate.of = isLost;
    const late = first.ask('n2', 'fails', null).catch(String);
    await pass(4_100);
    expect(await late).toBe('NodeSilent: the node n2 does not answer');
    server.setReachable('n2', false);
    const dead = first.ask('n2', 'fails', null).catch(String);
    fate.of = arrives;
    await pass(DEAD_MS);
    expect([await dead, first.isAlive('n2')]).toEqual(['NodeSilent: the node n2 has died', false]);
  });
});

describe('a node that cannot reach the state', () => {
  it('takes no other node for dead, and is taken for dead by the others until it is back', async () => {
    const { server, pass, open } = aBus();
    const [first, second] = [await open('n1'), await open('n2')];
    first.table('people').set('alice', 'phone');
    const changes: (readonly [string, boolean])[] = [];
    second.onNode((node, isAlive) => void changes.push([node, isAlive]));
    await pass(100);
    server.setReachable('n1', false);
    await pass(DEAD_MS + 2 * BEAT_MS);
    expect([first.others, second.others]).toEqual([['n2'], []]);
    expect([...second.table('people').keysElsewhere()]).toEqual([]);
    server.setReachable('n1', true);
    await pass(3 * BEAT_MS);
    expect([first.others, second.others, changes]).toEqual([
      ['n2'],
      ['n1'],
      [
        ['n1', false],
        ['n1', true],
      ],
    ]);
    expect([...second.table('people').elsewhere('alice')]).toEqual([['n1', 'phone']]);
  });

  it('learns that the state has lost its keys, also when the answer to its mark is lost', async () => {
    const { server, clock, pass } = aBus();
    const state = server.connect('n1');
    const { set } = state;
    let drops = 0;
    state.set = async (key, ...value) => {
      await set.call(state, key, ...value);
      if (drops > 0 && key.includes('mark')) {
        drops -= 1;
        throw new StateUnreachable('no answer');
      }
    };
    const log = new Log(() => undefined, clock);
    const opening = openLink({ node: 'n1', state, clock, log });
    await pass(10);
    const link = await opening;
    links.push(link);
    let losses = 0;
    link.onLost(() => void (losses += 1));
    drops = 1;
    server.lose();
    await pass(BEAT_MS);
    // The mark is in the state again, and the loss is not announced yet.
    expect([losses, drops, await link.hasState()]).toEqual([0, 0, false]);
    await pass(2 * BEAT_MS);
    expect([losses, drops, await link.hasState()]).toEqual([1, 0, true]);
  });

  it('was sure since its last lapse', async () => {
    const { server, pass, open } = aBus();
    const link = await open('n1');
    await pass(20_000);
    expect([link.wasSureFor(20_000), link.wasSureFor(30_000)]).toEqual([true, false]);
    server.setReachable('n1', false);
    await pass(DEAD_MS - BEAT_MS - 100);
    expect(link.wasSureFor(20_000)).toBe(true);
    await pass(2 * BEAT_MS);
    expect(link.wasSureFor(0)).toBe(false);
    server.setReachable('n1', true);
    await pass(5_000);
    expect([link.wasSureFor(4_000), link.wasSureFor(6_000)]).toEqual([true, false]);
  });

  it('learns that the state has lost its keys', async () => {
    const { server, pass, open } = aBus();
    const link = await open('n1');
    let losses = 0;
    link.onLost(() => {
      losses += 1;
    });
    await pass(3 * BEAT_MS);
    expect([losses, await link.hasState()]).toEqual([0, true]);
    server.lose();
    expect(await link.hasState()).toBe(false);
    await pass(3 * BEAT_MS);
    expect([losses, await link.hasState()]).toEqual([1, true]);
  });
});

describe('the time of a link', () => {
  it('is that of the state, and grows with each call', async () => {
    const { clock, pass, open } = aBus();
    const link = await open('n1');
    expect([link.time(), link.time()]).toEqual([clock.wallTime(), clock.wallTime() + 1]);
    await pass(5_000);
    expect(link.time()).toBe(clock.wallTime());
  });

  it.each([-60_000, 60_000])('follows a clock of the state that is set, and logs it: %d ms', async (ms) => {
    const clock = new HandClock();
    const ofState = new ExchangeClock(clock);
    let wayMs = 0;
    const server = new MemoryStateServer({
      clock: ofState,
      transit: (_, arrive) => void (wayMs > 0 ? clock.after(wayMs, arrive) : queueMicrotask(arrive)),
    });
    const logged: unknown[] = [];
    const log = new Log(({ message, fields }) => void logged.push([message, fields]), clock);
    const link = await openLink({ node: 'n1', state: server.connect('n1', clock), clock, log });
    links.push(link);
    link.time();
    ofState.skew(ms);
    wayMs = 50;
    for (let at = 0; at < 20; at += 1) {
      await turn();
      clock.advance(100);
    }
    await turn();
    expect(Math.abs(link.time() - ofState.wallTime())).toBeLessThanOrEqual(50);
    expect(logged).toEqual([['the clock of the shared state was set', { ms }]]);
    wayMs = 0;
  });

  it('follows the answer with the shortest way, for a minute', async () => {
    let isSlow = false;
    const clock = new HandClock();
    const server = new MemoryStateServer({
      clock,
      transit: (_, arrive, transfer) =>
        void (isSlow && transfer === 'answer' ? clock.after(400, arrive) : queueMicrotask(arrive)),
    });
    const link = await openLink({ node: 'n1', state: server.connect('n1'), clock, log: new Log(null, clock) });
    links.push(link);
    const pass = async (ms: number) => {
      for (let left = ms; left > 0; left -= 100) {
        await turn();
        clock.advance(100);
      }
    };
    await pass(2_000);
    isSlow = true;
    await pass(50_000);
    expect(link.time()).toBe(clock.wallTime());
    await pass(15_000);
    expect(link.time()).toBe(clock.wallTime() - 200);
    isSlow = false;
  });
});
