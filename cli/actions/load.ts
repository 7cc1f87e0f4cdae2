/** The action of `ringback load`: runs the load, shows it, and judges its thresholds. */
import { demoPeople } from '../../sim/server/demo-people.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import { collectRarely } from '../../sim/server/operations/rare-collections.ts';
import type { NumberedUsers } from '../arguments/load-values.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { onInterrupt } from '../interrupt.ts';
import { lengthOf, peakRateOf, type Stage, stagesOf } from '../load/arrivals.ts';
import type { LoadPlan, Media } from '../load/generator.ts';
import { FAILURES } from '../load/metrics.ts';
import { type Mix, ONLY_COMPLETE } from '../load/mix.ts';
import { type LoadEnd, type LoadTarget, startLoad } from '../load/run-load.ts';
import { startLoadProcesses } from '../load/worker-processes.ts';
import { type LoadedServer, startServerProcess } from '../load/server-process.ts';
import { Tally } from '../load/tally.ts';
import { judged, type Threshold } from '../load/thresholds.ts';
import { type LoadUser, numberedUsers, readUsers } from '../load/users.ts';
import { processOutput } from '../process-output.ts';
import { loadReportPage } from '../reporters/load/page.ts';
import { printable, writeLine } from '../reporters/printable.ts';
import { startProgress } from '../reporters/load/progress.ts';
import { type LoadSummary, summaryJson } from '../reporters/load/summary.ts';
import { summaryText } from '../reporters/load/text.ts';
import { checkFolderOf, writeResult } from '../scenarios/output-files.ts';
import { servicesOfEnvironment } from '../services.ts';

export interface LoadOptions {
  readonly rate?: number;
  readonly duration?: number;
  readonly ramp?: number;
  readonly stage?: readonly Stage[];
  readonly concurrency?: number;
  readonly hold: number;
  readonly mix?: Mix;
  readonly media: Media;
  readonly callTimeout: number;
  readonly processes: number;
  readonly server?: string;
  readonly appId: string;
  readonly users?: NumberedUsers;
  readonly usersFile?: string;
  readonly threshold?: readonly Threshold[];
  readonly report?: string;
  readonly json?: boolean;
}

const DEFAULT_RATE = 10;
const DEFAULT_DURATION_MS = 30_000;
/** The part of a call besides its hold, for the default of --concurrency: generous for a healthy exchange. */
const SET_UP_MS = 1_000;

/** The shortest call in which a tone or a picture is measured, milliseconds. */
const SHORTEST_MEDIA_MS = 1_000;

/** Runs the load. Returns the exit code. */
export async function load(options: LoadOptions): Promise<number> {
  const stages =
    options.stage ?? stagesOf(options.rate ?? DEFAULT_RATE, options.duration ?? DEFAULT_DURATION_MS, options.ramp ?? 0);
  const concurrency = concurrencyOf(options, stages);
  const users = usersOf(options, concurrency);
  if (options.processes > concurrency) {
    throw new CommandError(
      `--processes ${options.processes} are more than the ${concurrency} calls at a time: some would make no call.`,
      EXIT.usage,
    );
  }
  if (options.media !== 'none' && options.hold < SHORTEST_MEDIA_MS) {
    throw new CommandError(
      `--media ${options.media} needs a --hold of at least 1s: a shorter call is too short to hear its tone.`,
      EXIT.usage,
    );
  }
  if (options.report !== undefined) checkFolderOf(options.report);
  const plan: LoadPlan = {
    stages,
    mix: options.mix ?? ONLY_COMPLETE,
    media: options.media,
    holdMs: options.hold,
    stepLimitMs: options.callTimeout,
    part: { at: 0, of: 1 },
  };
  const interrupted = { count: 0 };
  const release = onInterrupt((count) => {
    interrupted.count = count;
    // Before the first dial there is nothing to end.
    if (count > 1) process.exit(EXIT.interrupted);
    stop();
  });
  let own: LoadedServer | undefined;
  let stop = () => undefined as void;
  try {
    if (options.server === undefined) {
      const services = servicesOfEnvironment();
      processOutput.err.write(`Starting a fresh exchange...\n${services.line}`);
      own = await startServerProcess(
        users.map(({ userId }) => userId),
        services.options,
        nodeClock,
      );
    }
    const server = options.server ?? own?.url ?? '';
    const running = runShown({ server, appId: options.appId, users }, plan, options.processes);
    stop = running.stop;
    if (interrupted.count > 0) stop();
    const { tally, end, elapsedMs } = await running.done;
    const summary: LoadSummary = {
      server: own ? 'a fresh exchange' : server,
      plan,
      concurrency,
      elapsedMs,
      tally,
      end,
      interrupted: interrupted.count > 0,
      verdicts: (options.threshold ?? []).map((threshold) => judged(threshold, tally)),
    };
    show(summary, options);
    return exitCodeOf(summary);
  } finally {
    release();
    own?.stop();
  }
}

