/**
 * A node of a cluster is killed under live calls and under calls that are being set up. Its devices move to the other
 * nodes. Live calls go on, or end with the same result on both sides. No device rings forever.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { startBalancer } from '../../../cli/cluster/balancer.ts';
import { numberedUsers } from '../../../cli/load/users.ts';
import { scaledClock } from '../../../cli/worlds/real/scaled-clock.ts';
import { realFaults } from '../../../cli/worlds/real/wire.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { MediaNetwork } from '../../../sim/virtual/media-network.ts';
import { seededRandom, seedFor } from '../../../sim/virtual/random.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { makeSchema, NO_POSTGRES } from '../../contract/store/postgres-schema.ts';
import { fits } from '../calls/outcome-pairs.ts';
import { signAllIn } from '../calls/sign-in.ts';
import { SoakDevice } from '../calls/soak-device.ts';
import { type EndedCall, SoakPair } from '../calls/soak-pair.ts';
import { watchFaults } from '../process-faults.ts';
import { type SoakServer, startSoakServer } from '../server/soak-server.ts';
import { type Soak, SoakCannotRun, type SoakRun } from '../soak-run.ts';

interface NodesLoad {
  readonly nodes: number;
  readonly calls: number;
  /** The time in which the calls are dialled. Milliseconds. */
  readonly dialMs: number;
  /** When the node is killed, since the first dial. Milliseconds. */
  readonly killAtMs: number;
  /** The time from the kill until the users hang up. Milliseconds. */
  readonly holdMs: number;
}

const LOADS: Readonly<Record<'short' | 'long', NodesLoad>> = {
  short: { nodes: 2, calls: 20, dialMs: 3_000, killAtMs: 2_000, holdMs: 8_000 },
  long: { nodes: 3, calls: 500, dialMs: 25_000, killAtMs: 20_000, holdMs: 60_000 },
};
const STUCK_MS = 130_000;
/** The calls dialled afterwards, which must complete. */
const LATER_CALLS = 10;
const LATER_HOLD_MS = 500;
const ANSWER_MS = 300;
/** All calls last until the users hang up. */
const ENDLESS_MS = 3_600_000;
const READY_MS = 1_500;

