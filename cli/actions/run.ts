/** The action of `ringback run`: runs scenarios, once or after each change, and prints which hold. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { CommandError } from '../command-error.ts';
import type { ReporterName } from '../arguments/choices.ts';
import { EXIT, suiteExitCode } from '../exit-codes.ts';
import { onInterrupt } from '../interrupt.ts';
import { keyboard } from '../keyboard.ts';
import { processOutput } from '../process-output.ts';
import { printableWord, writeLine } from '../reporters/printable.ts';
import { chooseReporters } from '../reporters/suite/choose-reporters.ts';
import { nameOf, titleOf } from '../reporters/suite/suite-reporter.ts';
import { splitLines } from '../scenarios/chosen-lines.ts';
import { fileWatcher } from '../scenarios/file-watcher.ts';
import { findScenarios } from '../scenarios/find-scenarios.ts';
import { narrow, type Narrowing, whyNone } from '../scenarios/narrow.ts';
import { makeOutputFolder, writeResult } from '../scenarios/output-files.ts';
import { hasSeeds, plan, runSuite, type SuiteOptions, type SuiteOutcome } from '../scenarios/run-suite.ts';
import { watchScenarios } from '../scenarios/watch-scenarios.ts';
import { type WorldChoice, WORLDS } from '../worlds/worlds.ts';

export interface RunOptions extends Omit<Narrowing, 'lastFailed' | 'lines'> {
  readonly world: WorldChoice;
  readonly jobs: number;
  readonly retries: number;
  readonly timeScale: number;
  readonly longest: number;
  readonly seed?: number;
  readonly repeat: number;
  /** The seeds of the run, instead of `seed` and `repeat`. */
  readonly seeds?: readonly number[];
  readonly lastFailed?: boolean;
  readonly maxFailures?: number;
  /** True to stop at the first failure. */
  readonly failFast?: boolean;
  /** True to print the selected cases instead of running them. */
  readonly list?: boolean;
  readonly reporter?: readonly ReporterName[];
  readonly trace: SuiteOptions['trace'];
  readonly out: string;
  readonly checkDeterminism?: boolean;
  readonly watch?: boolean;
}

/** Runs the named scenarios. Returns the exit code. */
export const run = (files: readonly string[], options: RunOptions): Promise<number> =>
  (options.watch ? runWatching : runOnce)(files, options);

async function runOnce(files: readonly string[], options: RunOptions): Promise<number> {
  checkWorld(options);
  const { files: named, lines } = splitLines(files);
  const { scenarios, faults } = await findScenarios(named);
  if (faults.length > 0) {
    for (const { file, line, column, message } of faults)
      writeLine(processOutput.err, `${file}:${line}:${column}: ${message}`);
    return EXIT.invalid;
  }
  if (!options.list) makeOutputFolder(options.out);
  const lastFile = join(options.out, 'last-failed.json');
  const narrowing = { ...options, lines, lastFailed: options.lastFailed ? readFailed(lastFile) : undefined };
  const { chosen, skipped } = narrow(scenarios, narrowing);
  if (chosen.length === 0) throw new CommandError(whyNone(scenarios, narrowing), EXIT.usage);
  if (options.list) return printList(chosen, options);
  const interruption = new AbortController();
  const undo = onInterrupt((count) => {
    interruption.abort();
    if (count > 1) process.exit(EXIT.interrupted);
  });
  const outcome = await runChosen(chosen, options, { skipped, signal: interruption.signal });
  undo();
  keepFailed(lastFile, outcome);
  return suiteExitCode(outcome, interruption.signal.aborted);
}

/** Prints a line for each case that would run. */
function printList(chosen: readonly Scenario[], options: RunOptions): number {
  const planned = plan(chosen, options);
  for (const { scenario, one, seed = scenario.seed } of planned) {
    const { scenario: name, file } = scenario;
    const row = nameOf({ scenario: name, case: one.name, seed, isRepeated: hasSeeds(options) });
    writeLine(processOutput.out, `${printableWord(row).padEnd(58)}  ${printableWord(file)}`);
  }
  const cases = `${planned.length} ${planned.length === 1 ? 'case' : 'cases'}`;
  processOutput.out.write(`${cases} of ${chosen.length} ${chosen.length === 1 ? 'scenario' : 'scenarios'}\n`);
  return EXIT.ok;
}

