/** `ringback trace`: a trace as a picture. */
import { Command, Option } from 'commander';
import { ladderOf } from '../../sim/scenario/picture/ladder-rows.ts';
import { ladderText } from '../../sim/scenario/picture/ladder-text.ts';
import { mermaidOf } from '../../sim/scenario/picture/mermaid.ts';
import { svgOf } from '../../sim/scenario/picture/svg.ts';
import { processOutput } from '../process-output.ts';
import { openTrace } from '../scenarios/open-trace.ts';
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
        const ladder = ladderOf(openTrace(file).events, { whole });
        const drawn =
          format === 'svg' ? svgOf(ladder, file) : format === 'mermaid' ? mermaidOf(ladder) : ladderText(ladder);
        processOutput.out.write(drawn);
      });
  },
};

const EXAMPLES = `
Examples:
  ringback run mine.yaml --trace on && ringback trace .ringback/mine-1.ndjson
  ringback trace .ringback/mine-1.ndjson -f svg > mine.svg
`;
