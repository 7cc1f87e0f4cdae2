/**
 * A rolling upgrade under a steady rate of calls. One node after the other gets SIGTERM, drains, ends and is started
 * again. Each call has the result that its users gave it, on both sides. A dial that a client could not begin succeeds
 * when its user repeats it.
 */
import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Balancer, startBalancer } from '../../../cli/cluster/balancer.ts';
import { numberedUsers } from '../../../cli/load/users.ts';
import { scaledClock } from '../../../cli/worlds/real/scaled-clock.ts';
import { realFaults } from '../../../cli/worlds/real/wire.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { MediaNetwork } from '../../../sim/virtual/media-network.ts';
import { seededRandom, seedFor } from '../../../sim/virtual/random.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { makeSchema, NO_POSTGRES } from '../../contract/store/postgres-schema.ts';
import type { LegResult } from '../calls/outcome-pairs.ts';
import { signAllIn } from '../calls/sign-in.ts';
import { SoakDevice } from '../calls/soak-device.ts';
import { type CallStory, type EndedCall, SoakPair } from '../calls/soak-pair.ts';
import { watchFaults } from '../process-faults.ts';
import { type SoakServer, startSoakServer } from '../server/soak-server.ts';
import { type Soak, SoakCannotRun, type SoakRun } from '../soak-run.ts';

interface UpgradeLoad {
  readonly nodes: number;
  readonly pairs: number;
  readonly callsPerSecond: number;
  /** The shortest and the longest time of a connected call. Milliseconds. */
  readonly holdMs: readonly [number, number];
  /** How long a node that drains waits for its calls. Shorter than the longest calls, which other nodes adopt. */
  readonly drainMs: number;
  /** The load before the first node drains, and after each start. Milliseconds. */
  readonly betweenMs: number;
}

const LOADS: Readonly<Record<'short' | 'long', UpgradeLoad>> = {
  short: { nodes: 2, pairs: 16, callsPerSecond: 3, holdMs: [500, 8_000], drainMs: 4_000, betweenMs: 2_000 },
  long: { nodes: 3, pairs: 100, callsPerSecond: 4, holdMs: [2_000, 40_000], drainMs: 30_000, betweenMs: 15_000 },
};
const ANSWER_MS = 300;
/** The time after which a call that has not ended is lost. Milliseconds. */
const STUCK_MS = 130_000;
/** A user repeats a dial that failed after this time. Milliseconds. */
const AGAIN_MS = 1_000;
/** The dials after which a user gives up. */
const MOST_DIALS = 20;

/** The stories, each with its share of a hundred, and the result that both sides must have. */
const STORIES: readonly (readonly [CallStory, share: number, result: LegResult])[] = [
  ['complete', 40, 'COMPLETED'],
  ['hang up', 40, 'COMPLETED'],
  ['decline', 10, 'DECLINED'],
  ['cancel', 10, 'CANCELED'],
];

export const UPGRADE: SoakRun = {
  id: 'UPGRADE',
  about: 'a steady rate of calls over three nodes, each of which is drained and started again: no call is lost',
  minutes: null,
  shortMs: 0,
  takesServers: false,
  async run(soak) {
    const redis = process.env['REDIS_URL'];
    if (NO_POSTGRES !== undefined) throw new SoakCannotRun(NO_POSTGRES);
    if (!redis) throw new SoakCannotRun('REDIS_URL names no Redis to test with');
    const load = LOADS[soak.isShort ? 'short' : 'long'];
    const users = numberedUsers('upgrade', 2 * load.pairs).map(({ userId }) => userId);
    const schema = await makeSchema();
    const balancer = await startBalancer(0, nodeClock);
    // A cluster of its own: other runs may share the Redis.
    const cluster = { redis, appId: `soak-${randomUUID()}`, publicUrl: balancer.url };
    const start = (port = 0) => startSoakServer({ users, port, database: schema.url, cluster, drainMs: load.drainMs });
    const nodes: SoakServer[] = [];
    const faults = watchFaults();
    try {
      for (let at = 0; at < load.nodes; at += 1) {
        const node = await start();
        nodes.push(node);
        balancer.add(node.url);
      }
      await delay(load.betweenMs);
      const found = await runCalls(soak, load, { nodes, start, balancer, users, appId: cluster.appId });
      const reports = await Promise.all(nodes.map((node) => node.report()));
      const all = [...faults.end(), ...found, ...reports.flatMap((report) => report.faults)];
      soak.condition('no error is unhandled', all.length === 0, [...new Set(all)].slice(0, 5).join('; ') || 'none');
    } finally {
      faults.end();
      await Promise.all(nodes.map((node) => node.kill()));
      await balancer.close();
      await schema.drop();
    }
  },
};

