/** The action of `ringback trace`: draws a trace, or converts it to another file format. */
import { dirname, resolve } from 'node:path';
import { harOf } from '../../sim/scenario/export/har.ts';
import { pcapngOf } from '../../sim/scenario/export/pcapng.ts';
import { ladderOf } from '../../src/trace/picture/ladder.ts';
import { ladderText, mermaidOf, timersText } from '../../src/trace/picture/ladder-text.ts';
import { svgOf } from '../../src/trace/picture/ladder-svg.ts';
import { timelineOf } from '../../src/trace/picture/timeline-svg.ts';
import type { KeptTrace } from '../../src/trace/read-trace.ts';
import { timerRunsOf } from '../../src/trace/timer-runs.ts';
import { CommandError } from '../command-error.ts';
import type { TraceFormat } from '../arguments/choices.ts';
import { EXIT } from '../exit-codes.ts';
import { processOutput } from '../process-output.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { tracePage } from '../reporters/trace-page.ts';
import { createPaint } from '../reporters/paint.ts';
import { printable } from '../reporters/printable.ts';
import { openTrace } from '../scenarios/open-trace.ts';
import { makeOutputFolder, writeResult } from '../scenarios/output-files.ts';
import { readVersion } from '../version.ts';
import { MACHINES } from '../../sim/scenario/trace/machines.ts';

export interface TraceOptions {
  readonly format: TraceFormat;
  readonly whole?: boolean;
  readonly timers?: boolean;
  readonly output?: string;
  /** True to write a page with a slider over time, and to open it in the browser. */
  readonly open?: boolean;
}

interface Drawing {
  readonly file: string;
  readonly whole: boolean;
  readonly timers: boolean;
}

const FORMATS = {
  ladder: ({ events, run }, { whole, timers }) =>
    `${ladderText(ladderOf(events, MACHINES, { whole }))}${timers ? `\n${timersText(timerRunsOf(events, MACHINES, { lengths: run?.timers }))}` : ''}`,
  mermaid: ({ events }, { whole }) => mermaidOf(ladderOf(events, MACHINES, { whole })),
  svg: ({ events, run }, { file, whole }) =>
    svgOf(ladderOf(events, MACHINES, { whole }), { title: run?.scenario ?? file }),
  timeline: ({ events, run }, { file }) =>
    timelineOf(events, MACHINES, { title: run?.scenario ?? file, lengths: run?.timers }),
  har: ({ events }) => `${JSON.stringify(harOf(events, { version: readVersion() }), null, 2)}\n`,
  pcapng: ({ events }) => pcapngOf(events),
} as const satisfies Readonly<Record<TraceFormat, (trace: KeptTrace, drawing: Drawing) => string | Buffer>>;

/** Writes the drawing to a file or to standard output. @throws CommandError (usage) for binary data without a file. */
export function trace(file: string, { format, whole = false, timers = false, output }: TraceOptions): void {
  const made = FORMATS[format](openTrace(file), { file, whole, timers });
  if (output !== undefined) writeInFolder(output, made);
  // Other formats are for programs, which read the characters as they are.
  else if (typeof made === 'string') processOutput.out.write(isText(format) ? painted(made) : made);
  else throw new CommandError(`${format} is a binary format: name a file with --output.`, EXIT.usage);
}

/** Writes the page of a trace beside it, or to the named file, and opens it. */
export async function openPage(file: string, output: string | undefined): Promise<void> {
  const page = output ?? `${file === '-' ? 'trace' : file.replace(/\.ndjson$/, '')}.html`;
  writeInFolder(page, tracePage(openTrace(file), file));
  processOutput.out.write(`${page}\n`);
  if (!(await openInBrowser(resolve(page))))
    processOutput.err.write('No browser can be started: open this file in one, or set BROWSER.\n');
}

/** Writes a file, and creates its folder if it is missing. */
function writeInFolder(file: string, made: string | Buffer): void {
  makeOutputFolder(dirname(file));
  writeResult(file, made);
}

const isText = (format: TraceFormat): boolean => format === 'ladder' || processOutput.out.isTTY === true;

/** Returns a drawing for a terminal: times are dim, and lost messages and faults are red. */
function painted(drawing: string): string {
  const paint = createPaint(processOutput.out.isTTY === true, process.env);
  const line = (text: string) => {
    const [, time = '', rest = ''] = /^(\s*[\d.]+(?=\s)|)(.*)$/s.exec(printable(text)) ?? [];
    return `${paint.dim(time)}${/ == |-X|X-/.test(rest) ? paint.bad(rest) : rest}`;
  };
  return drawing.split('\n').map(line).join('\n');
}
