/**
 * L3: the rate of calls grows beyond what the server can set up. The report names the knee. Beyond it no call that the
 * server took is lost, and afterwards the server is as fast as before.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { lengthOf, type Stage } from '../../../cli/load/arrivals.ts';
import { ONLY_COMPLETE } from '../../../cli/load/mix.ts';
import { type LoadTarget, startLoad } from '../../../cli/load/run-load.ts';
import { type Slot, Tally } from '../../../cli/load/tally.ts';
import { numberedUsers } from '../../../cli/load/users.ts';
import { DEFAULT_APP_ID } from '../../../sim/server/defaults.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { catalogueEntry } from '../../../src/protocol/errors.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { startSoakServer } from '../server/soak-server.ts';
import type { Soak, SoakRun } from '../soak-run.ts';

interface PeakLoad {
  /** Calls a second at the end of the ramp. */
  readonly toRate: number;
  /** Calls at a time. */
  readonly concurrency: number;
  /** Calls a second after the ramp. */
  readonly quietRate: number;
  readonly quietMs: number;
  readonly holdMs: number;
}

const LOADS: Readonly<Record<'short' | 'long', PeakLoad>> = {
  short: { toRate: 60, concurrency: 12, quietRate: 4, quietMs: 1_500, holdMs: 250 },
  long: { toRate: 600, concurrency: 800, quietRate: 10, quietMs: 30_000, holdMs: 500 },
};
/** Beyond the knee, dials take longer at p99. Milliseconds. */
const KNEE_MS = 500;
/** The time in which the server recovers after the ramp. Milliseconds. */
const RECOVERED_MS = 10_000;
const STEP_LIMIT_MS = 20_000;
const SAMPLE_MS = 1_000;
/** The load goes on for this time beyond the knee. Milliseconds. */
const BEYOND_MS = 10_000;

export const L3: SoakRun = {
  id: 'L3',
  about: 'a ramp of calls beyond the knee: the knee, the refusals beyond it, and the recovery',
  minutes: 2,
  shortMs: 3_000,
  takesServers: false,
  async run(soak) {
    const load = LOADS[soak.isShort ? 'short' : 'long'];
    const users = numberedUsers('peak', 2 * load.concurrency);
    const server = await startSoakServer({ users: users.map(({ userId }) => userId) });
    const target = { server: server.url, appId: DEFAULT_APP_ID, users };
    try {
      const ramp = [{ forMs: soak.loadMs, toRate: load.toRate }];
      judgeRamp(soak, load, await runStages(soak, target, { stages: ramp, holdMs: load.holdMs, endsBeyondKnee: true }));
      if (!soak.stop.aborted) {
        if (!soak.isShort) await delay(RECOVERED_MS);
        const quiet = [
          { forMs: 0, toRate: load.quietRate },
          { forMs: load.quietMs, toRate: load.quietRate },
        ];
        const after = await runStages(soak, target, { stages: quiet, holdMs: load.holdMs, endsBeyondKnee: false });
        judgeRecovery(soak, after.tally);
      }
      await judgeServer(soak, server);
    } finally {
      await server.kill();
    }
  },
};

interface StageRun {
  readonly stages: readonly Stage[];
  readonly holdMs: number;
  /** Whether the load ends some seconds after the knee. */
  readonly endsBeyondKnee: boolean;
}

interface Ran {
  readonly tally: Tally;
  readonly closedPairs: number;
  readonly knee: Slot | null;
}

