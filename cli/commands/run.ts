/** `ringback run`: runs scenarios, and prints which hold. */
import { Command, Option } from 'commander';
import type { RunOptions } from '../actions/run.ts';
import { parseReporters, REPORTER_NAMES } from '../arguments/choices.ts';
import {
  parseCount,
  parsePattern,
  parsePositiveDuration,
  parseSeeds,
  parseShard,
  parseWhole,
} from '../arguments/values.ts';
import { SUITE_DEFAULTS } from '../scenarios/suite-defaults.ts';
import { WORLDS } from '../worlds/worlds.ts';
import type { CommandModule } from './command-module.ts';

/** The options of the world and of its cases. */
const WORLD_OPTIONS = [
  new Option('-w, --world <world>', 'the world to run in')
    .choices(Object.keys(WORLDS))
    .default(SUITE_DEFAULTS.world.name),
  new Option('-j, --jobs <count>', 'run this many cases at the same time')
    .argParser(parseCount)
    .default(SUITE_DEFAULTS.jobs),
  new Option('--retries <count>', 'retry a failed or inconclusive case this many times; not in virtual time')
    .argParser(parseWhole)
    .default(0),
  new Option('--time-scale <factor>', 'for the scaled world: how many times faster timers run')
    .argParser(parseCount)
    .default(SUITE_DEFAULTS.timeScale),
  new Option('--longest <time>', 'skip cases that take longer; not in virtual time')
    .argParser(parsePositiveDuration)
    .default(SUITE_DEFAULTS.longestMs, '45s'),
  new Option('--seed <number>', 'the seed, instead of the seed of each scenario').argParser(parseWhole),
  new Option('--seeds <list>', 'run everything with each of these seeds: 3,7 or 1-20')
    .argParser(parseSeeds)
    .conflicts(['seed', 'repeat']),
  new Option('--repeat <times>', 'run everything this many times, each time with the next seed')
    .argParser(parseCount)
    .default(1),
];

/** The options that select scenarios. */
const SELECTION_OPTIONS = [
  new Option(
    '--grep <pattern>',
    'run only cases whose title, or whose scenario, matches this regular expression',
  ).argParser(parsePattern),
  new Option('--grep-invert <pattern>', 'leave out these cases').argParser(parsePattern),
  new Option('--case <name>', 'run only the case with this name, or with this number of its scenario'),
  new Option('--tag <tag>', 'run only scenarios with this tag'),
  new Option('--shard <part>', 'run only this part of the scenarios, like 2/4').argParser(parseShard),
  new Option('--last-failed', 'run only the cases that failed when they ran last'),
  new Option('--max-failures <count>', 'stop after this many failures').argParser(parseCount),
  new Option('-x, --fail-fast', 'stop at the first failure').conflicts('maxFailures'),
  new Option('--list', 'print the cases that would run, and run none').conflicts('watch'),
];

/** The options of the reports, and of repeated runs. */
const RESULT_OPTIONS = [
  new Option(
    '--reporter <names>',
    `the reporters: ${REPORTER_NAMES.join(', ')}; several with commas (default: "list")`,
  ).argParser(parseReporters),
  new Option('--trace <when>', 'which traces to keep')
    .choices(['on', 'retain-on-failure', 'off'])
    .default('retain-on-failure'),
  new Option('--out <folder>', 'the folder for traces, reports and the last result').default('.ringback'),
  new Option('--check-determinism', 'run everything twice and compare the traces'),
  new Option('--watch', 'run changed scenarios again, until q or Ctrl-C').conflicts([
    'shard',
    'seeds',
    'repeat',
    'lastFailed',
  ]),
];

export const run: CommandModule = {
  declare(exit) {
    const command = new Command('run')
      .summary('run scenarios')
      .description(
        'Run scenarios against the exchange, in virtual time or in another world. Without files, run the scenarios of the package.',
      )
      .argument(
        '[files...]',
        'scenario files, folders or patterns; mine.yaml:12 is the case or the scenario at that line',
      );
    for (const option of [...WORLD_OPTIONS, ...SELECTION_OPTIONS, ...RESULT_OPTIONS]) command.addOption(option);
    return command.addHelpText('after', HELP).action(async (files: string[], options: RunOptions) => {
      const action = await import('../actions/run.ts');
      exit(await action.run(files, options));
    });
  },
};

const HELP = `
Exit codes:
  0 all passed   1 a scenario failed   2 wrong usage, or no case is selected   3 a scenario file is not valid
  4 the world cannot start, or --out is not writable
  5 the run ended early, or ran no case   7 two runs with the same seed differ
  9 none failed, but one was inconclusive: the machine took a step too late   130 Ctrl-C

Examples:
  ringback run                                    every scenario of the package
  ringback run 'fixtures/scenarios/**/*.yaml' --reporter json
  ringback run mine.yaml:12                       the case, or the scenario, at line 12
  ringback run mine.yaml --case no-answer         one case, by its name
  ringback run --grep reconnect --list            prints which cases would run
  ringback run mine.yaml --trace on               keeps its trace for "ringback trace"
  ringback run --reporter html                    writes an HTML report to .ringback
  ringback run --reporter list,html,junit         also writes .ringback/junit.xml for a build server
  ringback run --grep reconnect --repeat 20       runs each case with twenty seeds
  ringback run mine.yaml --seeds 3,7,20-29        runs each case with these seeds
  ringback run mine --watch                       runs changed scenarios of the folder mine again
  ringback run --grep happy --world real          over real sockets, with real media
`;
