/** `ringback trace`: a trace as a picture. */
import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { ladderOf } from '../../sim/scenario/picture/ladder-rows.ts';
import { ladderText } from '../../sim/scenario/picture/ladder-text.ts';
import { mermaidOf } from '../../sim/scenario/picture/mermaid.ts';
import { svgOf } from '../../sim/scenario/picture/svg.ts';
import type { TraceEvent } from '../../sim/scenario/trace/trace.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { processOutput } from '../process-output.ts';
import type { CommandModule } from './command-module.ts';

interface TraceOptions {
  readonly format: 'ladder' | 'mermaid' | 'svg';
  readonly whole?: boolean;
}

export const trace: CommandModule = {
  declare() {
    return new Command('trace')
      .summary('draw the trace of a run')
      .description('Draw the trace of a run as a ladder: who sent what to whom, and which state it led to.')
      .argument('<file>', 'a trace that ringback run has kept')
      .addOption(
        new Option('-f, --format <format>', 'what to draw').choices(['ladder', 'mermaid', 'svg']).default('ladder'),
      )
      .option('--whole', 'with every message, also candidates and acknowledgements')
      .addHelpText('after', EXAMPLES)
      .action((file: string, { format, whole = false }: TraceOptions) => {
        const ladder = ladderOf(readTrace(file), { whole });
        const drawn =
          format === 'svg' ? svgOf(ladder, file) : format === 'mermaid' ? mermaidOf(ladder) : ladderText(ladder);
        processOutput.out.write(drawn);
      });
  },
};

function readTrace(file: string): TraceEvent[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new CommandError(`No trace can be read at ${file}.`, EXIT.usage);
  }
  if (text.trim() === '') throw new CommandError(`The trace at ${file} is empty.`, EXIT.usage);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, at) => {
      try {
        const event: unknown = JSON.parse(line);
        if (typeof event === 'object' && event !== null && 'kind' in event && 'at' in event) return event as TraceEvent;
      } catch {
        // Told below, with the line.
      }
      throw new CommandError(`${file}:${at + 1}: this is no line of a trace.`, EXIT.usage);
    });
}

const EXAMPLES = `
Examples:
  ringback run mine.yaml --trace on && ringback trace .ringback/mine-1.ndjson
  ringback trace .ringback/mine-1.ndjson -f svg > mine.svg
`;
