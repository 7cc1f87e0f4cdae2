/** The files of some folders and the imports between them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { readImports } from './source-imports.ts';

export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

export interface ImportGraph {
  /** The source files, as paths from the root. */
  readonly files: readonly string[];
  /** The imports of files of this repository. */
  readonly edges: readonly Edge[];
  /** The files and imports that could not be read or resolved. */
  readonly faults: readonly string[];
}

// Generated code need not follow the rules, but an import of it must resolve.
const SKIPPED = new Set(['node_modules', 'generated']);
const isSource = (name: string) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts');

function sourcesBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sourcesBelow(root, path);
    return isSource(entry.name) ? [path] : [];
  });
}

/** Files of this repository that others import by the package name, and the examples that do so. */
const BUILDER = 'sim/scenario/builder/scenario.ts';
const BY_NAME: Readonly<Record<string, string>> = { 'ringback/scenario': BUILDER, 'ringback-lab/scenario': BUILDER };
const showsHow = (file: string) => file.endsWith('.scenario.ts');

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Reads every TypeScript source of `folders` below `root`. */
export function readImportGraph(root: string, folders: readonly string[]): ImportGraph {
  const files = folders.flatMap((folder) => sourcesBelow(root, folder)).toSorted();
  const edges: Edge[] = [];
  const faults: string[] = [];
  for (const file of files) {
    const { imports, error } = readImports(file, readFileSync(join(root, file), 'utf8'));
    if (error) faults.push(`${file}: cannot be parsed: ${error}`);
    for (const { specifier, line } of imports) {
      const at = `${file}:${line}`;
      if (specifier === undefined) {
        faults.push(`${at}: imports a path that is computed, which no check can follow`);
      } else if (showsHow(file) && BY_NAME[specifier] !== undefined) {
        edges.push({ from: file, to: BY_NAME[specifier], line });
      } else if (/^(ringback(-lab)?(\/|$)|\/)/.test(specifier)) {
        faults.push(`${at}: imports '${specifier}': import our own files by a relative path`);
      } else if (specifier.startsWith('.')) {
        // A query of the bundler ('./tone.wav?url') does not belong to the path.
        const to = posix.normalize(posix.join(dirname(file), specifier.replace(/\?.*$/, '')));
        if (isFile(join(root, to))) edges.push({ from: file, to, line });
        else faults.push(`${at}: imports '${specifier}', which does not exist`);
      }
    }
  }
  return { files, edges, faults };
}
