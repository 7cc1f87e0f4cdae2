/** `ringback explore`: draws stories from seeds, plays them, and saves those that break an invariant as scenarios. */
import { Command, Option } from 'commander';
import type { ExploreOptions } from '../actions/explore.ts';
import { parseCount, parseNodes, parseWhole } from '../arguments/values.ts';
import type { CommandModule } from './command-module.ts';

export const explore: CommandModule = {
  declare(exit) {
    return new Command('explore')
      .summary('search for faults, or for a random call or room, that break an invariant')
      .description(
        'Make a random story of one call, or of one room, from each seed: the actions of its users, and faults. Play the story in virtual time, end all faults, and check the invariants. Shorten a story that breaks an invariant, and save it as a scenario. A saved story fails in `ringback run` for the same reason. With files, keep the steps of each scenario, and draw only faults: a broken `never` counts, an `expect` that the faults prevent does not.',
      )
      .argument('[files...]', 'scenarios whose steps are kept')
      .addOption(
        new Option('--model <kind>', 'stories of a call between two users, or of a room with two to four users')
          .choices(['direct', 'room'])
          .default('direct'),
      )
      .option('--nodes <count>', 'the nodes of the exchange, 1 to 9. With several, nodes fail too', parseNodes, 1)
      .option('--seeds <count>', 'the number of stories', parseCount, 1_000)
      .option('--first <seed>', 'the first seed', parseWhole, 1)
      .option('--most <count>', 'stop after this many stories that break an invariant', parseCount, 5)
      .option('--save <folder>', 'the folder for the saved scenarios', '.ringback/found')
      .option('--json', 'print one JSON object at the end')
      .addHelpText('after', HELP)
      .action(async (files: string[], options: ExploreOptions, command: Command) => {
        const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
        const kind = ['model', 'nodes'].find(isGiven);
        if (files.length > 0 && kind !== undefined)
          command.error(`error: a file has its own story: leave --${kind} out`);
        const action = await import('../actions/explore.ts');
        exit(await (files.length > 0 ? action.exploreFiles(files, options) : action.explore(options)));
      });
  },
};

const HELP = `
Exit codes:
  0 no story broke an invariant   1 a story broke one   2 wrong usage   3 a file is not valid
  4 the folder cannot be written to   5 every file excludes virtual time   130 Ctrl-C

Examples:
  ringback explore                            a thousand stories
  ringback explore --seeds 50000 --first 1001
  ringback explore mine.yaml                  a thousand times the faults that break mine.yaml, each time others
  ringback explore --model room               a thousand stories of rooms
  ringback explore --nodes 3                  a thousand stories of a cluster whose nodes fail
  ringback explore --nodes 3 --model room     the same with rooms
`;
