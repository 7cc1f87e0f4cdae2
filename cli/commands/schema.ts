/** `ringback schema`: prints the JSON Schema of scenario files, or of one file. */
import { Command } from 'commander';
import type { CommandModule } from './command-module.ts';

export const schema: CommandModule = {
  declare() {
    return new Command('schema')
      .summary('print the JSON Schema of scenario files')
      .description(
        'Print the JSON Schema of scenario files: editors use it to complete and check these files. With a file, the schema has the actors of that file, so that editors complete their actions and paths.',
      )
      .argument('[file]', 'a scenario file in YAML, which may be incomplete')
      .addHelpText('after', HELP)
      .action(async (file: string | undefined) => {
        const { printSchema } = await import('../actions/schema.ts');
        printSchema(file);
      });
  },
};

const HELP = `
Exit codes:
  0 printed   2 no such file, or no actors in it   3 the file is no YAML

Examples:
  ringback schema > scenario.schema.json             the schema of any scenario
  ringback schema mine.yaml > mine.schema.json       with the actors of mine.yaml; again after a change of the actors

The first line of a scenario file in the same folder, for editors with a YAML language server:
  # yaml-language-server: $schema=mine.schema.json
`;
