/** The action of `ringback merge-reports`: makes one report of the reports of several runs. */
import { CommandError } from '../command-error.ts';
import type { ReporterName } from '../arguments/choices.ts';
import { EXIT, suiteExitCode } from '../exit-codes.ts';
import { processOutput } from '../process-output.ts';
import { chooseReporters } from '../reporters/suite/choose-reporters.ts';
import { nameOf, type SuiteResult, titleOf } from '../reporters/suite/suite-reporter.ts';
import { writeLine } from '../reporters/printable.ts';
import { makeOutputFolder } from '../scenarios/output-files.ts';
import { type KeptReport, readReport } from '../scenarios/read-report.ts';
import type { SuiteOutcome } from '../scenarios/run-suite.ts';

export interface MergeOptions {
  readonly reporter?: readonly ReporterName[];
  readonly out: string;
}

/**
 * Reports several runs as one. Returns the exit code of a run with all their cases.
 *
 * @throws CommandError (usage) when a report cannot be read, or two reports do not belong together.
 */
export function mergeReports(named: readonly string[], { reporter: names = ['list'], out }: MergeOptions): number {
  const reports = named.map((one) => readReport(one, { withTraces: names.includes('html') }));
  const outcome = merged(reports);
  const missing = missingParts(reports);
  if (missing.length > 0) writeLine(processOutput.err, `The reports lack ${missing.join(', ')} of the run.`);
  makeOutputFolder(out);
  const reporter = chooseReporters(names, processOutput, out);
  const { results } = outcome;
  const traces = new Map(reports.flatMap((report) => [...report.traces]));
  reporter.began?.(results.length, outcome.world);
  for (const [at, result] of results.entries())
    reporter.result?.(result, {
      done: at + 1,
      total: results.length,
      trace: traces.get(keyOf(result)),
    });
  reporter.ended(outcome);
  return suiteExitCode(outcome, false);
}

/** Merges the reports. The time of the whole is that of the longest run, because shards run at the same time. */
function merged(reports: readonly KeptReport[]): SuiteOutcome {
  const [{ world } = { world: '' }] = reports;
  const other = reports.find((report) => report.world !== world);
  if (other)
    throw usage(`${reports[0]?.path} is of the ${world} world, and ${other.path} of the ${other.world} world.`);
  const results = namedApart(reports).toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  const count = (state: SuiteResult['state']) => results.filter((result) => result.state === state).length;
  return {
    world,
    passed: count('passed'),
    failed: count('failed'),
    inconclusive: count('inconclusive'),
    // What one shard leaves out, another one runs: only cases that were skipped themselves count.
    skipped: count('skipped'),
    flaky: results.filter(({ flaky }) => flaky !== undefined).length,
    wallMs: Math.max(...reports.map(({ wallMs }) => wallMs)),
    simulatedMs: reports.reduce((sum, { simulatedMs }) => sum + simulatedMs, 0),
    results,
    proves: [...new Set(reports.flatMap(({ proves }) => proves))].toSorted(),
    complete: reports.every(({ complete }) => complete) && missingParts(reports).length === 0,
    ...leftOf(reports),
    unsteady: [...new Set(reports.flatMap(({ unsteady }) => unsteady))],
  };
}

/**
 * Returns the parts of a run in shards without a report, like `part 3/4`.
 * @throws CommandError (usage) for shards of different runs, and for a shard that is there twice.
 */
function missingParts(reports: readonly KeptReport[]): string[] {
  const shards = reports.flatMap(({ path, shard }) => (shard ? [{ path, ...shard }] : []));
  const [first] = shards;
  if (!first) return [];
  for (const [at, { path, part, of }] of shards.entries()) {
    if (of !== first.of) throw usage(`${first.path} is one of ${first.of} shards, and ${path} one of ${of}.`);
    const twice = shards.slice(0, at).find((other) => other.part === part);
    if (twice) throw usage(`${twice.path} and ${path} are both the shard ${part}/${of}.`);
  }
  const parts = Array.from({ length: first.of }, (_, at) => at + 1);
  return parts.filter((part) => !shards.some((one) => one.part === part)).map((part) => `part ${part}/${first.of}`);
}

/** Returns the cases that the runs have left out. An interrupted run counts more than one that a failure has stopped. */
function leftOf(reports: readonly KeptReport[]): Pick<SuiteOutcome, 'left'> {
  const all = reports.flatMap(({ left }) => left ?? []);
  const [first] = all.toSorted((one, other) => one.why.localeCompare(other.why));
  return first ? { left: { cases: all.reduce((sum, { cases }) => sum + cases, 0), why: first.why } } : {};
}

/** Returns the cases of all reports. A case that several reports have with different seeds gets its seed in its name. */
function namedApart(reports: readonly KeptReport[]): SuiteResult[] {
  const from = new Map<string, string>();
  const seeds = new Map<string, number>();
  for (const { path, results } of reports)
    for (const result of results) {
      const key = keyOf(result);
      const former = from.get(key);
      if (former !== undefined) throw usage(`${former} and ${path} both have ${nameOf(result)}: leave one out.`);
      from.set(key, path);
      seeds.set(titleOf(result), (seeds.get(titleOf(result)) ?? 0) + 1);
    }
  return reports
    .flatMap(({ results }) => results)
    .map((result) => ((seeds.get(titleOf(result)) ?? 1) > 1 ? { ...result, isRepeated: true } : result));
}

const keyOf = (result: SuiteResult): string => `${titleOf(result)} seed ${result.seed}`;

const usage = (message: string): CommandError => new CommandError(message, EXIT.usage);
