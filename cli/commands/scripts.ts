/** `ringback scripts`: lists the server scripts, prints one, checks files. */
import { Command } from 'commander';
import type { CommandModule } from './command-module.ts';

const load = () => import('../actions/scripts.ts');

export const scripts: CommandModule = {
  declare(exit) {
    const command = new Command('scripts')
      .summary('list, print and check server scripts')
      .description('List, print and check server scripts: simulated users, and faulty replies.')
      .addHelpText('after', EXAMPLES);
    command
      .command('list', { isDefault: true })
      .summary('list the built-in scripts, with their parameters and defaults')
      .description('List the built-in scripts, with their parameters and defaults.')
      .action(async () => (await load()).list());
    command
      .command('print')
      .summary('print a script as a file, to read it or to edit a copy')
      .description('Print a script as a file, to read it or to edit a copy.')
      .argument('<script>', 'like accept, or hangs-up,after=3s+late,cmd=dial')
      .action(async (words: string) => (await load()).print(words));
    command
      .command('check')
      .summary('check script files and print their faults')
      .description('Check script files and print their faults.')
      .argument('<files...>', 'script files, folders or patterns')
      .action(async (files: string[]) => exit(await (await load()).check(files)));
    return command;
  },
};

const EXAMPLES = `
Examples:
  ringback scripts                                 lists the built-in scripts
  ringback scripts print lose-media > mine.yaml    writes a copy, to edit
  ringback scripts check mine.yaml                 prints its errors, with line and column
  ringback dial bob --script decline               calls with a script, on an exchange of this machine
`;
