/** The options of the commands that list something of an exchange. */
import { type Command, Option } from 'commander';
import { parseRows, parseServer } from '../arguments/values.ts';
import { DEFAULT_SERVER } from '../defaults.ts';

export interface ViewOptions {
  readonly server: string;
  readonly limit: number;
  readonly json?: boolean;
}

export const addViewOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--server <url>', 'the exchange')
        .env('RINGBACK_SERVER')
        .default(DEFAULT_SERVER)
        .argParser(parseServer),
    )
    .option('--limit <count>', 'the most rows, up to 1000', parseRows, 100)
    .option('--json', 'print one JSON object');
