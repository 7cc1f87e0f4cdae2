/** The scenarios a command line names: files and patterns, or those that come with the package. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { glob } from 'tinyglobby';
import type { FileFault } from '../../sim/scenario/format/source.ts';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { packageRoot } from '../package-root.ts';
import { readScenarioFile, type ScenarioFile } from './read-scenario-file.ts';

/** The scenarios that come with the package. */
const EMBEDDED = 'fixtures/scenarios';

export interface FoundScenarios {
  readonly scenarios: readonly Scenario[];
  /** What is wrong with the files that are none. */
  readonly faults: readonly FileFault[];
  /** Every file that was read, fragments among them. */
  readonly files: readonly ScenarioFile[];
}

/**
 * Reads every scenario the patterns name, in the order of their names.
 *
 * @param patterns - files, folders and glob patterns; none for the embedded ones.
 * @throws CommandError (usage) where a pattern names no file.
 */
export async function findScenarios(patterns: readonly string[]): Promise<FoundScenarios> {
  const files = patterns.length === 0 ? await below(join(packageRoot(), EMBEDDED)) : await named(patterns);
  const read: ScenarioFile[] = [];
  // One after another: those in TypeScript share a compiler.
  for (const file of files) read.push(await readScenarioFile(file));
  const scenarios = read.flatMap(({ scenario }) => scenario ?? []);
  const faults = read.flatMap((file) => file.faults);
  const twice = scenarios.find(
    ({ scenario }, at) => scenarios.findIndex((other) => other.scenario === scenario) !== at,
  );
  if (twice)
    faults.push({ file: twice.file, line: 1, column: 1, message: `there is another scenario ${twice.scenario}` });
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
      const path = resolve(pattern);
      const kind = statSync(path, { throwIfNoEntry: false });
      const files = kind?.isDirectory()
        ? await below(path)
        : kind
          ? [path]
          : await glob(pattern, { absolute: true, ignore: NOT_OURS });
      if (files.length === 0)
        throw new CommandError(
          `No scenario file is at ${pattern}; by its name a scenario is run with ringback run --grep.`,
          EXIT.usage,
        );
      return files;
    }),
  );
  return [...new Set(found.flat())].toSorted();
}
