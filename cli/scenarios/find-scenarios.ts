/** The scenarios a command line names: files and patterns, or those that come with the package. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { glob } from 'tinyglobby';
import { readScenario } from '../../sim/scenario/format/read-scenario.ts';
import { type FileFault, InvalidFile } from '../../sim/scenario/format/source.ts';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { packageRoot } from '../package-root.ts';

/** The scenarios that come with the package. */
const EMBEDDED = 'fixtures/scenarios';

export interface FoundScenarios {
  readonly scenarios: readonly Scenario[];
  /** What is wrong with the files that are none. */
  readonly faults: readonly FileFault[];
}

/**
 * Reads every scenario the patterns name, in the order of their names.
 *
 * @param patterns - files, folders and glob patterns; none for the embedded ones.
 * @throws CommandError (usage) where a pattern names no file.
 */
export async function findScenarios(patterns: readonly string[]): Promise<FoundScenarios> {
  const files = patterns.length === 0 ? await below(join(packageRoot(), EMBEDDED)) : await named(patterns);
  const scenarios: Scenario[] = [];
  const faults: FileFault[] = [];
  for (const file of files) {
    try {
      const text = readFileSync(file, 'utf8');
      if (/^fragment:/m.test(text)) continue;
      scenarios.push(readScenario(shown(file), text, (path) => openFragment(file, path)));
    } catch (error) {
      if (error instanceof InvalidFile) faults.push(...error.faults);
      else
        faults.push({
          file: shown(file),
          line: 1,
          column: 1,
          message: error instanceof Error ? error.message : String(error),
        });
    }
  }
  const twice = scenarios.find(
    ({ scenario }, at) => scenarios.findIndex((other) => other.scenario === scenario) !== at,
  );
  if (twice)
    faults.push({ file: twice.file, line: 1, column: 1, message: `there is another scenario ${twice.scenario}` });
  return { scenarios, faults };
}

const PATTERN = '**/*.{yaml,yml}';

async function below(folder: string): Promise<string[]> {
  return (await glob(PATTERN, { cwd: folder, absolute: true })).toSorted();
}

async function named(patterns: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    patterns.map(async (pattern) => {
      const path = resolve(pattern);
      const kind = statSync(path, { throwIfNoEntry: false });
      const files = kind?.isDirectory() ? await below(path) : kind ? [path] : await glob(pattern, { absolute: true });
      if (files.length === 0)
        throw new CommandError(
          `No scenario file is at ${pattern}; a scenario is chosen by its name with --grep.`,
          EXIT.usage,
        );
      return files;
    }),
  );
  return [...new Set(found.flat())].toSorted();
}

function openFragment(from: string, path: string): { file: string; text: string } | undefined {
  const file = resolve(dirname(from), path);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile ? { file: shown(file), text: readFileSync(file, 'utf8') } : undefined;
}

/** A path as people write it: from here, where it lies below. */
function shown(file: string): string {
  const near = relative(process.cwd(), file);
  return near.startsWith('..') ? file : near;
}
