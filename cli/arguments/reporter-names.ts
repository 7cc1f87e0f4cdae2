/** The names of the reporters of a run, in the form of `--reporter`. */
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
