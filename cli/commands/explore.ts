/** `ringback explore`: draws stories by the thousand, plays them, and writes those that break an invariant as scenarios. */
import { join } from 'node:path';
import { Command } from 'commander';
import { explore as exploreSeeds, type Explored } from '../../sim/scenario/explore/explore.ts';
import { scenarioText } from '../../sim/scenario/explore/write-scenario.ts';
import { parseCount, parseWhole } from '../arguments/values.ts';
import { EXIT } from '../exit-codes.ts';
import { onInterrupt } from '../interrupt.ts';
import { makeOutputFolder } from '../scenarios/output-folder.ts';
import { writeResult } from '../scenarios/write-result.ts';
import { processOutput } from '../process-output.ts';
import type { CommandModule } from './command-module.ts';

interface ExploreCommandOptions {
  readonly seeds: number;
  readonly first: number;
  readonly most: number;
  readonly save: string;
  readonly json?: boolean;
}

export const explore: CommandModule = {
  declare(exit) {
    return new Command('explore')
      .summary('look for a story of a call that goes wrong')
      .description(
        'Draw stories of one call from seeds: people who act, and things that break. Play each in virtual time, mend everything, and look whether what must always be so is so. A story that breaks it is made as short as it goes and written as a scenario, to be looked at with its trace: what must be so is checked by this command, not by the file.',
      )
      .option('--seeds <count>', 'how many stories', parseCount, 1_000)
      .option('--first <seed>', 'the first seed', parseWhole, 1)
      .option('--most <count>', 'stop after so many that go wrong', parseCount, 5)
      .option('--save <folder>', 'where found scenarios are written', '.ringback/found')
      .option('--json', 'one JSON object at the end')
      .addHelpText('after', HELP)
      .action(async (options: ExploreCommandOptions) => exit(await run(options)));
  },
};

async function run({ seeds, first, most, save, json }: ExploreCommandOptions): Promise<number> {
  const { out, err } = processOutput;
  makeOutputFolder(save);
  const began = performance.now();
  let interrupted = false;
  const undo = onInterrupt((count) => {
    interrupted = true;
    if (count > 1) process.exit(EXIT.interrupted);
  });
  const explored = await exploreSeeds({
    firstSeed: first,
    seeds,
    most,
    interrupted: () => interrupted,
    played: (done) => {
      if (err.isTTY && done % 20 === 0) err.write(`\r\u001B[2K${done} of ${seeds}`);
    },
  });
  undo();
  if (err.isTTY) err.write('\r\u001B[2K');
  const files = keep(explored, save);
  if (json) out.write(`${JSON.stringify(asObject(explored, files))}\n`);
  else out.write(asText(explored, files, performance.now() - began));
  if (interrupted) return EXIT.interrupted;
  return explored.found.length > 0 ? EXIT.failed : EXIT.ok;
}

function keep({ found }: Explored, folder: string): string[] {
  return found.map(({ seed, scenario, violation }) => {
    const file = join(folder, `${violation.id}-${seed}.yaml`);
    writeResult(file, scenarioText(scenario, violation));
    return file;
  });
}

function asText({ seeds, events, moves, found }: Explored, files: readonly string[], ms: number): string {
  const lines = found.flatMap(({ seed, violation, scenario, drawnSteps }, at) => [
    `${violation.id} is broken by seed ${seed}, ${drawnSteps} steps made ${scenario.steps.length}: ${violation.message}`,
    `    ringback explore --first ${seed} --seeds 1         looks for it again`,
    `    ringback run ${files[at] ?? ''} --trace on   plays it, for ringback trace`,
  ]);
  const counts = `${seeds} seeds, ${events} events, ${moves.length} kinds of moves, ${(ms / 1_000).toFixed(1)} s`;
  return `${[...lines, `${counts} | ${found.length} broken`].join('\n')}\n`;
}

const asObject = ({ found, ...explored }: Explored, files: readonly string[]) => ({
  version: 1,
  ...explored,
  found: found.map(({ seed, violation, scenario, drawnSteps }, at) => ({
    seed,
    ...violation,
    drawnSteps,
    steps: scenario.steps.length,
    file: files[at],
  })),
});

const HELP = `
Exit codes:
  0 nothing goes wrong   1 something does   2 wrong words   4 the folder cannot be written to   130 Ctrl-C

Examples:
  ringback explore                            a thousand stories
  ringback explore --seeds 50000 --first 1001
`;
