import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type FileFault, InvalidFile } from '../../sim/format/source.ts';
import type { OpenFragment } from '../../sim/scenario/format/read-scenario.ts';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { readText } from './read-text.ts';
import { shownPath } from './shown-path.ts';

/** The content of a file: a scenario or its faults. A fragment has neither. */
export interface ScenarioFile {
  readonly scenario?: Scenario;
  readonly faults: readonly FileFault[];
  /** Every file that was read, by its absolute path: the file, its fragments and its imports. */
  readonly uses: readonly string[];
}

type Read = (open: OpenFragment, uses: Set<string>) => Scenario | undefined | Promise<Scenario | undefined>;

/** Reads a scenario file by a function. Never rejects: errors are in the result. */
export async function scenarioFileOf(path: string, read: Read): Promise<ScenarioFile> {
  const uses = new Set([path]);
  const open: OpenFragment = (named) => {
    const file = resolve(dirname(path), named);
    uses.add(file);
    const root = projectOf(path);
    if (isOutside(file, root))
      return {
        refused: `${named} is outside of ${shownPath(root) || '.'}: a fragment belongs to the project of its scenario`,
      };
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
    return isFile ? { file: shownPath(file), text: readText(file) } : undefined;
  };
  try {
    const scenario = await read(open, uses);
    return { ...(scenario ? { scenario } : {}), faults: [], uses: [...uses] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { faults: error instanceof InvalidFile ? error.faults : [faultOf(path, message)], uses: [...uses] };
  }
}

/** Returns the fault of a whole file. */
export const faultOf = (path: string, message: string): FileFault => ({
  file: shownPath(path),
  line: 1,
  column: 1,
  message,
});

/** What the folder of a project has. */
const MARKS = ['package.json', '.git'];

/**
 * Returns the folder of the project of a file: the nearest one with a package or a repository, else the current folder
 * when the file is in it, else the folder of the file.
 */
function projectOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
    if (dirname(folder) === folder) return isOutside(file, process.cwd()) ? dirname(file) : process.cwd();
  }
}

/** Returns whether a file is not in a folder, or below it. */
function isOutside(file: string, folder: string): boolean {
  const path = relative(folder, file);
  return path.startsWith('..') || isAbsolute(path);
}
