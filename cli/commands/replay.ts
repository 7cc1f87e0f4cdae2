/** `ringback replay`: a case again, as it was, until a moment or step by step. */
import { Command } from 'commander';
import type { ReplayOptions } from '../actions/replay.ts';
import { parseWhole } from '../arguments/values.ts';
import type { CommandModule } from './command-module.ts';

export const replay: CommandModule = {
  declare(exit) {
    return new Command('replay')
      .summary('run a case again, until a moment or step by step')
      .description(
        'Run a case again, in virtual time, where it happens as it did: to its end, until a moment, or step by step. A trace says which case it is of, and where the replay goes another way than it did.',
      )
      .argument('<what>', 'a trace that ringback run has kept, a scenario file, or the name of a scenario')
      .argument('[case]', 'of a scenario with several: its number, from 1, or its name')
      .option('--until <stop>', 'a moment, like 17.5s, or what is to be seen, like alice.pc=closed')
      .option('--step', 'stop at everything that happens')
      .option('--seed <number>', "in place of the scenario's own, or the trace's", parseWhole)
      .option('--whole', 'with every message, also candidates and acknowledgements')
      .addHelpText('after', HELP)
      .action(async (what: string, which: string | undefined, options: ReplayOptions) => {
        const action = await import('../actions/replay.ts');
        exit(await action.replay(what, which, options));
      });
  },
};

const HELP = `
Exit codes:
  0 it passed, or stopped as asked   1 it failed, or did not reach the moment   2 wrong usage
  3 the scenario file is not valid   7 it differs from the trace   130 Ctrl-C

Examples:
  ringback replay .ringback/mine-1.ndjson                          the run of a trace
  ringback replay .ringback/mine-1.ndjson --until 17.5s            what was to be seen then
  ringback replay mine.yaml --until alice.pc=closed                until something is to be seen
  ringback replay direct/ring-timeout 2 --step                     event by event
`;
