/** Writes the two packages to dist/packages, each with its own package.json, README and LICENSE. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  importedPackages,
  LIBRARY_PACKAGE,
  libraryManifest,
  type Manifest,
  type PublishedPackage,
  TOOLS_CODE,
  TOOLS_PACKAGE,
  toolsManifest,
} from '../package/packages.ts';

const OUT = 'dist/packages';

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

function write({ folder, holds, readme }: PublishedPackage, manifest: object, wanted: (path: string) => boolean): void {
  const target = join(OUT, folder);
  for (const path of holds) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(path, join(target, path), { recursive: true, filter: wanted });
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(readme, join(target, 'README.md'));
  cpSync('LICENSE', join(target, 'LICENSE'));
}

/** Returns the JavaScript files below some folders. */
function* codeOf(folders: readonly string[]): Generator<readonly [string, string]> {
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name);
      if (path.endsWith('.js')) yield [path, readFileSync(path, 'utf8')];
    }
  }
}

/** Writes the packages from the build. */
export function buildPackages(): void {
  rmSync(OUT, { recursive: true, force: true });
  const root = readManifest('.');
  write(LIBRARY_PACKAGE, libraryManifest(root), () => true);
  const imported = importedPackages(codeOf(TOOLS_CODE));
  // The source maps refer to sources that the package does not contain.
  const isNoMap = (path: string) => !path.endsWith('.map');
  write(TOOLS_PACKAGE, toolsManifest(root, readManifest('packages/ringback-lab'), imported), isNoMap);
}
