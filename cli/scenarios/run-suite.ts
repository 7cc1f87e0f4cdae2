/** Runs the cases of scenarios in a world, several at the same time, and keeps their results. */
import type { Clock } from '../../src/common/clock.ts';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { casesOf, type ScenarioCase } from '../../sim/scenario/run/cases.ts';
import type { CaseFailure, CaseResult } from '../../sim/scenario/run/run-scenario.ts';
import type { SuiteReporter, SuiteResult, SuiteSummary } from '../reporters/suite/suite-reporter.ts';
import type { CaseJob, OpenedWorld, WorldFactory } from '../worlds/world.ts';
import { keepTrace, type TraceKeeping, traceText } from './keep-trace.ts';
import { makeOutputFolder } from './output-files.ts';

export { SUITE_DEFAULTS } from './suite-defaults.ts';

export interface SuiteOptions extends TraceKeeping {
  readonly world: WorldFactory;
  /** The number of cases that run at the same time. */
  readonly jobs: number;
  /** The number of retries of a case that failed or was inconclusive. */
  readonly retries: number;
  /** How many times faster the timers of the library run in the scaled world. */
  readonly timeScale: number;
  /** The maximum duration of a case that runs on the wall clock, milliseconds. */
  readonly longestMs: number;
  readonly seed?: number | undefined;
  readonly repeat: number;
  /** The seeds of the run, instead of `seed` and `repeat`. */
  readonly seeds?: readonly number[] | undefined;
  readonly maxFailures?: number | undefined;
  /** True to run each case a second time and compare the traces. */
  readonly checkDeterminism: boolean;
  /** The number of cases that the options excluded. */
  readonly skipped: number;
  /** The part of the scenarios that was selected. */
  readonly shard?: SuiteSummary['shard'] | undefined;
  readonly clock: Clock;
  /** Ends the run: no further case begins, and running cases are closed. */
  readonly signal: AbortSignal;
}

export interface SuiteOutcome extends SuiteSummary {
  /** The scenarios with two different traces of equal runs. */
  readonly unsteady: readonly string[];
}

/** A case of a run, before it runs. */
export type Planned = Pick<CaseJob, 'scenario' | 'one' | 'seed'>;

/**
 * Runs the scenarios.
 *
 * @throws CommandError (environment) when the folder for the traces cannot be created.
 */
export async function runSuite(
  scenarios: readonly Scenario[],
  options: SuiteOptions,
  reporter: SuiteReporter,
): Promise<SuiteOutcome> {
  const began = options.clock.now();
  if (options.trace !== 'off') makeOutputFolder(options.out);
  const planned = plan(scenarios, options);
  const results: (SuiteResult | undefined)[] = planned.map(() => undefined);
  const unsteady = new Set<string>();
  const world = await options.world.open(options);
  let next = 0;
  let done = 0;
  let failures = 0;
  const goesOn = () =>
    next < planned.length &&
    !options.signal.aborted &&
    (options.maxFailures === undefined || failures < options.maxFailures);
  const worker = async () => {
    while (goesOn()) {
      const at = next++;
      const job = { ...(planned[at] as Planned), signal: options.signal };
      const alone = await tried(world, job, options.retries);
      const result: SuiteResult = hasSeeds(options) ? { ...alone, isRepeated: true } : alone;
      const isOver = options.signal.aborted || !options.checkDeterminism;
      const isSteady = isOver || traceText(result) === traceText(await world.run(job));
      // An aborted case has no result, and an aborted second run no difference.
      if (options.signal.aborted) return;
      if (!isSteady) unsteady.add(result.scenario);
      results[at] = result;
      done += 1;
      if (result.state === 'failed') failures += 1;
      const trace = keepTrace(result, options.world.name, options);
      reporter.result?.(result, { done, total: planned.length, trace });
    }
  };
  reporter.began?.(planned.length, options.world.name);
  try {
    await Promise.all(Array.from({ length: options.jobs + (world.ahead ?? 0) }, worker));
  } finally {
    await world.close();
  }
  const outcome: SuiteOutcome = {
    ...summaryOf(results, options),
    wallMs: options.clock.now() - began,
    unsteady: [...unsteady],
  };
  reporter.ended(outcome);
  return outcome;
}

/** Returns every case of a run, in the order of the run. */
export function plan(scenarios: readonly Scenario[], { repeat, seed, seeds }: Seeds): Planned[] {
  return Array.from({ length: seeds?.length ?? repeat }, (_, round) =>
    scenarios.flatMap((scenario) =>
      casesOf(scenario).map((one: ScenarioCase) => ({
        scenario,
        one,
        // Each round has another seed, so that a repetition tests other chances.
        seed: seeds?.[round] ?? (repeat > 1 ? (seed ?? scenario.seed) + round : seed),
      })),
    ),
  ).flat();
}

type Seeds = Pick<SuiteOptions, 'repeat' | 'seed' | 'seeds'>;

/** Returns whether each case runs with several seeds, so that its name needs the seed. */
export const hasSeeds = ({ repeat, seeds }: Omit<Seeds, 'seed'>): boolean => repeat > 1 || seeds !== undefined;

/**
 * Runs a case, and repeats it until it passes or the retries are used up. An inconclusive try does not make the case
 * flaky,
 * and does not override the failure of another try.
 */
async function tried(world: OpenedWorld, job: CaseJob, retries: number): Promise<CaseResult> {
  const failed: CaseFailure[] = [];
  let verdict: CaseResult | undefined;
  for (let left = retries; ; left -= 1) {
    const result = await world.run(job);
    if (!result.failure) return failed.length > 0 && result.state === 'passed' ? { ...result, flaky: failed } : result;
    if (result.state === 'failed') {
      verdict = result;
      failed.push(result.failure);
    }
    if (left === 0 || job.signal.aborted) return verdict ?? result;
  }
}

function summaryOf(
  all: readonly (SuiteResult | undefined)[],
  { world, skipped, signal, shard }: SuiteOptions,
): Omit<SuiteSummary, 'wallMs'> {
  const results = all.filter((result) => result !== undefined);
  const why = signal.aborted ? 'interrupted' : 'stopped after a failure';
  const count = (state: CaseResult['state']) => results.filter((result) => result.state === state).length;
  return {
    world: world.name,
    passed: count('passed'),
    failed: count('failed'),
    inconclusive: count('inconclusive'),
    skipped: skipped + count('skipped'),
    flaky: results.filter(({ flaky }) => flaky !== undefined).length,
    simulatedMs: results.reduce((sum, { simulatedMs }) => sum + simulatedMs, 0),
    results,
    proves: [...new Set(results.flatMap(({ proves }) => proves))].toSorted(),
    complete: results.length === all.length,
    ...(shard ? { shard } : {}),
    ...(results.length === all.length ? {} : { left: { cases: all.length - results.length, why } }),
  };
}
