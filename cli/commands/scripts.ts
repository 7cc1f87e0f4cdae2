/** `ringback scripts`: lists the server scripts, prints one, checks files. */
import { Command } from 'commander';
import type { CommandModule } from './command-module.ts';

const load = () => import('../actions/scripts.ts');

export const scripts: CommandModule = {
  declare(exit) {
    const command = new Command('scripts')
      .summary('list, print and check server scripts')
      .description('List, print and check server scripts: simulated people, and faulty replies.')
      .addHelpText('after', EXAMPLES);
    command
      .command('list', { isDefault: true })
      .description('list the built-in scripts, with their parameters and defaults')
      .action(async () => (await load()).list());
    command
      .command('print')
      .description('print a script in the form of a file, to read or to start a new script from')
      .argument('<script>', 'like accept, or hangs-up,after=3s+late,cmd=dial')
      .action(async (words: string) => (await load()).print(words));
    command
      .command('check')
      .description('check script files and print their faults')
      .argument('<files...>', 'script files, folders or patterns')
      .action(async (files: string[]) => exit(await (await load()).check(files)));
    return command;
  },
};

const EXAMPLES = `
Examples:
  ringback scripts                                 the built-in scripts
  ringback scripts print lose-media > mine.yaml    one to begin your own with
  ringback scripts check mine.yaml                 what is wrong with it, by line and column
  ringback dial bob --script decline               choose one, with an exchange on this machine
`;
