/** `ringback trace`: a trace as a picture, or as a file for another program. */
import { Command, Option } from 'commander';
import { harOf } from '../../sim/scenario/export/har.ts';
import { pcapngOf } from '../../sim/scenario/export/pcapng.ts';
import { ladderOf } from '../../sim/scenario/picture/ladder-rows.ts';
import { ladderText } from '../../sim/scenario/picture/ladder-text.ts';
import { mermaidOf } from '../../sim/scenario/picture/mermaid.ts';
import { svgOf } from '../../sim/scenario/picture/svg.ts';
import { timelineOf } from '../../sim/scenario/picture/timeline.ts';
import { timersText } from '../../sim/scenario/picture/timers-text.ts';
import type { KeptTrace } from '../../sim/scenario/trace/read-trace.ts';
import { timerRunsOf } from '../../sim/scenario/trace/timer-runs.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { processOutput } from '../process-output.ts';
import { openTrace } from '../scenarios/open-trace.ts';
import { writeResult } from '../scenarios/write-result.ts';
import { readVersion } from '../version.ts';
import type { CommandModule } from './command-module.ts';

interface TraceOptions {
  readonly format: Format;
  readonly whole?: boolean;
  readonly timers?: boolean;
  readonly output?: string;
}

interface Drawing {
  readonly file: string;
  readonly whole: boolean;
  readonly timers: boolean;
}

const FORMATS = {
  ladder: ({ events, run }, { whole, timers }) =>
    `${ladderText(ladderOf(events, { whole }))}${timers ? `\n${timersText(timerRunsOf(events, { lengths: run?.timers }))}` : ''}`,
  mermaid: ({ events }, { whole }) => mermaidOf(ladderOf(events, { whole })),
  svg: ({ events, run }, { file, whole }) => svgOf(ladderOf(events, { whole }), { title: run?.scenario ?? file }),
  timeline: ({ events, run }, { file }) => timelineOf(events, { title: run?.scenario ?? file, lengths: run?.timers }),
  har: ({ events }) => `${JSON.stringify(harOf(events, { version: readVersion() }), null, 2)}\n`,
  pcapng: ({ events }) => pcapngOf(events),
} as const satisfies Readonly<Record<string, (trace: KeptTrace, drawing: Drawing) => string | Buffer>>;
type Format = keyof typeof FORMATS;

export const trace: CommandModule = {
  declare() {
    return new Command('trace')
      .summary('draw the trace of a run')
      .description('Draw the trace of a run as a ladder: who sent what to whom, and which state it led to.')
      .argument('<file>', 'a trace that ringback run has kept')
      .addOption(
        new Option('-f, --format <format>', 'what to make of it').choices(Object.keys(FORMATS)).default('ladder'),
      )
      .option('-o, --output <file>', 'where to write it, in place of standard output')
      .option('--whole', 'a ladder with every message, also candidates and acknowledgements')
      .option('--timers', 'below a ladder in the terminal, the timers of the calls as bars')
      .addHelpText('after', HELP)
      .action((file: string, { format, whole = false, timers = false, output }: TraceOptions) => {
        const made = FORMATS[format](openTrace(file), { file, whole, timers });
        if (output !== undefined) writeResult(output, made);
        else if (typeof made === 'string') processOutput.out.write(made);
        else throw new CommandError(`A ${format} is no text: name a file for it with --output.`, EXIT.usage);
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
  0 it is drawn   2 wrong words, or no trace   4 the file cannot be written

Examples:
  ringback run mine.yaml --trace on && ringback trace .ringback/mine-1.ndjson
  ringback trace .ringback/mine-1.ndjson -f svg > mine.svg
  ringback trace .ringback/mine-1.ndjson -f pcapng -o mine.pcapng && wireshark mine.pcapng
`;
