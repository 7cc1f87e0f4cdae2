/** L4: pairs of clients over wrtc send tones while the media paths of some calls are cut. Every call completes. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { lengthOf, type Stage } from '../../../cli/load/arrivals.ts';
import { UNLIMITED } from '../../../cli/load/unlimited.ts';
import { ONLY_COMPLETE } from '../../../cli/load/mix.ts';
import { Tally } from '../../../cli/load/tally.ts';
import { numberedUsers } from '../../../cli/load/users.ts';
import { startLoadProcesses } from '../../../cli/load/worker-processes.ts';
import { testUsers } from '../../../cli/test-users.ts';
import { createPathProxy, type PathProxy } from '../../../sim/media/path-proxy.ts';
import { DEFAULT_APP_ID } from '../../../sim/server/defaults.ts';
import { nodeClock, nodeRandom } from '../../../sim/server/node-ports.ts';
import { startSim } from '../../../sim/server/start-sim.ts';
import { seededRandom, seedFor } from '../../../sim/virtual/random.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import type { Soak, SoakRun } from '../soak-run.ts';

interface MediaLoad {
  readonly pairs: number;
  /** The share of the calls that are cut. */
  readonly cutShare: number;
  /** The lengths of the cuts. Milliseconds. */
  readonly cuts: readonly number[];
  /** The longest wait between two cuts of a call. Milliseconds. */
  readonly pauseMs: number;
}

const LOADS: Readonly<Record<'short' | 'long', MediaLoad>> = {
  // The first cut does not wait, so that it ends in the call on a slow machine too.
  short: { pairs: 2, cutShare: 0.5, cuts: [3_000], pauseMs: 0 },
  long: { pairs: 20, cutShare: 0.3, cuts: [3_000, 9_000, 20_000], pauseMs: 60_000 },
};
/** The time in which a path is not cut, after the begin and before the end of a call. Milliseconds. */
const QUIET_MS = 4_000;
const START_MS = 2_000;
const STEP_LIMIT_MS = 40_000;
const MEMORY_EVERY_MS = 10_000;
/** The memory settles during this part of the run. */
const WARM_UP_SHARE = 0.25;
const FLAT = 0.1;
const MIB = 1024 * 1024;
const PAGE_BYTES = 4_096;

export const L4: SoakRun = {
  id: 'L4',
  about: '20 pairs with a tone over wrtc for 30 minutes, with cuts of 3, 9 and 20 s on 30 % of the paths',
  minutes: 30,
  shortMs: 10_000,
  takesServers: false,
  async run(soak) {
    const load = LOADS[soak.isShort ? 'short' : 'long'];
    const users = numberedUsers('media', 2 * load.pairs);
    const paths: PathProxy[] = [];
    const sim = await startSim({
      demo: true,
      port: 0,
      users: testUsers(users.map(({ userId }) => userId)),
      loopbackFactor: 1e9,
      settings: UNLIMITED,
      // Other runs may share this process, and keep its event loop busy.
      refusesAboveRate: false,
      mediaPath() {
        const path = createPathProxy({ clock: nodeClock, random: nodeRandom });
        paths.push(path);
        return path;
      },
    });
    // Each pair makes one call, which lasts until the end.
    const stages: Stage[] = [
      { forMs: 0, toRate: load.pairs / (START_MS / 1_000) },
      { forMs: START_MS, toRate: load.pairs / (START_MS / 1_000) },
    ];
    const tally = new Tally(lengthOf(stages) + soak.loadMs);
    try {
      const run = startLoadProcesses(
        { server: sim.url, appId: DEFAULT_APP_ID, users },
        {
          stages,
          mix: ONLY_COMPLETE,
          media: 'tone',
          holdMs: soak.loadMs,
          stepLimitMs: scaled(STEP_LIMIT_MS),
          part: { at: 0, of: 1 },
        },
        {
          clock: nodeClock,
          sink: tally,
          opened: (count) => soak.say(`${count} pairs are signed in`),
          begin: () => Promise.resolve(),
          processes: 1,
        },
      );
      soak.stop.addEventListener('abort', () => run.stop());
      const isOver = { value: false };
      const cutting = cutPaths(soak, load, { paths, tally, isOver });
      const memory = watchMemory(soak, isOver);
      await run.done.finally(() => (isOver.value = true));
      judge(soak, load, tally, await cutting);
      judgeMemory(soak, await memory);
    } finally {
      await sim.close();
    }
  },
};

