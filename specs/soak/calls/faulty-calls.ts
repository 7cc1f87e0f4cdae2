/**
 * L1 and L2: many clients of the library on real sockets make signalled calls while messages and channels fail. No call
 * is lost, no leg is left over, and the server returns to the state before.
 */
import { machineFactor } from '../../../tools/run/machine-factor.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { Durations } from '../../../cli/load/durations.ts';
import { numberedUsers } from '../../../cli/load/users.ts';
import { scaledClock } from '../../../cli/worlds/real/scaled-clock.ts';
import { realFaults } from '../../../cli/worlds/real/wire.ts';
import { MediaNetwork } from '../../../sim/virtual/media-network.ts';
import { seededRandom, seedFor } from '../../../sim/virtual/random.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { watchFaults } from '../process-faults.ts';
import { slopeOf } from '../slope.ts';
import { startSoakServer, type SoakServer } from '../server/soak-server.ts';
import type { Soak, SoakRun } from '../soak-run.ts';
import { breakChannel, type FaultCounts, spoilMessages } from './call-faults.ts';
import { fits } from './outcome-pairs.ts';
import { type CallStory, type EndedCall, SoakPair } from './soak-pair.ts';
import { signAllIn } from './sign-in.ts';
import { SoakDevice } from './soak-device.ts';

/** The load of a run. */
interface CallLoad {
  readonly pairs: number;
  /** Calls dialled in a real second. */
  readonly callsPerSecond: number;
  /** How many times faster the timers of clients and server run, so that the waits of a short form are short. */
  readonly timeScale: number;
  /** The shortest and the longest time of a connected call. Milliseconds of the clock of the devices. */
  readonly holdMs: readonly [number, number];
}

/** Returns the load of the short form. The time of a slow machine runs less fast, so its devices have the time that they need. */
const shortLoad = (slowness: number): CallLoad => ({
  ...{ pairs: 60, callsPerSecond: 12 / slowness, timeScale: Math.max(1, 10 / slowness), holdMs: [3_000, 10_000] },
});
const LONG: Readonly<Record<'L1' | 'L2', CallLoad>> = {
  L1: { pairs: 250, callsPerSecond: 15, timeScale: 1, holdMs: [8_000, 16_000] },
  L2: { pairs: 1_000, callsPerSecond: 30, timeScale: 1, holdMs: [20_000, 30_000] },
};

/** The time after which a leg is stuck. Milliseconds of the clock of the devices. */
const STUCK_MS = 130_000;
/** The share of the calls during which a channel breaks. */
const BROKEN_CALLS = 0.05;
/** The share of the calls that must reach media, so that the run has shown something. */
const LEAST_CONNECTED = 0.5;
const LOOK_MS = 1_000;
const HEAP_EVERY_MS = 30_000;
const WARM_UP_MS = 10 * 60_000;
const MIB = 1024 * 1024;
/** The sockets of HTTP requests that stay open for a while, and files of the runtime. */
const FILES_SLACK = 8;
const P99_MS = 250;

/** The stories, each with its share of a hundred. */
const STORIES: readonly (readonly [CallStory, share: number])[] = [
  ['complete', 45],
  ['hang up', 35],
  ['decline', 8],
  ['cancel', 8],
  ['ignore', 4],
];

export const L1 = runOf('L1', 'calls of 500 clients with faults on messages and channels', 5, 6_000);
export const L2 = runOf('L2', 'calls of 2,000 clients for an hour, with faults and the slope of the heap', 60, 3_000);

function runOf(id: 'L1' | 'L2', about: string, minutes: number, shortMs: number): SoakRun {
  return {
    id,
    about,
    minutes,
    shortMs,
    takesServers: true,
    run: (soak) => runCalls(soak, soak.isShort ? shortLoad(machineFactor()) : LONG[id], id === 'L2'),
  };
}

/** What the calls of a run have become. */
class CallBook {
  readonly pairs = new Map<string, number>();
  readonly wrong: string[] = [];
  readonly ring = new Durations();
  calls = 0;
  connected = 0;
  stuck = 0;
  /** Legs with another number of notifications of the end than one. */
  notices = 0;

  add({ story, caller, callee, wasConnected, endNotices, legs, ringMs }: EndedCall): void {
    this.calls += 1;
    if (wasConnected) this.connected += 1;
    if (ringMs !== null) this.ring.record(ringMs);
    if (endNotices !== legs) this.notices += 1;
    const pair = `${caller.toLowerCase()} and ${callee.toLowerCase()}`;
    this.pairs.set(pair, (this.pairs.get(pair) ?? 0) + 1);
    if (!fits(caller, callee)) this.wrong.push(`${story}: ${pair}`);
  }
}

