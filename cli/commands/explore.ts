/** `ringback explore`: draws stories from seeds, plays them, and saves those that break an invariant as scenarios. */
import { Command } from 'commander';
import type { ExploreOptions } from '../actions/explore.ts';
import { parseCount, parseWhole } from '../arguments/values.ts';
import type { CommandModule } from './command-module.ts';

export const explore: CommandModule = {
  declare(exit) {
    return new Command('explore')
      .summary('search for a story of a call that breaks an invariant')
      .description(
        'Draw stories of one call from seeds: people who act, and faults. Play each story in virtual time, end all faults, and check the invariants. A story that breaks an invariant is shortened and saved as a scenario, to inspect with its trace. This command checks the invariants; the saved file does not.',
      )
      .option('--seeds <count>', 'the number of stories', parseCount, 1_000)
      .option('--first <seed>', 'the first seed', parseWhole, 1)
      .option('--most <count>', 'stop after this many stories that break an invariant', parseCount, 5)
      .option('--save <folder>', 'the folder for the scenarios that are found', '.ringback/found')
      .option('--json', 'print one JSON object at the end')
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
