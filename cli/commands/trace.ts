/** `ringback trace`: draws a trace, or converts it to a file for another program. */
import { Command, Option } from 'commander';
import type { TraceOptions } from '../actions/trace.ts';
import { TRACE_FORMATS } from '../arguments/choices.ts';
import type { CommandModule } from './command-module.ts';

export const trace: CommandModule = {
  declare() {
    return new Command('trace')
      .summary('draw the trace of a run')
      .description(
        'Draw the trace of a run as a ladder: each message with its sender and receiver, and the state that followed.',
      )
      .argument('<file>', 'a trace kept by ringback run; - reads standard input')
      .addOption(
        new Option('-f, --format <format>', 'the format of the output').choices(TRACE_FORMATS).default('ladder'),
      )
      .option('-o, --output <file>', 'the file to write, instead of standard output')
      .addOption(
        new Option('--open', 'write a page with a slider over time, and open it in the browser').conflicts('format'),
      )
      .option('--whole', 'draw every message, also candidates and acknowledgements')
      .option('--timers', 'draw the timers of the calls as bars below a ladder in the terminal')
      .addHelpText('after', HELP)
      .action(async (file: string, options: TraceOptions) => {
        const action = await import('../actions/trace.ts');
        await (options.open ? action.openPage(file, options.output) : action.trace(file, options));
      });
  },
};

const HELP = `
Formats:
  ladder    lines for the terminal
  mermaid   a sequence diagram for documents
  svg       a picture
  timeline  a picture of states, timers and faults over time
  har       an HTTP archive, for the network panel of a browser: requests, and channels with their messages
  pcapng    a capture, for Wireshark: HTTP and WebSocket, with one interface for each device

Exit codes:
  0 the picture is drawn   2 wrong usage, or no trace   4 the file cannot be written

Examples:
  ringback run mine.yaml --trace on                        prints the command that draws its trace
  ringback trace .ringback/first_cancel-1.ndjson           the trace of the scenario first/cancel with the seed 1
  ringback trace .ringback/first_cancel-1.ndjson --open    the states and messages of any moment, in the browser
  ringback trace .ringback/first_cancel-1.ndjson -f svg > mine.svg
  ringback trace .ringback/first_cancel-1.ndjson -f pcapng -o mine.pcapng && wireshark mine.pcapng
`;
