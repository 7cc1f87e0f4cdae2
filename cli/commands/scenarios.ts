/** `ringback scenarios`: lists scenarios with what they show, prints one, checks files. */
import { Command, Option } from 'commander';
import type { CommandModule } from './command-module.ts';

const load = () => import('../actions/scenarios.ts');

export const scenarios: CommandModule = {
  declare(exit) {
    const command = new Command('scenarios')
      .summary('list, print and check scenarios')
      .description('List, print and check scenarios.');
    command
      .command('list', { isDefault: true })
      .description('the scenarios, a line each')
      .argument('[files...]', 'scenario files, folders or patterns; without them those that come with ringback')
      .action(async (files: string[]) => (await load()).list(files));
    command
      .command('print')
      .description('one scenario, as it is written')
      .argument('<name>', 'its name, like direct/happy-video, or its file')
      .addOption(
        new Option('-f, --format <format>', 'as it is written, or as YAML with its fragments in place')
          .choices(['written', 'yaml'])
          .default('written'),
      )
      .action(async (name: string, { format }: { readonly format: string }) => (await load()).print(name, format));
    command
      .command('check')
      .description('say what is wrong with scenario files')
      .argument('<files...>', 'scenario files, folders or patterns')
      .action(async (files: string[]) => exit(await (await load()).check(files)));
    command.addHelpText('after', HELP);
    return command;
  },
};

const HELP = `
Exit codes:
  0 found and valid   2 wrong usage, or no such scenario   3 a scenario file is not valid
`;