async function runCalls(soak: Soak, load: CallLoad, watchesHeap: boolean): Promise<void> {
  const ids = numberedUsers('soak', 2 * load.pairs).map(({ userId }) => userId);
  const own = soak.servers.length > 0 ? null : await startSoakServer({ users: ids, timeScale: load.timeScale });
  const faults = watchFaults();
  const before = await own?.report('heap');
  const world = openWorld(soak, load, own ? [own.url] : soak.servers, ids);
  try {
    await signAllIn(soak, world.devices);
    const heap = await dialAll(soak, load, world, own);
    world.heal();
    await awaitEnds(soak, load, world);
    judgeCalls(soak, world);
    for (const { client } of world.devices) client.deauthenticate();
    await judgeLeftovers(soak, world, own, before?.files ?? 0);
    if (watchesHeap && !soak.isShort) judgeHeap(soak, world.book, heap);
    const all = [...faults.end(), ...((await own?.report())?.faults ?? [])];
    soak.condition('no error is unhandled, in the clients and in the server', all.length === 0, inWords(all));
  } finally {
    faults.end();
    for (const { client } of world.devices) client.deauthenticate();
    await own?.kill();
  }
}

type World = ReturnType<typeof openWorld>;

/** Creates the devices, their wire and their pairs. The device n uses the server n, in turns. */
function openWorld(soak: Soak, { timeScale }: CallLoad, servers: readonly string[], ids: readonly string[]) {
  const clock = scaledClock(timeScale);
  const random = seededRandom(seedFor(soak.seed, 'calls'));
  const media = new MediaNetwork(clock);
  const counts: FaultCounts = { messages: 0, faulty: 0, resets: 0, freezes: 0 };
  const wire = realFaults(scaledClock(1), timeScale, ({ via }, fate) => {
    if (via !== 'socket') return;
    counts.messages += 1;
    if (fate !== undefined) counts.faulty += 1;
  });
  const devices = ids.map(
    (userId, at) =>
      new SoakDevice({ userId, server: servers[at % servers.length] ?? '', seed: soak.seed, timeScale, media, wire }),
  );
  const book = new CallBook();
  const free: SoakPair[] = [];
  const over = (pair: SoakPair, ended: EndedCall) => {
    book.add(ended);
    free.push(pair);
  };
  const pairs: SoakPair[] = [];
  for (let at = 0; at + 1 < devices.length; at += 2) {
    const [caller, callee] = devices.slice(at, at + 2);
    if (caller && callee) pairs.push(new SoakPair([caller, callee], { clock, over }));
  }
  free.push(...pairs);
  const heal = spoilMessages(wire, seededRandom(seedFor(soak.seed, 'messages')));
  return { clock, random, devices, pairs, free, book, counts, heal };
}

/** Dials at the rate until the load is over. Returns the heap of the server over the time. */
async function dialAll(soak: Soak, load: CallLoad, world: World, own: SoakServer | null) {
  const { clock, random, free, book, counts } = world;
  const heap: { readonly at: number; readonly bytes: number }[] = [];
  const began = performance.now();
  let [dialled, unsent, lookAt, heapAt] = [0, 0, 0, 0];
  const elapsed = () => performance.now() - began;
  // A machine that stands still for a while dials all calls of that time, also those of the end.
  const all = Math.floor((soak.loadMs / 1_000) * load.callsPerSecond);
  while (dialled + unsent < all && !soak.stop.aborted) {
    for (const due = Math.min(all, (elapsed() / 1_000) * load.callsPerSecond); dialled + unsent < due;) {
      const pair = free.shift();
      if (!pair) {
        unsent += 1;
        continue;
      }
      dialled += 1;
      const [least, most] = load.holdMs;
      pair.dial(storyOf(random()), { answerMs: 200 + 800 * random(), holdMs: least + (most - least) * random() });
      if (random() < BROKEN_CALLS) {
        const device = random() < 0.5 ? pair.caller : pair.callee;
        clock.after(most * random(), () => breakChannel(device, { clock, random, counts }));
      }
    }
    if (elapsed() >= lookAt) {
      lookAt += LOOK_MS;
      const live = world.pairs.length - free.length;
      soak.say(`${dialled} calls dialled, ${live} live, ${book.wrong.length} wrong, ${counts.faulty} faults`);
      soak.point('Live calls', 'live calls', live);
      soak.point('Dial to ring, ms', 'p99 so far', book.ring.percentile(99));
    }
    if (own && elapsed() >= heapAt) {
      heapAt += HEAP_EVERY_MS;
      const { heapBytes } = await own.report('heap');
      heap.push({ at: elapsed(), bytes: heapBytes });
      soak.point('Heap of the server, MiB', 'used after a collection', heapBytes / MIB);
    }
    await delay(20);
  }
  soak.figure('calls dialled', String(dialled));
  soak.figure('calls that were due without a free pair', String(unsent));
  return heap;
}