export const NODES: SoakRun = {
  id: 'NODES',
  about:
    '500 calls over three nodes, one of which is killed: the calls go on or end alike, and no device rings forever',
  minutes: null,
  shortMs: 0,
  takesServers: false,
  async run(soak) {
    const redis = process.env['REDIS_URL'];
    if (NO_POSTGRES !== undefined) throw new SoakCannotRun(NO_POSTGRES);
    if (!redis) throw new SoakCannotRun('REDIS_URL names no Redis to test with');
    const load = LOADS[soak.isShort ? 'short' : 'long'];
    const users = numberedUsers('nodes', 2 * load.calls).map(({ userId }) => userId);
    const schema = await makeSchema();
    const balancer = await startBalancer(0, nodeClock);
    const nodes: SoakServer[] = [];
    // A cluster of its own: other runs may share the Redis.
    const cluster = { redis, appId: `soak-${randomUUID()}`, publicUrl: balancer.url };
    const faults = watchFaults();
    try {
      for (let at = 0; at < load.nodes; at += 1) {
        const node = await startSoakServer({ users, database: schema.url, cluster });
        nodes.push(node);
        balancer.add(node.url);
      }
      await delay(READY_MS);
      await runCalls(soak, load, { nodes, balancer, users, appId: cluster.appId });
      const reports = await Promise.all(nodes.slice(1).map((node) => node.report()));
      const all = [...faults.end(), ...reports.flatMap((report) => report.faults)];
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
  readonly nodes: readonly SoakServer[];
  readonly balancer: Awaited<ReturnType<typeof startBalancer>>;
  readonly users: readonly string[];
  readonly appId: string;
}

async function runCalls(soak: Soak, load: NodesLoad, { nodes, balancer, users, appId }: Cluster): Promise<void> {
  const clock = scaledClock(1);
  const parts = { server: balancer.url, appId, seed: soak.seed, timeScale: 1, media: new MediaNetwork(clock) };
  const wire = realFaults(clock, 1, undefined);
  const devices = users.map((userId) => new SoakDevice({ userId, ...parts, wire }));
  const ended: EndedCall[] = [];
  const pairs = pairsOf(devices, (call) => void ended.push(call), clock);
  try {
    await signAllIn(soak, devices);
    const [victim] = nodes;
    if (!victim) throw new Error('there is no node');
    const failedDials = await dialAround(soak, load, pairs, async () => {
      soak.figure('calls of the killed node', String((await victim.report()).calls));
      await victim.kill();
      balancer.remove(victim.url);
    });
    await delay(load.holdMs);
    const goingOn = pairs.filter(({ isFree }) => !isFree).length;
    const ringing = pairs.reduce((sum, { ringingLegs }) => sum + ringingLegs, 0);
    for (const pair of pairs) pair.hangUp();
    await awaitEnds(soak, pairs);
    judgeCalls(soak, { load, pairs, ended, failedDials, goingOn, ringing });
    await judgeMoved(soak, nodes.slice(1), devices.length);
    await judgeLater(soak, pairs, ended);
  } finally {
    for (const { client } of devices) client.deauthenticate();
  }
}

function pairsOf(
  devices: readonly SoakDevice[],
  over: (ended: EndedCall) => void,
  clock: ReturnType<typeof scaledClock>,
): SoakPair[] {
  const pairs: SoakPair[] = [];
  for (let at = 0; at + 1 < devices.length; at += 2) {
    const [caller, callee] = devices.slice(at, at + 2);
    if (caller && callee) pairs.push(new SoakPair([caller, callee], { clock, over: (_, ended) => over(ended) }));
  }
  return pairs;
}

/** Dials all calls, and kills the node meanwhile. Returns the dials that a device without a channel could not make. */
async function dialAround(
  soak: Soak,
  { dialMs, killAtMs }: NodesLoad,
  pairs: readonly SoakPair[],
  kill: () => Promise<void>,
): Promise<number> {
  const random = seededRandom(seedFor(soak.seed, 'nodes'));
  const began = performance.now();
  let failed = 0;
  let killed: Promise<void> | null = null;
  for (const [at, pair] of pairs.entries()) {
    const due = began + (dialMs * at) / pairs.length;
    await delay(Math.max(0, due - performance.now()));
    if (!killed && performance.now() - began >= killAtMs) killed = kill();
    const story = random() < 0.5 ? 'complete' : 'hang up';
    try {
      pair.dial(story, { answerMs: ANSWER_MS, holdMs: ENDLESS_MS });
    } catch {
      failed += 1;
    }
    soak.say(`${at + 1} of ${pairs.length} calls are dialled`);
  }
  await (killed ?? kill());
  return failed;
}

async function awaitEnds(soak: Soak, pairs: readonly SoakPair[]): Promise<void> {
  const limit = performance.now() + scaled(STUCK_MS);
  for (;;) {
    const live = pairs.filter(({ isFree }) => !isFree).length;
    soak.say(`${live} calls are ending`);
    soak.point('Live calls', 'live calls', live);
    if (live === 0 || performance.now() > limit) return;
    await delay(200);
  }
}

interface Outcome {
  readonly load: NodesLoad;
  readonly pairs: readonly SoakPair[];
  readonly ended: readonly EndedCall[];
  readonly failedDials: number;
  readonly goingOn: number;
  readonly ringing: number;
}

function judgeCalls(soak: Soak, { load, pairs, ended, failedDials, goingOn, ringing }: Outcome): void {
  const results = new Map<string, number>();
  const wrong: string[] = [];
  for (const { caller, callee } of ended) {
    const pair = `${caller.toLowerCase()} and ${callee.toLowerCase()}`;
    results.set(pair, (results.get(pair) ?? 0) + 1);
    if (caller !== callee && !fits(caller, callee)) wrong.push(pair);
  }
  const open = pairs.reduce((sum, { openLegs }) => sum + openLegs, 0);
  soak.figure('calls that went on until the users hung up', `${goingOn} of ${load.calls}`);
  soak.figure('dials of devices without a channel', String(failedDials));
  for (const [pair, count] of [...results].toSorted(([, a], [, b]) => b - a))
    soak.figure(`result ${pair}`, String(count));
  soak.condition('every call ends', open === 0, `${open} open legs`);
  soak.condition('both sides of each call have results that fit', wrong.length === 0, wrong.join('; ') || 'all');
  // A device without a call draws a wait of up to 12 s before it returns, and rings then: a short form is over before.
  if (!soak.isShort) {
    soak.condition(
      `no device rings or waits ${load.holdMs / 1_000} s after the kill`,
      ringing === 0,
      `${ringing} legs`,
    );
  }
  soak.condition('calls go on although a node was killed', goingOn > 0, `${goingOn} calls`);
}

/** Waits until the nodes that are left have every device. */
async function judgeMoved(soak: Soak, left: readonly SoakServer[], wanted: number): Promise<void> {
  const limit = performance.now() + scaled(60_000);
  let counts: number[] = [];
  do {
    counts = (await Promise.all(left.map((node) => node.report()))).map(({ devices }) => devices);
    if (counts.reduce((sum, count) => sum + count, 0) >= wanted) break;
    await delay(250);
  } while (performance.now() < limit);
  const moved = counts.reduce((sum, count) => sum + count, 0);
  soak.condition(
    'every device is at a node that is left, once',
    moved === wanted,
    `${counts.join(' and ')} of ${wanted}`,
  );
}

/** Makes some calls afterwards. */
async function judgeLater(soak: Soak, pairs: readonly SoakPair[], ended: readonly EndedCall[]): Promise<void> {
  const some = pairs.filter(({ isFree }) => isFree).slice(0, LATER_CALLS);
  const before = ended.length;
  for (const pair of some) pair.dial('complete', { answerMs: ANSWER_MS, holdMs: LATER_HOLD_MS });
  await awaitEnds(soak, some);
  const completed = ended
    .slice(before)
    .filter(({ caller, callee }) => caller === 'COMPLETED' && callee === 'COMPLETED').length;
  soak.condition(
    'calls dialled afterwards complete',
    completed === some.length && completed > 0,
    `${completed} of ${some.length}`,
  );
}