/** Runs a load. Resolves with its results. */
async function runStages(soak: Soak, target: LoadTarget, { stages, holdMs, endsBeyondKnee }: StageRun): Promise<Ran> {
  const tally = new Tally(lengthOf(stages) + holdMs);
  const plan = { stages, mix: ONLY_COMPLETE, media: 'none', holdMs, stepLimitMs: scaled(STEP_LIMIT_MS) } as const;
  const opened = (count: number) => soak.say(`${count} pairs are open`);
  const deps = { clock: nodeClock, sink: tally, opened, begin: () => Promise.resolve() };
  const run = startLoad(target, { ...plan, part: { at: 0, of: 1 } }, deps);
  const stop = () => run.stop();
  soak.stop.addEventListener('abort', stop);
  const kneeOf = () => tally.slots().find(({ p99 }) => (p99 ?? 0) > KNEE_MS) ?? null;
  let beyond = 0;
  const sampling = setInterval(() => {
    soak.say(`${tally.dialledCalls} calls dialled, ${tally.live} live, ${tally.calls('failed')} failed`);
    soak.point('Live calls', 'live calls', tally.live);
    soak.point('Dial to ring, ms', 'p99 of the last second', tally.slots().at(-1)?.p99 ?? 0);
    if (endsBeyondKnee && kneeOf() !== null) beyond += SAMPLE_MS;
    if (beyond >= BEYOND_MS) stop();
  }, SAMPLE_MS);
  try {
    const { closedPairs } = await run.done;
    return { tally, closedPairs, knee: kneeOf() };
  } finally {
    clearInterval(sampling);
    soak.stop.removeEventListener('abort', stop);
  }
}

function judgeRamp(soak: Soak, { toRate }: PeakLoad, { tally, closedPairs, knee }: Ran): void {
  const rate = knee ? (toRate * knee.at) / soak.loadMs : null;
  soak.figure(
    'knee',
    rate === null
      ? `none up to ${toRate} calls a second`
      : `${rate.toFixed(0)} calls a second, with the clients on the same machine`,
  );
  for (const { outcome, detail, count } of tally.outcomes)
    soak.figure(`calls ${outcome} ${detail}`.trim(), String(count));
  const completed = tally.calls('completed');
  soak.condition('calls complete', completed > 0, `${completed} of ${tally.calls('calls')}`);
  const lost = tally.outcomes.filter(({ outcome }) => outcome === 'lost');
  soak.condition(
    'no call that the server took is lost',
    lost.length === 0,
    lost.map(({ detail, count }) => `${count} lost: ${detail}`).join('; ') || 'none',
  );
  soak.condition('no channel is closed', closedPairs === 0, `${closedPairs} pairs`);
  const refused = tally.outcomes.filter(({ outcome }) => outcome === 'refused');
  const codes = refused.map(({ detail }) => Number(detail.split(' ').at(-1)));
  soak.condition(
    'every refusal has a code of the catalogue',
    codes.every((code) => catalogueEntry(code) !== undefined),
    codes.join(', ') || 'none was refused',
  );
}

function judgeRecovery(soak: Soak, tally: Tally): void {
  const [completed, refused, all] = [tally.calls('completed'), tally.calls('refused'), tally.calls('calls')];
  const p99 = tally.time('dial-to-ring').percentile(99);
  soak.figure('dial to ring after the ramp, p99', `${p99.toFixed(1)} ms`);
  // A busy machine may still be above its rate in a short form.
  soak.condition(
    'after the ramp every call completes, or is refused with a code',
    completed > 0 && completed + (soak.isShort ? refused : 0) === all,
    `${completed} of ${all}, ${refused} refused`,
  );
  if (soak.isShort) return;
  soak.condition(
    `${RECOVERED_MS / 1_000} s after the ramp, dials are below the knee`,
    p99 <= KNEE_MS,
    `p99 ${p99.toFixed(1)} ms`,
  );
}

async function judgeServer(soak: Soak, server: Awaited<ReturnType<typeof startSoakServer>>): Promise<void> {
  const limit = performance.now() + scaled(30_000);
  let state = await server.report();
  while (state.devices > 0 && performance.now() < limit) {
    await delay(100);
    state = await server.report();
  }
  // A call whose clients have gone ends after the silence limit of the exchange.
  soak.condition('the server keeps no device', state.devices === 0, `${state.devices} devices`);
  soak.condition('the server reports no error', state.faults.length === 0, state.faults.join('; ') || 'none');
}
