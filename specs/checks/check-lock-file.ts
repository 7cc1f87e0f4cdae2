/**
 * Fails where package-lock.json lacks a package that it or package.json asks for: `npm install` leaves out an optional
 * package (a binary for another platform) that the registry does not hand it, and `npm ci` then refuses the whole file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckOutcome } from './outcome.ts';

type Versions = Readonly<Record<string, string>>;

interface LockedPackage {
  /** A workspace of the checkout: it comes from no registry. */
  readonly link?: boolean;
  readonly integrity?: string;
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly devDependencies?: Versions;
}

/** The folders in which a package at `path` finds what it asks for: its own, and each that holds it. */
const searchedFolders = (path: string): string[] => [
  ...(path === '' ? [] : [`${path}/`]),
  ...[...path.matchAll(/node_modules\//g)].map(({ index }) => path.slice(0, index)),
  '',
];

export function checkLockFile(root: string): CheckOutcome {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages?: Readonly<Record<string, LockedPackage>>;
  };
  const packages = lock.packages ?? {};
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as LockedPackage;
  const asked = ({ dependencies, optionalDependencies, devDependencies }: LockedPackage) =>
    Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  const missing = Object.entries({ ...packages, '': manifest }).flatMap(([path, locked]) =>
    // A workspace is no folder of node_modules: its development dependencies are installed, too.
    asked(path.includes('node_modules/') ? { ...locked, devDependencies: {} } : locked)
      .filter((name) => !searchedFolders(path).some((folder) => `${folder}node_modules/${name}` in packages))
      .map(
        (name) =>
          `package-lock.json lacks ${name}, which ${path.replace(/.*node_modules\//, '') || 'package.json'} asks for`,
      ),
  );
  // A package without its hash could be replaced at the registry, and no install would notice (S47).
  const unsigned = Object.entries(packages)
    .filter(
      ([path, { link, integrity = '' }]) => path.includes('node_modules/') && !link && !integrity.startsWith('sha512-'),
    )
    .map(
      ([path]) =>
        `package-lock.json has no sha512 of ${path.replace(/.*node_modules\//, '')}: delete its entry, and run npm install`,
    );
  const count = Object.keys(packages).length;
  return {
    looked: `${count} packages`,
    faults: [
      ...(count === 0 ? ['package-lock.json holds no package: nothing was checked'] : []),
      ...missing,
      ...unsigned,
      ...(missing.length > 0 ? ['choose a version of which the registry has every part, and run npm install'] : []),
    ],
  };
}
