/** Runs scenarios one after another and keeps what became of them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { type CaseResult, runScenario } from '../../sim/scenario/run/run-scenario.ts';
import { traceLine, type TraceRun } from '../../sim/scenario/trace/trace.ts';
import { virtualWorld } from '../../sim/scenario/virtual/virtual-world.ts';
import { readVersion } from '../version.ts';
import type { SuiteReporter, SuiteSummary } from '../reporters/suite/suite-reporter.ts';

export interface SuiteOptions {
  readonly seed?: number | undefined;
  readonly repeat: number;
  readonly maxFailures?: number | undefined;
  /** Runs each case a second time and compares the traces. */
  readonly checkDeterminism: boolean;
  readonly trace: 'on' | 'retain-on-failure' | 'off';
  /** Where traces are kept. */
  readonly out: string;
  readonly skipped: number;
  readonly interrupted: () => boolean;
}

export interface SuiteOutcome extends SuiteSummary {
  /** The cases whose traces differed though nothing did. */
  readonly unsteady: readonly string[];
}

/** Runs the scenarios in virtual time. */
export async function runSuite(
  scenarios: readonly Scenario[],
  options: SuiteOptions,
  reporter: SuiteReporter,
): Promise<SuiteOutcome> {
  const began = performance.now();
  const results: CaseResult[] = [];
  const unsteady: string[] = [];
  const total = scenarios.reduce((sum, { cases }) => sum + (cases?.length ?? 1), 0) * options.repeat;
  let complete = true;
  reporter.began?.(total);
  suite: for (let round = 0; round < options.repeat; round += 1) {
    for (const scenario of scenarios) {
      const failures = results.filter(({ state }) => state === 'failed').length;
      if (options.interrupted() || (options.maxFailures !== undefined && failures >= options.maxFailures)) {
        complete = false;
        break suite;
      }
      // Another seed each round, so that repeating shows something.
      const seed = options.repeat > 1 ? (options.seed ?? scenario.seed) + round : options.seed;
      const run = () => runScenario(scenario, { seed, world: virtualWorld, stopwatch: () => performance.now() });
      const finished = await run();
      if (options.checkDeterminism) unsteady.push(...differing(finished, await run()));
      for (const result of finished) {
        results.push(result);
        reporter.result?.(result, { done: results.length, total, trace: keep(result, options) });
      }
    }
  }
  const failed = results.filter(({ state }) => state === 'failed').length;
  const summary: SuiteOutcome = {
    world: 'virtual',
    passed: results.length - failed,
    failed,
    skipped: options.skipped,
    wallMs: performance.now() - began,
    simulatedMs: results.reduce((sum, { simulatedMs }) => sum + simulatedMs, 0),
    results,
    proves: [...new Set(results.flatMap(({ proves }) => proves))].toSorted(),
    complete,
    unsteady,
  };
  reporter.ended(summary);
  return summary;
}

/** The events of a case as its file holds them. */
const textOf = ({ trace }: CaseResult): string => trace.map((event) => `${traceLine(event)}\n`).join('');

const differing = (first: readonly CaseResult[], second: readonly CaseResult[]): string[] =>
  first.flatMap((result, at) => {
    const again = second[at];
    return again && textOf(result) === textOf(again) ? [] : [result.scenario];
  });

/** What file systems take is 255 bytes. */
const LONGEST_NAME = 200;

/** Writes the trace where it is to be kept, and returns its path. */
function keep(result: CaseResult, { trace, out }: SuiteOptions): string | undefined {
  if (trace === 'off' || (trace === 'retain-on-failure' && result.state === 'passed')) return undefined;
  const name = [result.scenario, result.case, result.seed]
    .filter((part) => part !== undefined)
    .join('-')
    .replaceAll(/[^\w-]+/g, '_')
    .slice(0, LONGEST_NAME);
  const path = join(out, `${name}.ndjson`);
  const { scenario, case: one, file, seed } = result;
  const run: TraceRun = {
    kind: 'run',
    scenario,
    ...(one === undefined ? {} : { case: one }),
    file,
    seed,
    world: 'virtual',
    version: readVersion(),
  };
  writeFileSync(path, `${traceLine(run)}\n${textOf(result)}`);
  return path;
}