async function runWatching(files: readonly string[], options: RunOptions): Promise<number> {
  checkWorld(options);
  makeOutputFolder(options.out);
  let skipped = 0;
  return watchScenarios({
    async find() {
      const { files: named, lines } = splitLines(files);
      const found = await findScenarios(named);
      const { chosen } = narrow(found.scenarios, { ...options, lines, lastFailed: undefined });
      skipped = found.scenarios.length - chosen.length;
      return { ...found, scenarios: chosen };
    },
    async run(chosen, signal) {
      const outcome = await runChosen(chosen, options, { skipped, signal });
      return {
        failed: [...new Set(failedOf(outcome).map(({ scenario }) => scenario))],
        code: suiteExitCode(outcome, signal.aborted),
      };
    },
    files: fileWatcher,
    keys: keyboard,
    after(ms, call) {
      const timer = nodeClock.after(ms, call);
      return () => timer.cancel();
    },
    onInterrupt: (interrupted) =>
      onInterrupt((count) => {
        interrupted();
        if (count > 1) process.exit(EXIT.interrupted);
      }),
    print(line) {
      writeLine(processOutput.err, line);
    },
  });
}

async function runChosen(
  chosen: readonly Scenario[],
  options: RunOptions,
  given: Pick<SuiteOptions, 'skipped' | 'signal'>,
): Promise<SuiteOutcome> {
  const reporter = chooseReporters(options.reporter ?? ['list'], processOutput, options.out);
  const { world, longest, checkDeterminism = false, failFast = false } = options;
  const maxFailures = failFast ? 1 : options.maxFailures;
  const outcome = await runSuite(
    chosen,
    { ...options, ...given, maxFailures, clock: nodeClock, world: WORLDS[world], longestMs: longest, checkDeterminism },
    reporter,
  );
  const { unsteady, complete, passed, failed, inconclusive } = outcome;
  if (unsteady.length > 0)
    writeLine(processOutput.err, `The traces of two runs with the same seed differ: ${unsteady.join(', ')}.`);
  if (complete && passed + failed + inconclusive === 0)
    processOutput.err.write('No case was run: every case was skipped.\n');
  return outcome;
}

/** Refuses options that only an exact world, or only an inexact world, supports. */
function checkWorld({ world, retries, checkDeterminism }: RunOptions): void {
  const { isExact } = WORLDS[world];
  if (isExact && retries > 0)
    throw new CommandError(
      `--retries has no effect in the ${world} world, where a case always has the same result: leave it out.`,
      EXIT.usage,
    );
  if (!isExact && checkDeterminism)
    throw new CommandError(
      `--check-determinism needs virtual time. Runs in the ${world} world always differ: leave it out.`,
      EXIT.usage,
    );
}

function readFailed(file: string): readonly string[] {
  const names = formerlyFailed(file);
  if (!names) throw new CommandError(`There is no result of a previous run at ${file}.`, EXIT.usage);
  return names;
}

/** Returns the names of the cases that failed in former runs. Undefined without a former run. */
function formerlyFailed(file: string): readonly string[] | undefined {
  try {
    const names: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return undefined;
  }
}

/** Returns the cases that failed or were inconclusive. */
const failedOf = ({ results }: SuiteOutcome) => results.filter(({ failure }) => failure !== undefined);

/** Stores which cases failed: those of this run, and those of former runs that this run has not repeated. */
function keepFailed(file: string, outcome: SuiteOutcome): void {
  const repeated = new Set(outcome.results.filter(({ state }) => state !== 'skipped').map(titleOf));
  const former = (formerlyFailed(file) ?? []).filter((name) => !repeated.has(name));
  writeResult(file, `${JSON.stringify([...new Set([...former, ...failedOf(outcome).map(titleOf)])])}\n`);
}