interface Cluster {
  /** The running nodes. A node that was started again is in the place of its former process. */
  readonly nodes: SoakServer[];
  readonly start: (port: number) => Promise<SoakServer>;
  readonly balancer: Balancer;
  readonly users: readonly string[];
  readonly appId: string;
}

/** Upgrades the nodes under calls. Returns the faults of the processes that have ended. */
async function runCalls(soak: Soak, load: UpgradeLoad, cluster: Cluster): Promise<readonly string[]> {
  const clock = scaledClock(1);
  const { users, appId, balancer } = cluster;
  const parts = { server: balancer.url, appId, seed: soak.seed, timeScale: 1, media: new MediaNetwork(clock) };
  const wire = realFaults(clock, 1, undefined);
  const devices = users.map((userId) => new SoakDevice({ userId, ...parts, wire }));
  const book = new UpgradeBook();
  const callers = callersOf(devices, clock);
  const over = new AbortController();
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  try {
    await signAllIn(soak, devices);
    const dialling = dialSteadily(soak, load, { callers, book, over: over.signal });
    const faults = await upgradeAll(soak, load, cluster).finally(() => over.abort());
    await dialling;
    book.judge(soak);
    soak.figure('longest delay of the process of the clients', `${Math.round(loop.max / 1e6)} ms`);
    await judgePlaces(soak, cluster.nodes, devices.length);
    return faults;
  } finally {
    loop.disable();
    over.abort();
    for (const { client } of devices) client.deauthenticate();
  }
}

/** Drains and starts one node after the other. Returns the faults of the processes that have ended. */
async function upgradeAll(
  soak: Soak,
  { betweenMs }: UpgradeLoad,
  { nodes, start, balancer }: Cluster,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const left: number[] = [];
  for (const [at, node] of nodes.entries()) {
    if (soak.stop.aborted) break;
    await delay(betweenMs);
    const { calls } = await node.report();
    soak.say(`node ${at + 1} drains with ${calls} calls`);
    const last = await node.drain();
    balancer.remove(node.url);
    faults.push(...last.faults);
    left.push(calls);
    const again = await start(node.port);
    nodes[at] = again;
    balancer.add(again.url);
  }
  await delay(betweenMs);
  soak.figure('live calls of the nodes that got SIGTERM', left.join(', '));
  soak.condition(
    'each node had live calls when it got SIGTERM',
    left.every((calls) => calls > 0),
    left.join(', '),
  );
  return faults;
}

/** A pair of users: the first one calls the other. */
interface Caller {
  readonly pair: SoakPair;
  /** Receives the end of the call in progress. */
  ended: (call: EndedCall) => void;
}

function callersOf(devices: readonly SoakDevice[], clock: ReturnType<typeof scaledClock>): Caller[] {
  const callers: Caller[] = [];
  for (let at = 0; at + 1 < devices.length; at += 2) {
    const [one, other] = devices.slice(at, at + 2);
    if (!one || !other) continue;
    const over = (_: SoakPair, call: EndedCall) => caller.ended(call);
    const caller: Caller = { pair: new SoakPair([one, other], { clock, over }), ended: () => undefined };
    callers.push(caller);
  }
  return callers;
}

/** What the users wanted, and what has become of it. */
class UpgradeBook {
  wanted = 0;
  completed = 0;
  /** The dials that the library could not begin, or the server refused. */
  refused = 0;
  mostDials = 0;
  readonly wrong = new Map<string, number>();

  note(what: string): void {
    this.wrong.set(what, (this.wrong.get(what) ?? 0) + 1);
  }

