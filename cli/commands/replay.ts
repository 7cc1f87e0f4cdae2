/** `ringback replay`: runs a case again exactly, until a moment or step by step. */
import { Command } from 'commander';
import type { ReplayOptions } from '../actions/replay.ts';
import { parseWhole } from '../arguments/values.ts';
import type { CommandModule } from './command-module.ts';

export const replay: CommandModule = {
  declare(exit) {
    return new Command('replay')
      .summary('run a case again, until a moment or step by step')
      .description(
        'Run a case again exactly, in virtual time: to its end, until a moment, or step by step. A trace names its case, and the replay reports the first difference from the trace.',
      )
      .argument('<what>', 'a trace kept by ringback run, a scenario file, or the name of a scenario')
      .argument('[case]', 'for a scenario with several cases: the number, from 1, or the name')
      .option('--until <stop>', 'stop at a moment, like 17.5s, or at a state, like alice.pc=closed')
      .option('--step', 'stop at each event')
      .option('--seed <number>', 'the seed, instead of the seed of the scenario or trace', parseWhole)
      .option('--whole', 'show every message, also candidates and acknowledgements')
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
  ringback replay .ringback/first_cancel-1.ndjson                  repeats the run of a trace
  ringback replay .ringback/first_cancel-1.ndjson --until 17.5s    stops 17.5 seconds after the start
  ringback replay mine.yaml --until alice.pc=closed                stops when the connection of alice closes
  ringback replay direct/ring-timeout 2 --step                     the second case, event by event
`;