function storyOf(draw: number): CallStory {
  let left = draw * 100;
  for (const [story, share] of STORIES) {
    left -= share;
    if (left < 0) return story;
  }
  return 'complete';
}

/** Waits until every leg has ended, as long as a leg may take. */
async function awaitEnds(soak: Soak, { timeScale }: CallLoad, world: World): Promise<void> {
  const { pairs, free, book } = world;
  const limit = performance.now() + STUCK_MS / timeScale + scaled(5_000);
  while (free.length < pairs.length && performance.now() < limit) {
    soak.say(`${pairs.length - free.length} calls are ending`);
    await delay(100);
  }
  book.stuck = pairs.reduce((sum, { openLegs }) => sum + openLegs, 0);
}

function judgeCalls(soak: Soak, { book, counts }: World): void {
  const { calls, connected, stuck, wrong, notices } = book;
  const share = calls === 0 ? 0 : connected / calls;
  soak.figure('calls ended', String(calls));
  soak.figure('calls with media', `${connected} (${(100 * share).toFixed(1)} %)`);
  soak.figure('messages', `${counts.messages}, ${counts.faulty} of them with a fault`);
  soak.figure('channels broken', `${counts.resets} reset, ${counts.freezes} half open`);
  soak.figure(
    'dial to ring',
    `p50 ${book.ring.percentile(50).toFixed(1)} ms, p99 ${book.ring.percentile(99).toFixed(1)} ms`,
  );
  for (const [pair, count] of [...book.pairs].toSorted(([, a], [, b]) => b - a))
    soak.figure(`result ${pair}`, String(count));
  soak.condition(`no leg is open ${STUCK_MS / 1_000} s after the last fault`, stuck === 0, `${stuck} legs`);
  soak.condition('the results of both sides of each call fit', wrong.length === 0, inWords(wrong));
  soak.condition('each leg ends once', notices === 0, `${notices} calls with another number of ends`);
  soak.condition(
    `media flows in at least ${100 * LEAST_CONNECTED} % of the calls`,
    share >= LEAST_CONNECTED,
    `${(100 * share).toFixed(1)} %`,
  );
  const { faulty, resets, freezes } = counts;
  soak.condition(
    'faults of messages and of channels happened',
    faulty > 0 && resets + freezes > 0,
    `${faulty} messages, ${resets + freezes} channels`,
  );
}

/** Waits until the server has forgotten the clients, and compares its state with that of the start. */
async function judgeLeftovers(soak: Soak, world: World, own: SoakServer | null, files: number): Promise<void> {
  const limit = performance.now() + scaled(30_000);
  const kept = () => world.devices.reduce((sum, { leftovers }) => sum + leftovers, 0);
  while (kept() > 0 && performance.now() < limit) await delay(100);
  soak.condition('the clients keep no timer, track and peer connection', kept() === 0, `${kept()} left`);
  if (!own) return;
  let now = await own.report();
  while ((now.calls > 0 || now.devices > 0 || now.files > files + FILES_SLACK) && performance.now() < limit) {
    await delay(250);
    now = await own.report();
  }
  soak.condition(
    'the server keeps no call and no device',
    now.calls + now.devices === 0,
    `${now.calls} calls, ${now.devices} devices`,
  );
  soak.condition(
    `the server has at most ${FILES_SLACK} more files open than before`,
    now.files <= files + FILES_SLACK,
    `${files} before, ${now.files} after`,
  );
}

function judgeHeap(soak: Soak, book: CallBook, heap: readonly { readonly at: number; readonly bytes: number }[]): void {
  const after = heap
    .filter(({ at }) => at >= WARM_UP_MS)
    .map(({ at, bytes }) => ({ x: at / 3_600_000, y: bytes / MIB }));
  const slope = slopeOf(after);
  const p99 = book.ring.percentile(99);
  soak.figure('dial to ring, p99 with faults', `${p99.toFixed(1)} ms, aim below ${P99_MS} ms outside of faults`);
  soak.condition(
    'the heap of the server grows by less than 1 MiB an hour after ten minutes',
    slope !== null && slope < 1,
    slope === null ? 'the run was too short to measure it' : `${slope.toFixed(2)} MiB an hour`,
  );
}

const inWords = (lines: readonly string[]): string =>
  lines.length === 0 ? 'none' : `${lines.length}: ${[...new Set(lines)].slice(0, 5).join('; ')}`;
