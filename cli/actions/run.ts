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
import { chooseReporters } from '../reporters/suite/choose-reporters.ts';
import { fileWatcher } from '../scenarios/file-watcher.ts';
import { findScenarios } from '../scenarios/find-scenarios.ts';
import { narrow, type Narrowing } from '../scenarios/narrow.ts';
import { makeOutputFolder, writeResult } from '../scenarios/output-files.ts';
import { runSuite, type SuiteOptions, type SuiteOutcome } from '../scenarios/run-suite.ts';
import { watchScenarios } from '../scenarios/watch-scenarios.ts';
import { type WorldChoice, WORLDS } from '../worlds/worlds.ts';

export interface RunOptions extends Omit<Narrowing, 'lastFailed'> {
  readonly world: WorldChoice;
  readonly jobs: number;
  readonly retries: number;
  readonly timeScale: number;
  readonly longest: number;
  readonly seed?: number;
  readonly repeat: number;
  readonly lastFailed?: boolean;
  readonly maxFailures?: number;
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
  const { scenarios, faults } = await findScenarios(files);
  if (faults.length > 0) {
    for (const { file, line, column, message } of faults)
      processOutput.err.write(`${file}:${line}:${column}: ${message}\n`);
    return EXIT.invalid;
  }
  makeOutputFolder(options.out);
  const lastFile = join(options.out, 'last-failed.json');
  const { chosen, skipped } = narrow(scenarios, {
    ...options,
    lastFailed: options.lastFailed ? readFailed(lastFile) : undefined,
  });
  if (chosen.length === 0) throw new CommandError(whyNone(scenarios, options), EXIT.usage);
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

function whyNone(found: readonly Scenario[], { lastFailed }: RunOptions): string {
  if (found.length === 0) return 'These files have no scenario. A fragment runs only inside the scenarios that use it.';
  return lastFailed
    ? 'No scenario is left to run: none of these failed in the previous run.'
    : 'No scenario is left to run: the options exclude all of them.';
}

async function runWatching(files: readonly string[], options: RunOptions): Promise<number> {
  checkWorld(options);
  makeOutputFolder(options.out);
  let skipped = 0;
  return watchScenarios({
    async find() {
      const found = await findScenarios(files);
      const { chosen } = narrow(found.scenarios, { ...options, lastFailed: undefined });
      skipped = found.scenarios.length - chosen.length;
      return { ...found, scenarios: chosen };
    },
    async run(chosen, signal) {
      const outcome = await runChosen(chosen, options, { skipped, signal });
      return { failed: failedOf(outcome), code: suiteExitCode(outcome, signal.aborted) };
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
      processOutput.err.write(`${line}\n`);
    },
  });
}

async function runChosen(
  chosen: readonly Scenario[],
  options: RunOptions,
  given: Pick<SuiteOptions, 'skipped' | 'signal'>,
): Promise<SuiteOutcome> {
  const reporter = chooseReporters(options.reporter ?? ['list'], processOutput, options.out);
  const { world, longest, checkDeterminism = false } = options;
  const outcome = await runSuite(
    chosen,
    { ...options, ...given, clock: nodeClock, world: WORLDS[world], longestMs: longest, checkDeterminism },
    reporter,
  );
  const { unsteady, complete, passed, failed, inconclusive } = outcome;
  if (unsteady.length > 0)
    processOutput.err.write(`The traces of two runs with the same seed differ: ${unsteady.join(', ')}.\n`);
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
  try {
    const names: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    throw new CommandError(`There is no result of a previous run at ${file}.`, EXIT.usage);
  }
}

/** Returns the names of the scenarios that failed or were inconclusive. */
const failedOf = ({ results }: SuiteOutcome): string[] => [
  ...new Set(results.filter(({ failure }) => failure !== undefined).map(({ scenario }) => scenario)),
];

function keepFailed(file: string, outcome: SuiteOutcome): void {
  writeResult(file, `${JSON.stringify(failedOf(outcome))}\n`);
}
