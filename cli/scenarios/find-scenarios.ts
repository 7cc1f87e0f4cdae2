/** Finds the scenarios that a command line names: files and patterns, or those of the package. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { glob } from 'tinyglobby';
import type { FileFault } from '../../sim/format/source.ts';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { packageRoot } from '../package-root.ts';
import { readScenarioFile } from './read-scenario-file.ts';
import type { ScenarioFile } from './scenario-file.ts';

/** Returns the patterns of the scenarios of the package. */
const EMBEDDED = 'fixtures/scenarios';

export interface FoundScenarios {
  readonly scenarios: readonly Scenario[];
  /** The faults of the files that are not valid. */
  readonly faults: readonly FileFault[];
  /** Every file that was read, with the fragments. */
  readonly files: readonly ScenarioFile[];
}

/**
 * Reads all scenarios that the patterns name, sorted by name.
 *
 * @param patterns - files, folders and glob patterns. Empty for the scenarios of the package.
 * @throws CommandError (usage) when a pattern matches no file.
 */
export async function findScenarios(patterns: readonly string[]): Promise<FoundScenarios> {
  const files = patterns.length === 0 ? await below(join(packageRoot(), EMBEDDED)) : await named(patterns);
  const read = await Promise.all(files.map((file) => readScenarioFile(file)));
  const scenarios = read.flatMap(({ scenario }) => scenario ?? []);
  const faults = read.flatMap((file) => file.faults);
  for (const { scenario, file } of scenarios) {
    const first = scenarios.find((other) => other.scenario === scenario);
    if (first && first.file !== file)
      faults.push({
        file,
        line: 1,
        column: 1,
        message: `${first.file} has a scenario with the same name, ${scenario}`,
      });
  }
  return { scenarios, faults, files: read };
}

const PATTERN = ['**/*.{yaml,yml}', '**/*.scenario.{ts,mts,js,mjs}'];
const NOT_OURS = '**/node_modules/**';

async function below(folder: string): Promise<string[]> {
  return (await glob(PATTERN, { cwd: folder, absolute: true, ignore: NOT_OURS })).toSorted();
}

async function named(patterns: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    patterns.map(async (pattern) => {
      if (pattern === '') throw new CommandError('The name of a file is empty.', EXIT.usage);
      const path = resolve(pattern);
      const kind = statSync(path, { throwIfNoEntry: false });
      const files = kind?.isDirectory()
        ? await below(path)
        : kind
          ? [path]
          : await glob(pattern, { absolute: true, ignore: NOT_OURS });
      const [, file] = /^(.+?):\d+(?::\d+)?$/.exec(pattern) ?? [];
      if (files.length === 0 && file !== undefined && statSync(file, { throwIfNoEntry: false }))
        throw new CommandError(
          `${pattern} names a line, and this command takes whole files: name ${file}.`,
          EXIT.usage,
        );
      if (files.length === 0)
        throw new CommandError(
          `No scenario file matches ${pattern}. To run a scenario by its name, use "ringback run --grep".`,
          EXIT.usage,
        );
      return files;
    }),
  );
  return [...new Set(found.flat())].toSorted();
}