  judge(soak: Soak): void {
    const { wanted, completed, refused, mostDials, wrong } = this;
    soak.figure('calls', String(wanted));
    soak.figure('dials that a user had to repeat', `${refused}, at most ${Math.max(0, mostDials - 1)} for one call`);
    const words = [...wrong].map(([what, count]) => `${count} ${what}`).join('; ');
    soak.condition(
      'each call has the result that its users gave it, on both sides',
      wrong.size === 0 && completed === wanted && wanted > 0,
      words || `${completed} of ${wanted}`,
    );
  }
}

interface Dialling {
  readonly callers: readonly Caller[];
  readonly book: UpgradeBook;
  /** Aborts when no more calls begin. */
  readonly over: AbortSignal;
}

/** Begins calls at the rate until the upgrade is over. Resolves when each call has ended or is lost. */
async function dialSteadily(soak: Soak, load: UpgradeLoad, { callers, book, over }: Dialling): Promise<void> {
  const random = seededRandom(seedFor(soak.seed, 'upgrade'));
  const free = [...callers];
  const running = new Set<Promise<void>>();
  const began = performance.now();
  for (let due = began; !over.aborted; due += 1_000 / load.callsPerSecond) {
    await delay(Math.max(0, due - performance.now()));
    const caller = free.shift();
    if (!caller) continue;
    const [shortest, longest] = load.holdMs;
    const holdMs = shortest + random() * (longest - shortest);
    const call = oneCall(caller, book, { story: storyOf(random()), holdMs }).then(() => {
      free.push(caller);
      running.delete(call);
    });
    running.add(call);
    soak.say(`${book.completed} of ${book.wanted} calls have ended`);
    soak.point('Live calls', 'live calls', running.size);
  }
  await Promise.all(running);
}

interface Wish {
  readonly story: CallStory;
  readonly holdMs: number;
}

/** Makes a call as a user does: one that fails to begin is dialled again. Never rejects. */
async function oneCall(caller: Caller, book: UpgradeBook, { story, holdMs }: Wish): Promise<void> {
  book.wanted += 1;
  for (let dials = 1; dials <= MOST_DIALS; dials += 1) {
    const call = await dialOnce(caller, { story, holdMs });
    book.mostDials = Math.max(book.mostDials, dials);
    if (call === 'stuck') return book.note(`${story}: has not ended`);
    // A callee that rang had a call, which must not be lost.
    if (call !== 'not begun' && !(call.caller === 'DIAL_FAILED' && call.callee === 'NONE')) {
      const result = STORIES.find(([one]) => one === story)?.[2];
      if (call.caller === result && call.callee === result) book.completed += 1;
      else book.note(`${story}: ${call.caller} and ${call.callee}`);
      return;
    }
    book.refused += 1;
    await delay(AGAIN_MS);
  }
  book.note(`${story}: failed ${MOST_DIALS} times`);
}

/** Dials. Returns the call when it has ended. `not begun`: the client has no channel. */
async function dialOnce(caller: Caller, { story, holdMs }: Wish): Promise<EndedCall | 'not begun' | 'stuck'> {
  const limit = new AbortController();
  const ended = new Promise<EndedCall>((resolve) => (caller.ended = resolve));
  try {
    caller.pair.dial(story, { answerMs: ANSWER_MS, holdMs });
  } catch {
    return 'not begun';
  }
  const stuck = delay(holdMs + scaled(STUCK_MS), 'stuck' as const, { signal: limit.signal }).catch(
    () => 'stuck' as const,
  );
  try {
    return await Promise.race([ended, stuck]);
  } finally {
    limit.abort();
  }
}

function storyOf(drawn: number): CallStory {
  let left = drawn * 100;
  for (const [story, share] of STORIES) {
    left -= share;
    if (left < 0) return story;
  }
  return 'complete';
}

/** Waits until every device is at a node. */
async function judgePlaces(soak: Soak, nodes: readonly SoakServer[], wanted: number): Promise<void> {
  const limit = performance.now() + scaled(60_000);
  let counts: number[] = [];
  do {
    counts = (await Promise.all(nodes.map((node) => node.report()))).map(({ devices }) => devices);
    if (counts.reduce((sum, count) => sum + count, 0) === wanted) break;
    await delay(250);
  } while (performance.now() < limit);
  const placed = counts.reduce((sum, count) => sum + count, 0);
  soak.condition('every device is at a node, once', placed === wanted, `${counts.join(' and ')} of ${wanted}`);
}
