/** `ringback trace`: a trace as a picture, or as a file for another program. */
import { Command, Option } from 'commander';
import type { TraceOptions } from '../actions/trace.ts';
import { TRACE_FORMATS } from '../arguments/trace-formats.ts';
import type { CommandModule } from './command-module.ts';

export const trace: CommandModule = {
  declare() {
    return new Command('trace')
      .summary('draw the trace of a run')
      .description('Draw the trace of a run as a ladder: who sent what to whom, and which state it led to.')
      .argument('<file>', 'a trace that ringback run has kept')
      .addOption(new Option('-f, --format <format>', 'what to make of it').choices(TRACE_FORMATS).default('ladder'))
      .option('-o, --output <file>', 'where to write it, in place of standard output')
      .option('--whole', 'a ladder with every message, also candidates and acknowledgements')
      .option('--timers', 'below a ladder in the terminal, the timers of the calls as bars')
      .addHelpText('after', HELP)
      .action(async (file: string, options: TraceOptions) => {
        const action = await import('../actions/trace.ts');
        action.trace(file, options);
      });
  },
};

const HELP = `
Formats:
  ladder    lines for the terminal
  mermaid   a sequence diagram for documents
  svg       a picture
  timeline  a picture of states, timers and faults over time
  har       an HTTP archive, for the network panel of a browser's tools: requests, and channels with their messages
  pcapng    a capture, for Wireshark: HTTP and WebSocket, each device on an interface of its name

Exit codes:
  0 the picture is drawn   2 wrong usage, or no trace   4 the file cannot be written

Examples:
  ringback run mine.yaml --trace on && ringback trace .ringback/mine-1.ndjson
  ringback trace .ringback/mine-1.ndjson -f svg > mine.svg
  ringback trace .ringback/mine-1.ndjson -f pcapng -o mine.pcapng && wireshark mine.pcapng
`;
