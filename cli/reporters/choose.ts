/** Selects the reporter that suits the output. */
import { createJsonReporter } from './json.ts';
import { createLinesReporter } from './lines.ts';
import { createLiveReporter } from './live.ts';
import { createPaint } from './paint.ts';
import type { Output, Reporter } from './reporter.ts';

export function chooseReporter(
  output: Output,
  json: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): Reporter {
  if (json) return createJsonReporter(output);
  if (!output.out.isTTY || environment['TERM'] === 'dumb') return createLinesReporter(output);
  return createLiveReporter(output, createPaint(true, environment));
}
