/** `ringback run`: runs scenarios, and says which hold. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { parseCount, parsePositiveDuration, parseWhole } from '../arguments/values.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { onInterrupt } from '../interrupt.ts';
import { keyboard } from '../keyboard.ts';
import { processOutput } from '../process-output.ts';
import {
  chooseReporters,
  parseReporters,
  REPORTER_NAMES,
  type ReporterName,
} from '../reporters/suite/choose-reporters.ts';
import { fileWatcher } from '../scenarios/file-watcher.ts';
import { findScenarios } from '../scenarios/find-scenarios.ts';
import { makeOutputFolder } from '../scenarios/output-folder.ts';
import { runSuite, SUITE_DEFAULTS, type SuiteOptions, type SuiteOutcome } from '../scenarios/run-suite.ts';
import { narrow, parseShard, type Narrowing } from '../scenarios/narrow.ts';
import { suiteExitCode } from '../scenarios/suite-exit-code.ts';
import { writeResult } from '../scenarios/write-result.ts';
import { watchScenarios } from '../scenarios/watch-scenarios.ts';
import { type WorldChoice, WORLDS } from '../worlds/worlds.ts';
import type { CommandModule } from './command-module.ts';

interface RunOptions extends Omit<Narrowing, 'lastFailed'> {
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

export const run: CommandModule = {
  declare(exit) {
    return new Command('run')
      .summary('run scenarios')
      .description(
        'Run scenarios against the exchange, in virtual time or in another world. Without files: those that come with ringback.',
      )
      .argument('[files...]', 'scenario files, folders or patterns')
      .addOption(
        new Option('-w, --world <world>', 'where to run them')
          .choices(Object.keys(WORLDS))
          .default(SUITE_DEFAULTS.world.name),
      )
      .option('-j, --jobs <count>', 'run so many cases at a time', parseCount, SUITE_DEFAULTS.jobs)
      .option(
        '--retries <count>',
        'try a case that failed or was inconclusive again, so often; not in virtual time',
        parseWhole,
        0,
      )
      .option('--time-scale <factor>', 'scaled: how many times faster timers run', parseCount, SUITE_DEFAULTS.timeScale)
      .addOption(
        new Option('--longest <time>', 'leave out cases that take longer; not in virtual time')
          .argParser(parsePositiveDuration)
          .default(SUITE_DEFAULTS.longestMs, '45s'),
      )
      .option('--seed <number>', "in place of each scenario's own", parseWhole)
      .option('--repeat <times>', 'run everything this often, each time with the next seed', parseCount, 1)
      .option('--grep <pattern>', 'only scenarios whose name fits this regular expression', parsePattern)
      .option('--tag <tag>', 'only scenarios with this tag')
      .option('--shard <part>', 'only this part of them, like 2/4', parseShard)
      .option('--last-failed', 'only those that failed in the run before')
      .option('--max-failures <count>', 'stop after this many failures', parseCount)
      .option(
        '--reporter <names>',
        `how results are shown: ${REPORTER_NAMES.join(', ')}; several with commas (default: "list")`,
        parseReporters,
      )
      .addOption(
        new Option('--trace <when>', 'which traces are kept')
          .choices(['on', 'retain-on-failure', 'off'])
          .default('retain-on-failure'),
      )
      .option('--out <folder>', 'where traces, reports and the last result are kept', '.ringback')
      .option('--check-determinism', 'run everything twice and compare the traces')
      .addOption(
        new Option('--watch', 'run again whatever changes, until q or Ctrl-C').conflicts([
          'shard',
          'repeat',
          'lastFailed',
        ]),
      )
      .addHelpText('after', HELP)
      .action(async (files: string[], options: RunOptions) => {
        exit(await (options.watch ? watchCommand : runCommand)(files, options));
      });
  },
};

async function runCommand(files: readonly string[], options: RunOptions): Promise<number> {
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
  if (found.length === 0) return 'There is no scenario in these files: a fragment is run by the scenarios that use it.';
  return lastFailed
    ? 'No scenario is left to run: none of these failed in the run before.'
    : 'No scenario is left to run: the options leave all of them out.';
}

async function watchCommand(files: readonly string[], options: RunOptions): Promise<number> {
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
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
    onInterrupt: (interrupted) =>
      onInterrupt((count) => {
        interrupted();
        if (count > 1) process.exit(EXIT.interrupted);
      }),
    say(line) {
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
    { ...options, ...given, world: WORLDS[world], longestMs: longest, checkDeterminism },
    reporter,
  );
  const { unsteady, complete, passed, failed, inconclusive } = outcome;
  if (unsteady.length > 0) processOutput.err.write(`The traces of two equal runs differ: ${unsteady.join(', ')}.\n`);
  if (complete && passed + failed + inconclusive === 0)
    processOutput.err.write('Nothing was run: every case was skipped.\n');
  return outcome;
}

/** What a case does once it does always in a world that is exact, and only there. */
function checkWorld({ world, retries, checkDeterminism }: RunOptions): void {
  const { isExact } = WORLDS[world];
  if (isExact && retries > 0)
    throw new CommandError(`A case that fails in the ${world} world fails again: leave --retries out.`, EXIT.usage);
  if (!isExact && checkDeterminism)
    throw new CommandError(
      `No two runs in the ${world} world are the same: leave --check-determinism out.`,
      EXIT.usage,
    );
}

function readFailed(file: string): readonly string[] {
  try {
    const names: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    throw new CommandError(`There is no result of a run before at ${file}.`, EXIT.usage);
  }
}

/** The scenarios that failed or came to no verdict, by name. */
const failedOf = ({ results }: SuiteOutcome): string[] => [
  ...new Set(results.filter(({ failure }) => failure !== undefined).map(({ scenario }) => scenario)),
];

function keepFailed(file: string, outcome: SuiteOutcome): void {
  writeResult(file, `${JSON.stringify(failedOf(outcome))}\n`);
}

function parsePattern(text: string): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch {
    throw new InvalidArgumentError('It must be a regular expression.');
  }
}

const HELP = `
Exit codes:
  0 all passed   1 a scenario failed   2 wrong words   3 a scenario file is not valid
  4 the world cannot be opened, or nothing written to --out
  5 not all were run, or none   7 two equal runs differ
  9 none failed, but one was inconclusive: a step was taken too late   130 Ctrl-C

Examples:
  ringback run                                    every scenario that comes with ringback
  ringback run 'fixtures/scenarios/**/*.yaml' --reporter json
  ringback run mine.yaml --trace on               keep its trace, for ringback trace
  ringback run --reporter html                    a report to look at, in .ringback
  ringback run --reporter list,html,junit         and .ringback/junit.xml for a build server
  ringback run --grep reconnect --repeat 20       twenty seeds
  ringback run mine --watch                       again whatever changes in the folder mine
  ringback run --grep happy --world real          over real sockets, with real media
`;
