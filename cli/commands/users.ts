/** `ringback users`: lists the users that an exchange of this machine knows, with their devices. */
import { Command } from 'commander';
import type { CommandModule } from './command-module.ts';
import { addViewOptions, type ViewOptions } from './view-options.ts';

export const users: CommandModule = {
  declare(exit) {
    const command = new Command('users')
      .summary('list the users of an exchange of this machine')
      .description('List the users that an exchange of this machine knows, with their devices.');
    return addViewOptions(command)
      .addHelpText('after', EXAMPLES)
      .action(async (options: ViewOptions) => exit(await (await import('../actions/users.ts')).users(options)));
  },
};

const EXAMPLES = `
Examples:
  ringback users                        as a table
  ringback users --json | jq '.users[]'    for other programs

Only "ringback sim" and "ringback demo" of this machine show their users.
`;