function runShown(target: LoadTarget, plan: LoadPlan, processes: number) {
  const tally = new Tally(lengthOf(plan.stages) + plan.holdMs);
  const progress = startProgress(processOutput.err, { clock: nodeClock, tally, pairs: target.users.length / 2 });
  const deps = { clock: nodeClock, sink: tally, opened: progress.opened, begin: progress.begin };
  // Media has its own process, because the engine may crash a process that ends.
  const isHere = processes === 1 && plan.media === 'none';
  if (isHere) collectRarely();
  const run = isHere ? startLoad(target, plan, deps) : startLoadProcesses(target, plan, { ...deps, processes });
  const finish = async (): Promise<{ tally: Tally; end: LoadEnd; elapsedMs: number }> => {
    try {
      return { tally, end: await run.done, elapsedMs: progress.elapsedMs };
    } finally {
      progress.close();
    }
  };
  return { done: finish(), stop: () => run.stop() };
}

/** Returns the most calls at a time. Refuses fewer than the planned rate needs: the run would measure this limit. */
function concurrencyOf({ concurrency, hold }: LoadOptions, stages: readonly Stage[]): number {
  const peak = peakRateOf(stages);
  if (peak === 0) throw new CommandError('Every stage has the rate 0: at least one needs calls.', EXIT.usage);
  const least = Math.ceil((peak * hold) / 1_000);
  if (concurrency === undefined) return Math.ceil((peak * (hold + SET_UP_MS)) / 1_000);
  if (concurrency >= least) return concurrency;
  throw new CommandError(
    `${peak} calls a second that stay connected for ${hold / 1_000} s are ${least} calls at a time: raise --concurrency ${concurrency}, or lower the rate or --hold.`,
    EXIT.usage,
  );
}

/** Returns two users for each call at a time. */
function usersOf({ users, usersFile, server }: LoadOptions, concurrency: number): LoadUser[] {
  const needed = 2 * concurrency;
  const named = usersFile === undefined ? users && numberedUsers(users.prefix, users.count) : readUsers(usersFile);
  const isFresh = server === undefined;
  const all = named ?? (isFresh ? numberedUsers('load', needed) : demoPeople().map(({ u_id }) => ({ userId: u_id })));
  if (all.length >= needed) return all.slice(0, needed);
  const remedy = named ? 'name more users' : 'name users of the exchange with --users or --users-file';
  const which = named ? `${all.length} are named` : `the demo has ${all.length}`;
  throw new CommandError(
    `${concurrency} calls at a time need ${needed} users, and ${which}: ${remedy}, or lower the rate, --hold or --concurrency.`,
    EXIT.usage,
  );
}

function show(summary: LoadSummary, { json, report }: LoadOptions): void {
  const { out } = processOutput;
  out.write(json ? `${JSON.stringify(summaryJson(summary))}\n` : printable(summaryText(summary)));
  if (report === undefined) return;
  writeResult(report, loadReportPage(summary));
  if (!json) writeLine(out, `report    ${report}`);
}

/** Failed calls fail a run, unless a threshold says how many of them are allowed. */
function exitCodeOf({ interrupted, tally, verdicts, end }: LoadSummary): number {
  if (interrupted) return EXIT.interrupted;
  if (verdicts.some(({ ok }) => !ok)) return EXIT.unmet;
  if (tally.calls('calls') === 0) return EXIT.incomplete;
  if (end.isCutShort) return EXIT.failed;
  const judgesFailures = verdicts.some(
    ({ threshold: { name } }) => name === 'failed' || FAILURES.some((one) => one === name),
  );
  return tally.calls('failed') > 0 && !judgesFailures ? EXIT.failed : EXIT.ok;
}