/** Cuts a share of the paths again and again. Resolves with the number of cuts. */
async function cutPaths(
  soak: Soak,
  { cutShare, cuts, pauseMs, pairs }: MediaLoad,
  {
    paths,
    tally,
    isOver,
  }: { readonly paths: readonly PathProxy[]; readonly tally: Tally; readonly isOver: { readonly value: boolean } },
): Promise<number> {
  const random = seededRandom(seedFor(soak.seed, 'cuts'));
  let made = 0;
  const cutOne = async (at: number): Promise<void> => {
    // A path that carries packets is that of a connected call.
    while ((paths[at]?.stats().passed ?? 0) <= 100 && !isOver.value) await delay(100);
    const path = paths[at];
    if (!path) return;
    const end = performance.now() + soak.loadMs - START_MS - QUIET_MS;
    for (;;) {
      const ms = cuts[Math.floor(random() * cuts.length)] ?? 0;
      await delay(pauseMs * random());
      if (performance.now() + ms > end || soak.stop.aborted || isOver.value) return;
      path.cut();
      made += 1;
      soak.say(`${made} cuts, ${tally.live} live calls`);
      soak.point('Cuts so far', 'cuts', made);
      await delay(ms);
      path.restore();
      // A cut ends before the next one begins: the clients need time to reconnect.
      await delay(QUIET_MS);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.round(cutShare * pairs)) }, (_, at) => cutOne(at)));
  return made;
}

function judge(soak: Soak, { pairs }: MediaLoad, tally: Tally, cuts: number): void {
  for (const { outcome, detail, count } of tally.outcomes)
    soak.figure(`calls ${outcome} ${detail}`.trim(), String(count));
  // A failed condition shows how the calls failed: `2 refused dial 1400999`.
  const outcomes = tally.outcomes
    .map(({ outcome, detail, count }) => `${count} ${outcome} ${detail}`.trim())
    .join(', ');
  const completed = tally.calls('completed') + tally.calls('interrupted');
  const unheard = tally.calls('unheard');
  soak.figure('cuts', String(cuts));
  soak.condition('paths were cut', cuts > 0, `${cuts} cuts; ${outcomes}`);
  // A long cut may be longer than the sound around it, so an unheard tone counts as a call that was not lost.
  soak.condition(
    'every call lasts until its end',
    completed + unheard === pairs,
    `${completed + unheard} of ${pairs}; ${outcomes}`,
  );
  // A starved machine has gaps in every tone, which is no fault of the call.
  if (!soak.isShort) soak.condition('tones are heard', completed > 0, `in ${completed} of ${pairs} calls`);
}

/** Returns the resident memory of the child processes over the time. Bytes. */
async function watchMemory(soak: Soak, isOver: { readonly value: boolean }): Promise<number[]> {
  const values: number[] = [];
  for (let next = 0; !isOver.value; next += 1) {
    if (next % (MEMORY_EVERY_MS / 250) === 0) {
      const bytes = childrenBytes();
      values.push(bytes);
      soak.point('Memory of the clients, MiB', 'resident', bytes / MIB);
    }
    await delay(250);
  }
  return values;
}

function childrenBytes(): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return Number(fields[1]) === process.pid ? sum + Number(fields[21]) * PAGE_BYTES : sum;
      } catch {
        // The process has ended meanwhile.
        return sum;
      }
    }, 0);
}

/** Compares the last tenth of the run with the time after the warm-up. */
function judgeMemory(soak: Soak, values: readonly number[]): void {
  if (soak.isShort) return;
  const warm = values.slice(Math.ceil(values.length * WARM_UP_SHARE));
  const part = Math.max(1, Math.floor(warm.length / 10));
  const mean = (some: readonly number[]) => some.reduce((sum, value) => sum + value, 0) / some.length;
  const [first, last] = [mean(warm.slice(0, part)), mean(warm.slice(-part))];
  const growth = last / first - 1;
  soak.condition(
    'the memory of the clients is flat within 10 %',
    Math.abs(growth) <= FLAT,
    `${(100 * growth).toFixed(1)} %, at last ${(last / MIB).toFixed(0)} MiB`,
  );
}
