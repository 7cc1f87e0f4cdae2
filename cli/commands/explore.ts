/** `ringback explore`: draws stories by the thousand, plays them, and writes those that break an invariant as scenarios. */
import { Command } from 'commander';
import type { ExploreOptions } from '../actions/explore.ts';
import { parseCount, parseWhole } from '../arguments/values.ts';
import type { CommandModule } from './command-module.ts';

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
      .action(async (options: ExploreOptions) => {
        const action = await import('../actions/explore.ts');
        exit(await action.explore(options));
      });
  },
};

const HELP = `
Exit codes:
  0 no story fails   1 a story fails   2 wrong usage   4 the folder cannot be written to   130 Ctrl-C

Examples:
  ringback explore                            a thousand stories
  ringback explore --seeds 50000 --first 1001
`;
