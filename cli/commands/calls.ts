/** `ringback calls`: lists the live calls of an exchange of this machine. */
import { Command } from 'commander';
import type { CommandModule } from './command-module.ts';
import { addViewOptions, type ViewOptions } from './view-options.ts';

export const calls: CommandModule = {
  declare(exit) {
    const command = new Command('calls')
      .summary('list the live calls of an exchange of this machine')
      .description('List the live calls of an exchange of this machine.');
    return addViewOptions(command)
      .addHelpText('after', EXAMPLES)
      .action(async (options: ViewOptions) => exit(await (await import('../actions/calls.ts')).calls(options)));
  },
};

const EXAMPLES = `
Examples:
  ringback calls                        as a table
  ringback calls --json | jq '.calls[]'    for other programs

Only "ringback sim" and "ringback demo" of this machine show their calls.
`;
