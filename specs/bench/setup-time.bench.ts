/**
 * Measures the set-up of a call: from the dial to the first picture of the other side, on both sides, between two pages
 * of Chromium. The callee accepts at once. Four kinds of calls take turns in the same run: by the library through the
 * exchange, with bare peer connections through a relay that offer at once, which is the lower bound, or after the
 * accept, as a call that rings must, and by PeerJS through the same relay, which does not ring.
 * The processor of every page is slowed down. The order of the kinds changes each round, and its direction too: no kind
 * always follows the same one. A pause comes before each call, since the end of a call has work of its own.
 *
 * With `--before`, the library of another working tree of this repository is one more kind, through the same exchange.
 *
 * Usage: setup-time.bench.ts [--rounds 15] [--throttle 4] [--before FOLDER]
 */
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { DEFAULT_APP_ID } from '../../sim/server/defaults.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import { UNLIMITED } from '../../cli/load/unlimited.ts';
import { printTable } from './print-table.ts';
import { openPages } from './room-media/library-pages.ts';
import type * as CallPage from './setup-time/call-page.ts';
import { startRelay } from './setup-time/relay.ts';
import { warmUp } from './setup-time/warm-up.ts';

/** The names in the pages. */
declare const callPage: typeof CallPage;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    throttle: { type: 'string', default: '4' },
    before: { type: 'string' },
  },
});
const ROUNDS = Number(values.rounds);
const THROTTLE = Number(values.throttle);
const GOAL = 1.15;
const USERS = ['alice', 'bob'] as const;
const USERS_BEFORE = ['carol', 'dave'] as const;
const WARM_UP_CALLS = 300;
/** The pause before a call, milliseconds. */
const PAUSE_MS = 300;

/** Milliseconds since the dial. */
const STAGES = [
  'the callee rings',
  "the caller's devices are open",
  "the callee's devices are open",
  'the offer is made',
  'the answer is made',
  'connected on both sides',
  'first pictures on both sides',
] as const;
type Stage = (typeof STAGES)[number];
type Setup = Record<Stage, number>;

/** Two pages that call each other, and the set-ups measured so far. */
interface Pair {
  readonly name: string;
  readonly calleeId: string;
  readonly caller: Page;
  readonly callee: Page;
  /** Slows both pages down by a factor. */
  slow(rate: number): Promise<void>;
  readonly setups: Setup[];
}

/** Makes and ends one call. */
async function call({ caller, callee, calleeId, slow }: Pair): Promise<Setup> {
  await setTimeout(PAUSE_MS);
  await slow(THROTTLE);
  const [dialled, answered] = await Promise.all([
    caller.evaluate((other) => callPage.dial(other), calleeId),
    callee.evaluate(() => callPage.answered()),
  ]);
  // A slowed page keeps a processor busy while it waits, so only those that call are slow.
  await slow(1);
  await Promise.all([caller, callee].map((page) => page.evaluate(() => callPage.end())));
  const last = (key: keyof CallPage.Moments) => Math.max(dialled[key], answered[key]) - dialled.begun;
  return {
    'the callee rings': answered.begun - dialled.begun,
    "the caller's devices are open": dialled.devices - dialled.begun,
    "the callee's devices are open": answered.devices - dialled.begun,
    'the offer is made': dialled.described - dialled.begun,
    'the answer is made': answered.described - dialled.begun,
    'connected on both sides': last('connected'),
    'first pictures on both sides': last('picture'),
  };
}

