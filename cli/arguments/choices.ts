/** The names that options accept: reporters of a run and formats of a trace. */
import { InvalidArgumentError } from 'commander';

export const REPORTER_NAMES = ['list', 'json', 'junit', 'github', 'html'] as const;
export type ReporterName = (typeof REPORTER_NAMES)[number];

/** Parses `list,html`. The option may be given several times. */
export function parseReporters(words: string, before: readonly ReporterName[] = []): ReporterName[] {
  const names = words.split(',').map((word) => {
    const name = REPORTER_NAMES.find((known) => known === word.trim());
    if (!name)
      throw new InvalidArgumentError(`The reporters are ${REPORTER_NAMES.join(', ')}, with commas between them.`);
    return name;
  });
  return [...new Set([...before, ...names])];
}

/** The formats of `ringback trace --format`. */
export const TRACE_FORMATS = ['ladder', 'mermaid', 'svg', 'timeline', 'har', 'pcapng'] as const;
export type TraceFormat = (typeof TRACE_FORMATS)[number];
