/** `ringback scripts`: lists the server scripts, prints one, checks files. */
import { Command } from 'commander';
import { stringify } from 'yaml';
import { BUILT_INS, type BuiltIn } from '../../sim/scripts/built-in.ts';
import { UnknownScript, writeScript } from '../../sim/scripts/choose-script.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { processOutput } from '../process-output.ts';
import { findScripts } from '../scripts/find-scripts.ts';
import type { CommandModule } from './command-module.ts';

export const scripts: CommandModule = {
  declare(exit) {
    const command = new Command('scripts')
      .summary('list, print and check what the exchange can play to a client')
      .description('List, print and check server scripts: simulated people, and replies that go wrong.')
      .addHelpText('after', EXAMPLES);
    command
      .command('list', { isDefault: true })
      .description('the built-in scripts, with their parameters and what holds where they are not given')
      .action(() => {
        const rows = BUILT_INS.map((one) => ({ call: callOf(one), about: one.about }));
        const width = Math.max(...rows.map(({ call }) => call.length));
        for (const { call, about } of rows) processOutput.out.write(`${call.padEnd(width)}  ${about}\n`);
      });
    command
      .command('print')
      .description('a script as a file would have it: to look at, or to begin one of your own with')
      .argument('<script>', 'like accept, or hangs-up,after=3s+late,cmd=dial')
      .action((words: string) => {
        try {
          processOutput.out.write(stringify(writeScript(words), { lineWidth: 120 }));
        } catch (error) {
          if (!(error instanceof UnknownScript)) throw error;
          throw new CommandError(error.message, EXIT.usage, { cause: error });
        }
      });
    command
      .command('check')
      .description('say what is wrong with script files')
      .argument('<files...>', 'script files, folders or patterns')
      .action(async (files: string[]) => {
        const { scripts: sound, faults } = await findScripts(files);
        for (const { file, line, column, message } of faults)
          processOutput.out.write(`${file}:${line}:${column}: ${message}\n`);
        if (faults.length === 0) {
          const names = sound.map(({ script }) => script).join(', ');
          processOutput.out.write(
            `${sound.length} ${sound.length === 1 ? 'script is' : 'scripts are'} well-formed: ${names}\n`,
          );
        }
        exit(faults.length === 0 ? EXIT.ok : EXIT.invalid);
      });
    return command;
  },
};

/** How a script is chosen: `accept,after=2s,who=anybody`; what must be given is `cmd=…`. */
function callOf({ name, parameters }: BuiltIn): string {
  const parts = Object.entries(parameters).map(([key, parameter]) =>
    parameter.default === null ? `[,${key}=…]` : `,${key}=${parameter.default ?? '…'}`,
  );
  return `${name}${parts.join('')}`;
}

const EXAMPLES = `
Examples:
  ringback scripts                                 the built-in scripts
  ringback scripts print lose-media > mine.yaml    one to begin your own with
  ringback scripts check mine.yaml                 what is wrong with it, by line and column
  ringback dial bob --script decline               choose one, with an exchange on this machine
`;