function median(measured: readonly number[]): number {
  const sorted = measured.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

function firstQuartile(...measured: readonly number[]): number {
  return measured.toSorted((one, other) => one - other)[measured.length >> 2] ?? Number.NaN;
}

const sim = await startSim({
  demo: true,
  port: 0,
  settings: UNLIMITED,
});
const relay = await startRelay();
const SCRIPT = new URL('setup-time/call-page.ts', import.meta.url);
const pages = await openPages(sim.url, SCRIPT, 'callPage');
const former =
  values.before === undefined
    ? null
    : await openPages(
        sim.url,
        pathToFileURL(resolve(values.before, 'specs/bench/setup-time/call-page.ts')),
        'callPage',
      );

/** Opens the pages of a pair, slowed down. */
async function pair(
  name: string,
  [callerId, calleeId]: readonly [string, string],
  begin: (page: Page, id: string) => Promise<void>,
  { open: openPage } = pages,
): Promise<Pair> {
  const open = async (id: string) => {
    const page = await openPage();
    await begin(page, id);
    return { page, session: await page.context().newCDPSession(page) };
  };
  const sides = [await open(callerId), await open(calleeId)] as const;
  const slow = async (rate: number) => {
    for (const { session } of sides) await session.send('Emulation.setCPUThrottlingRate', { rate });
  };
  return { name, calleeId, caller: sides[0].page, callee: sides[1].page, slow, setups: [] };
}

try {
  await warmUp(sim.url, USERS, WARM_UP_CALLS);
  const bareOf = (name: string, afterAccept: boolean) =>
    pair(name, [`${name}-caller`, `${name}-callee`], (page, id) =>
      page.evaluate(([own, port, waits]) => callPage.useBarePeers(own, port, waits), [
        id,
        relay.port,
        afterAccept,
      ] as const),
    );
  const bare = await bareOf('bare', false);
  const accepted = await bareOf('bare-accepted', true);
  const useLibrary = (page: Page, id: string) =>
    page.evaluate(([own, server]) => callPage.useLibrary(own, server), [
      id,
      { api: sim.url, appId: DEFAULT_APP_ID },
    ] as const);
  const library = await pair('Ringback', USERS, useLibrary);
  const peerJs = await pair('PeerJS', ['peerjs-alice', 'peerjs-bob'], (page, id) =>
    page.evaluate(([own, port]) => callPage.usePeerJs(own, port), [id, relay.port] as const),
  );
  const before = former && (await pair('Ringback before', USERS_BEFORE, useLibrary, former));
  const pairs = [bare, accepted, ...(before ? [before] : []), library, peerJs];
  // The first round of each warms the engine up, and does not count.
  for (const each of pairs) await call(each);
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = round % pairs.length;
    const order = [...pairs.slice(first), ...pairs.slice(0, first)];
    if (round % 2 === 1) order.reverse();
    for (const each of order) each.setups.push(await call(each));
  }

  const medianOf = ({ setups }: Pair, stage: Stage) => median(setups.map((setup) => setup[stage]));
  const last = STAGES[STAGES.length - 1] as Stage;
  const quickOf = ({ setups }: Pair) => firstQuartile(...setups.map((setup) => setup[last]));
  const extreme = (name: string, of: (...measured: number[]) => number) => [
    `${last}: ${name}`,
    ...pairs.map(({ setups }) => of(...setups.map((setup) => setup[last])).toFixed(0)),
  ];
  printTable(
    [`median of ${ROUNDS} rounds, milliseconds since the dial`, ...pairs.map(({ name }) => name)],
    [
      ...STAGES.map((stage) => [stage, ...pairs.map((each) => medianOf(each, stage).toFixed(0))]),
      extreme('least', Math.min),
      extreme('first quartile', firstQuartile),
      extreme('most', Math.max),
      ['ratio to bare', ...pairs.map((each) => (medianOf(each, last) / medianOf(bare, last)).toFixed(2))],
      // Other work on the machine delays some rounds by hundreds of milliseconds, and the quick ones least.
      ['ratio to bare, first quartiles', ...pairs.map((each) => (quickOf(each) / quickOf(bare)).toFixed(2))],
    ],
  );
  console.log(`processor slowed down ${THROTTLE} times, load ${loadavg()[0]?.toFixed(1)} (goal of the ratio: ${GOAL})`);
} finally {
  await Promise.all([pages.close(), former?.close()]);
  await Promise.all([relay.close(), sim.close()]);
}
