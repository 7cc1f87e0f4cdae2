/** Loads scenarios that are written in TypeScript. */
import { readFileSync } from 'node:fs';
import { createJiti } from 'jiti';
import * as builder from '../../sim/scenario/builder/scenario.ts';
import { BuiltScenario, type Line } from '../../sim/scenario/builder/built-scenario.ts';
import { differenceOf } from '../../sim/scenario/format/difference.ts';
import { InvalidFile } from '../../sim/format/source.ts';
import type { Place } from '../../sim/format/source.ts';
import { shownPath } from './shown-path.ts';

/** The module that scenario files import: by the name of the package, and by the name that this repository uses. */
const BUILDERS = { 'ringback-lab/scenario': builder, 'ringback/scenario': builder };

/**
 * Runs a file twice, each time with all its imports loaded anew, and returns its default export.
 *
 * @param modules - receives the absolute path of each source that was loaded.
 * @throws InvalidFile when it cannot be run, is no scenario, or gives a different scenario the second time.
 */
export async function loadTypeScript(path: string, modules: Set<string>): Promise<BuiltScenario> {
  const compiled: Compiled = new Map();
  const first = await load(path, modules, compiled);
  const second = await load(path, modules, compiled);
  const difference = differenceOf(first.document, second.document);
  if (difference !== undefined)
    throw invalid(first.head ?? { file: path, line: 1 }, `building it twice gives two scenarios: ${difference}`);
  return first;
}

/** Without caches in memory and on disk, so that each load reads the current sources. */
const LOADING = { moduleCache: false, fsCache: false, interopDefault: false } as const;
const compiler = createJiti(import.meta.url, LOADING);

/** The compiled sources of one file. Each run evaluates them anew, but does not compile them again. */
type Compiled = Map<string, string>;

async function load(path: string, modules: Set<string>, compiled: Compiled): Promise<BuiltScenario> {
  const jiti = createJiti(import.meta.url, {
    ...LOADING,
    virtualModules: BUILDERS,
    transform: (options) => {
      if (options.filename !== undefined) modules.add(options.filename);
      const code = compiled.get(options.source) ?? compiler.transform(options);
      compiled.set(options.source, code);
      return { code };
    },
  });
  let loaded: unknown;
  try {
    loaded = await jiti.import(path);
  } catch (error) {
    throw invalid(lineOf(error, modules) ?? { file: path, line: 1 }, reasonOf(error));
  }
  const built = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined;
  if (built instanceof BuiltScenario) return built;
  throw invalid({ file: path, line: 1 }, `a scenario is expected here: export default scenario('name', …)`);
}

/** Returns the position of a line: its column is that of its first character. */
export function placeOfLine({ file, line }: Line): Place {
  const text = readFileSync(file, 'utf8').split('\n')[line - 1] ?? '';
  return { file: shownPath(file), line, column: Math.max(0, text.search(/\S/)) + 1 };
}

const invalid = (line: Line, message: string): InvalidFile => new InvalidFile([{ ...placeOfLine(line), message }]);

/** Returns the message of an error, on one line and without the position. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? message).replace(/^ParseError:\s*/, '').trim();
}

/**
 * Returns the position of an error: the first line of its stack, or of a syntax error, that is in one of the sources.
 */
function lineOf(error: unknown, modules: ReadonlySet<string>): Line | undefined {
  if (!(error instanceof Error)) return undefined;
  for (const text of `${error.message}\n${error.stack ?? ''}`.split('\n')) {
    const [, file, line] = /([^\s()]+):(\d+):\d+\)?$/.exec(text) ?? [];
    const path = file?.replace(/^file:\/\//, '');
    if (path !== undefined && modules.has(path)) return { file: path, line: Number(line) };
  }
  return undefined;
}
