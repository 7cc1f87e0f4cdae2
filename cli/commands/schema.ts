/** `ringback schema`: prints the JSON Schema of scenario files. */
import { Command } from 'commander';
import { processOutput } from '../process-output.ts';
import type { CommandModule } from './command-module.ts';

export const schema: CommandModule = {
  declare() {
    return new Command('schema')
      .summary('print the JSON Schema of scenario files')
      .description('Print the JSON Schema of scenario files: editors use it to complete and check these files.')
      .addHelpText('after', EXAMPLES)
      .action(async () => {
        const { scenarioJsonSchema } = await import('../../sim/scenario/format/json-schema.ts');
        processOutput.out.write(`${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`);
      });
  },
};

const EXAMPLES = `
Examples:
  ringback schema > scenario.schema.json

The first line of a scenario file in the same folder, for editors with a YAML language server:
  # yaml-language-server: $schema=scenario.schema.json
`;
