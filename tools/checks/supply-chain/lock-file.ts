/** Reads the packages of package-lock.json (docs.npmjs.com, package-lock.json, version 3). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Versions = Readonly<Record<string, string>>;

export interface LockedPackage {
  readonly version?: string;
  /** True for a workspace of the checkout, which comes from no registry. */
  readonly link?: boolean;
  /** Absent for the default registry of npm. */
  readonly resolved?: string;
  readonly integrity?: string;
  /** An SPDX expression. */
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  /** True when only development needs it. */
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly peerDependencies?: Versions;
}

/** The packages by their path below the checkout. '' is the checkout itself. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export function readLockFile(root: string): LockedPackages {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages?: LockedPackages }).packages ?? {};
}

/** Returns the name of the package at a path: `a/node_modules/@b/c` is `@b/c`. */
export const nameAt = (path: string): string => path.replace(/.*node_modules\//, '');

/** Returns the packages that come from a registry, by path. */
export const installedOf = (packages: LockedPackages): (readonly [string, LockedPackage])[] =>
  Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

/** Resolves a dependency of the package at `path`: its own folder first, then each parent folder. */
export function placeOf(packages: LockedPackages, path: string, name: string): string | undefined {
  const folders = [
    ...(path === '' ? [] : [`${path}/`]),
    ...[...path.matchAll(/node_modules\//g)].map(({ index }) => path.slice(0, index)).toReversed(),
    '',
  ];
  return folders.map((folder) => `${folder}node_modules/${name}`).find((place) => place in packages);
}
