/** `ringback scripts`: lists the server scripts, prints one, checks files. */
import { Command } from 'commander';
import type { CommandModule } from './command-module.ts';

const load = () => import('../actions/scripts.ts');

export const scripts: CommandModule = {
  declare(exit) {
    const command = new Command('scripts')
      .summary('list, print and check what the exchange can play to a client')
      .description('List, print and check server scripts: simulated people, and replies that go wrong.')
      .addHelpText('after', EXAMPLES);
    command
      .command('list', { isDefault: true })
      .description('the built-in scripts, with their parameters and what holds where they are not given')
      .action(async () => (await load()).list());
    command
      .command('print')
      .description('a script as a file would have it: to look at, or to begin one of your own with')
      .argument('<script>', 'like accept, or hangs-up,after=3s+late,cmd=dial')
      .action(async (words: string) => (await load()).print(words));
    command
      .command('check')
      .description('say what is wrong with script files')
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
