/** `ringback record`: stands between clients and their server, keeps what goes by, and writes a scenario of it. */
import { Command } from 'commander';
import type { RecordOptions } from '../actions/record.ts';
import { parsePort, parsePositiveDuration, parseServer, parseWebsocket } from '../arguments/values.ts';
import type { CommandModule } from './command-module.ts';

export const record: CommandModule = {
  declare(exit) {
    return new Command('record')
      .summary('record real clients and their server as a scenario')
      .description(
        'Stand between clients and their server, pass everything on, and keep what goes by, without its secrets. When it is over (Ctrl-C, or --for), write a scenario of what people did and what was to be seen.',
      )
      .requiredOption('--upstream <url>', 'the server that clients are to reach', parseServer)
      .option('--websocket <url>', 'its websocket host, where that is another one', parseWebsocket)
      .option('-o, --output <file>', 'the scenario', 'capture.yaml')
      .option('--trace <file>', 'the trace; beside the scenario where it is not said')
      .option('--port <port>', 'where to listen; 0 takes any free port', parsePort, 0)
      .option('--for <duration>', 'stop after this long, like 30s', parsePositiveDuration)
      .addHelpText('after', HELP)
      .action(async (options: RecordOptions) => {
        const action = await import('../actions/record.ts');
        exit(await action.record(options));
      });
  },
};

const HELP = `
Exit codes:
  0 a scenario was written   1 no client called   2 wrong usage   4 no server, port or file   130 a second Ctrl-C

Examples:
  ringback record --upstream http://127.0.0.1:4870                the exchange of ringback sim
  ringback record --upstream https://calls.example --for 5m -o mine.yaml
`;
