/** Finds the script files that a command line names. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { glob } from 'tinyglobby';
import { BUILT_INS } from '../../sim/scripts/built-in.ts';
import { readScript } from '../../sim/scripts/format/read-script.ts';
import type { WrittenScript } from '../../sim/scripts/format/tree.ts';
import { type FileFault, InvalidFile } from '../../sim/format/source.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { readText } from '../scenarios/read-text.ts';

export interface FoundScripts {
  readonly scripts: readonly WrittenScript[];
  /** The faults of the files that are not valid. */
  readonly faults: readonly FileFault[];
}

/**
 * Reads all scripts that the patterns name.
 *
 * @param patterns - files, folders and glob patterns.
 * @throws CommandError (usage) when a pattern matches no file.
 */
export async function findScripts(patterns: readonly string[]): Promise<FoundScripts> {
  const scripts: WrittenScript[] = [];
  const faults: FileFault[] = [];
  for (const file of (await Promise.all(patterns.map(filesOf))).flat()) {
    const refuse = (message: string) => faults.push({ file, line: 1, column: 1, message });
    try {
      const read = readScript(file, readText(file));
      const isKnown = [...scripts, ...BUILT_INS.map(({ name }) => ({ script: name }))].some(
        ({ script }) => script === read.script,
      );
      if (isKnown) refuse(`another script has the name ${read.script}`);
      else scripts.push(read);
    } catch (error) {
      if (error instanceof InvalidFile) faults.push(...error.faults);
      else refuse(error instanceof Error ? error.message : String(error));
    }
  }
  return { scripts, faults };
}

/** Reads scripts like {@link findScripts}. @throws CommandError also (invalid) with the first fault. */
export async function soundScripts(patterns: readonly string[]): Promise<readonly WrittenScript[]> {
  const { scripts, faults } = await findScripts(patterns);
  const [fault] = faults;
  if (fault) throw new CommandError(`${fault.file}:${fault.line}:${fault.column}: ${fault.message}`, EXIT.invalid);
  return scripts;
}

async function filesOf(pattern: string): Promise<string[]> {
  const kind = statSync(pattern, { throwIfNoEntry: false });
  if (kind?.isFile()) return [pattern];
  const files = kind?.isDirectory()
    ? await glob('**/*.{yaml,yml,json}', { cwd: resolve(pattern), absolute: true })
    : await glob(pattern);
  if (files.length === 0) throw new CommandError(`No script file matches ${pattern}.`, EXIT.usage);
  return files.toSorted();
}
