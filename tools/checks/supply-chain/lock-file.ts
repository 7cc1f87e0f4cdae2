/** What package-lock.json says of each package (docs.npmjs.com, package-lock.json, version 3). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Versions = Readonly<Record<string, string>>;

export interface LockedPackage {
  readonly version?: string;
  /** A workspace of the checkout: it comes from no registry. */
  readonly link?: boolean;
  /** Absent where it comes from the registry that npm is set up with. */
  readonly resolved?: string;
  readonly integrity?: string;
  /** An SPDX expression. */
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  /** Only development needs it. */
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly peerDependencies?: Versions;
}

/** The packages by their place below the checkout; '' is the checkout itself. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export function readLockFile(root: string): LockedPackages {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages?: LockedPackages }).packages ?? {};
}

/** The name of the package at a place: `a/node_modules/@b/c` is `@b/c`. */
export const nameAt = (path: string): string => path.replace(/.*node_modules\//, '');

/** The packages that come from a registry, by their place. */
export const installedOf = (packages: LockedPackages): (readonly [string, LockedPackage])[] =>
  Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

/** The place of a package that the package at `path` asks for: its own folder first, then each that holds it. */
export function placeOf(packages: LockedPackages, path: string, name: string): string | undefined {
  const folders = [
    ...(path === '' ? [] : [`${path}/`]),
    ...[...path.matchAll(/node_modules\//g)].map(({ index }) => path.slice(0, index)).toReversed(),
    '',
  ];
  return folders.map((folder) => `${folder}node_modules/${name}`).find((place) => place in packages);
}
