import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readBuilt } from '../../sim/scenario/builder/read-built.ts';
import { type OpenFragment, readScenario } from '../../sim/scenario/format/read-scenario.ts';
import { type FileFault, InvalidFile } from '../../sim/format/source.ts';
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

const PROGRAM = /\.m?[jt]s$/;

/** Reads a scenario file in YAML or TypeScript. Never rejects: errors are in the result. */
export async function readScenarioFile(path: string): Promise<ScenarioFile> {
  const uses = new Set([path]);
  const open: OpenFragment = (named) => {
    const file = resolve(dirname(path), named);
    uses.add(file);
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
    return isFile ? { file: shownPath(file), text: readText(file) } : undefined;
  };
  try {
    const scenario = PROGRAM.test(path) ? await readProgram(path, open, uses) : readYaml(path, open);
    return { ...(scenario ? { scenario } : {}), faults: [], uses: [...uses] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const faults =
      error instanceof InvalidFile ? error.faults : [{ file: shownPath(path), line: 1, column: 1, message }];
    return { faults, uses: [...uses] };
  }
}

function readYaml(path: string, open: OpenFragment): Scenario | undefined {
  const text = readText(path);
  return /^fragment:/m.test(text) ? undefined : readScenario(shownPath(path), text, open);
}

async function readProgram(path: string, open: OpenFragment, uses: Set<string>): Promise<Scenario> {
  // Imported only when needed, because it loads a compiler.
  const { loadTypeScript, placeOfLine } = await import('./typescript-files.ts');
  const built = await loadTypeScript(path, uses);
  return readBuilt(shownPath(path), built, { placeOfLine, open });
}
