/** `ringback scenarios`: lists scenarios with their descriptions, prints one, checks files. */
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
      .summary('list the scenarios, one a line')
      .description('List the scenarios, one a line.')
      .argument('[files...]', 'scenario files, folders or patterns; by default the scenarios of the package')
      .action(async (files: string[]) => (await load()).list(files));
    command
      .command('print')
      .summary('print one scenario')
      .description('Print one scenario.')
      .argument('<name>', 'the name, like direct/happy-video, or the file')
      .addOption(
        new Option('-f, --format <format>', 'the source, or YAML with its fragments inserted')
          .choices(['written', 'yaml'])
          .default('written'),
      )
      .action(async (name: string, { format }: { readonly format: string }) => (await load()).print(name, format));
    command
      .command('check')
      .summary('check scenario files and print their faults')
      .description('Check scenario files and print their faults.')
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
