/** `ringback record`: forwards messages between clients and their server, keeps them, and writes a scenario of them. */
import { Command, Option } from 'commander';
import type { RecordOptions } from '../actions/record.ts';
import { parsePort, parsePositiveDuration, parseServer, parseWebsocket } from '../arguments/values.ts';
import type { CommandModule } from './command-module.ts';

export const record: CommandModule = {
  declare(exit) {
    return new Command('record')
      .summary('record real clients and their server as a scenario')
      .description(
        'Forward all messages between clients and their server, and store them without secrets in a trace. At the end (Ctrl-C, or --for), write a scenario with the actions of the users and the states that followed. --from reads what a browser has stored instead.',
      )
      .option('--upstream <url>', 'the server to forward to', parseServer)
      .addOption(
        new Option('--from <archive>', 'an HTTP archive (HAR) of a browser, instead of --upstream').conflicts([
          'upstream',
          'websocket',
          'port',
          'for',
        ]),
      )
      .option('--websocket <url>', 'the websocket host of the server, when it differs', parseWebsocket)
      .option('-o, --output <file>', 'the scenario file to write', 'capture.yaml')
      .option('--trace <file>', 'the trace file to write; by default beside the scenario')
      .option('--port <port>', 'the port to listen at; 0 selects any free port', parsePort, 0)
      .option('--for <duration>', 'stop after this time, like 30s', parsePositiveDuration)
      .addHelpText('after', HELP)
      .action(
        async (options: RecordOptions & { readonly upstream?: string; readonly from?: string }, command: Command) => {
          const { upstream, from } = options;
          if (from === undefined && upstream === undefined)
            command.error("error: required option '--upstream <url>', or --from <archive>, not specified");
          const action = await import('../actions/record.ts');
          exit(await (from === undefined ? action.record(options) : action.recordFrom(from, options)));
        },
      );
  },
};

const HELP = `
Exit codes:
  0 a scenario was written   1 no client made a call   2 wrong usage, or no archive
  4 no server, port or file   130 a second Ctrl-C

Examples:
  ringback record --upstream http://127.0.0.1:4870                records clients of "ringback sim"
  ringback record --upstream https://calls.example --for 5m -o mine.yaml
  ringback record --from app.har                                  the calls in an archive of Chromium's network panel
`;
