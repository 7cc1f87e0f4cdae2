/** The names that a document of this repository may refer to. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface Repository {
  /** The documents, as paths from the root. */
  readonly documents: readonly string[];
  readonly scripts: ReadonlySet<string>;
  readonly targets: ReadonlySet<string>;
  readonly commands: ReadonlySet<string>;
  /** Returns whether this is the name of a file or folder at the root. */
  isTop(name: string): boolean;
  /** Returns whether a build or a test run creates the path, so that it may be missing. */
  isMade(path: string): boolean;
  exists(path: string): boolean;
}

export const ROOT_DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

function markdownBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return markdownBelow(root, path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function scriptsOf(root: string): string[] {
  const manifest: unknown = JSON.parse(readIfThere(join(root, 'package.json')) || '{}');
  const scripts = (manifest as { scripts?: Record<string, string> }).scripts;
  return Object.keys(scripts ?? {});
}

const targetsOf = (root: string) =>
  [...readIfThere(join(root, 'Makefile')).matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name);

/** Returns the commands that cli/main.ts loads, each from its own file: cli/commands/dial.ts is `ringback dial`. */
const commandsOf = (root: string) =>
  [...readIfThere(join(root, 'cli/main.ts')).matchAll(/import\('\.\/commands\/([\w-]+)\.ts'\)/g)].map(
    ([, name = '']) => name,
  );

/** Returns the folders of .gitignore: `dist/`. */
const madeFolders = (root: string) =>
  readIfThere(join(root, '.gitignore'))
    .split('\n')
    .filter((line) => line.endsWith('/'));

export function readRepository(root: string): Repository {
  const made = madeFolders(root);
  const isMade = (path: string) => made.some((folder) => `${path}/`.startsWith(folder));
  return {
    documents: [
      ...ROOT_DOCUMENTS.filter((name) => existsSync(join(root, name))),
      ...markdownBelow(root, 'docs').toSorted(),
    ],
    scripts: new Set(scriptsOf(root)),
    targets: new Set(targetsOf(root)),
    commands: new Set(commandsOf(root)),
    isTop: (name) => name !== '' && !name.startsWith('..') && (isMade(name) || existsSync(join(root, name))),
    isMade,
    exists: (path) => existsSync(join(root, path)),
  };
}
