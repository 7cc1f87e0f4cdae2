/** `ringback merge-reports`: makes one report of the reports of several runs. */
import { Command, Option } from 'commander';
import type { MergeOptions } from '../actions/merge-reports.ts';
import { parseReporters, REPORTER_NAMES } from '../arguments/choices.ts';
import type { CommandModule } from './command-module.ts';

export const mergeReports: CommandModule = {
  declare(exit) {
    return new Command('merge-reports')
      .summary('make one report of the reports of several runs')
      .description(
        'Read the JSON reports of several runs, for example of the shards of one run, and report them as one.',
      )
      .argument('<folders...>', 'folders with a results.json, or files in its format')
      .addOption(
        new Option(
          '--reporter <names>',
          `the reporters: ${REPORTER_NAMES.join(', ')}; several with commas (default: "list")`,
        ).argParser(parseReporters),
      )
      .option('--out <folder>', 'the folder for the reports', '.ringback')
      .addHelpText('after', HELP)
      .action(async (folders: string[], options: MergeOptions) => {
        const action = await import('../actions/merge-reports.ts');
        exit(action.mergeReports(folders, options));
      });
  },
};

const HELP = `
A run writes results.json when json is one of several reporters. An HTML report has the messages of the traces
that are kept beside results.json.

Exit codes:
  the same as of "ringback run", for all the cases together; 2 also for a report that cannot be read or merged

Examples:
  ringback run --shard 1/2 --reporter list,json --out shard-1
  ringback run --shard 2/2 --reporter list,json --out shard-2
  ringback merge-reports shard-1 shard-2 --reporter html,junit
`;
