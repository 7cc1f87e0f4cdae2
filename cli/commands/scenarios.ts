/** `ringback scenarios`: lists scenarios with what they show, prints one, checks files. */
import { readFileSync, statSync } from 'node:fs';
import { Command, Option } from 'commander';
import { scenarioYaml } from '../../sim/scenario/format/write-scenario.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { processOutput } from '../process-output.ts';
import { findScenarios } from '../scenarios/find-scenarios.ts';
import type { CommandModule } from './command-module.ts';

export const scenarios: CommandModule = {
  declare(exit) {
    const command = new Command('scenarios')
      .summary('list, print and check scenarios')
      .description('List, print and check scenarios.');
    command
      .command('list', { isDefault: true })
      .description('the scenarios, a line each')
      .argument('[files...]', 'scenario files, folders or patterns; without them those that come with ringback')
      .action(async (files: string[]) => {
        const found = await checked(files);
        for (const { scenario, cases, about = '' } of found) {
          processOutput.out.write(`${scenario.padEnd(40)} ${String(cases?.length ?? 1).padStart(3)}  ${about}\n`);
        }
      });
    command
      .command('print')
      .description('one scenario, as it is written')
      .argument('<name>', 'its name, like direct/happy-video, or its file')
      .addOption(
        new Option('-f, --format <format>', 'as it is written, or as YAML with its fragments in place')
          .choices(['written', 'yaml'])
          .default('written'),
      )
      .action(async (name: string, { format }: { readonly format: string }) => {
        const isFile = statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
        const found = await checked(isFile ? [name] : []);
        const one = isFile ? found[0] : found.find(({ scenario }) => scenario === name);
        if (!one) throw new CommandError(`There is no scenario ${name}; ringback scenarios lists them.`, EXIT.usage);
        processOutput.out.write(format === 'yaml' ? scenarioYaml(one) : readFileSync(one.file, 'utf8'));
      });
    command
      .command('check')
      .description('say what is wrong with scenario files')
      .argument('<files...>', 'scenario files, folders or patterns')
      .action(async (files: string[]) => {
        const { scenarios: sound, faults, files: read } = await findScenarios(files);
        for (const { file, line, column, message } of faults)
          processOutput.out.write(`${file}:${line}:${column}: ${message}\n`);
        if (faults.length === 0) processOutput.out.write(`${soundText(sound.length, read.length - sound.length)}\n`);
        exit(faults.length === 0 ? EXIT.ok : EXIT.invalid);
      });
    command.addHelpText('after', HELP);
    return command;
  },
};

/** A fragment names people that only its scenarios have. */
function soundText(sound: number, fragments: number): string {
  const text = sound === 1 ? '1 scenario is well-formed' : `${sound} scenarios are well-formed`;
  return fragments === 0 ? text : `${text}; a fragment is checked with the scenarios that use it`;
}

async function checked(files: readonly string[]) {
  const { scenarios: found, faults } = await findScenarios(files);
  const [fault] = faults;
  if (fault) throw new CommandError(`${fault.file}:${fault.line}:${fault.column}: ${fault.message}`, EXIT.invalid);
  return found;
}

const HELP = `
Exit codes:
  0 what was asked for is there, and well-formed   2 wrong words, or no such scenario   3 a scenario file is not valid
`;
