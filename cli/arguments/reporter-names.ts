/** The names of the reporters of a run, as `--reporter` takes them. */
import { InvalidArgumentError } from 'commander';

export const REPORTER_NAMES = ['list', 'json', 'junit', 'github', 'html'] as const;
export type ReporterName = (typeof REPORTER_NAMES)[number];

/** `list,html`, once or several times. */
export function parseReporters(words: string, before: readonly ReporterName[] = []): ReporterName[] {
  const names = words.split(',').map((word) => {
    const name = REPORTER_NAMES.find((known) => known === word.trim());
    if (!name) throw new InvalidArgumentError(`Allowed are ${REPORTER_NAMES.join(', ')}, with commas between them.`);
    return name;
  });
  return [...new Set([...before, ...names])];
}
