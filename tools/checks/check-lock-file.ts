/**
 * Fails when package-lock.json lacks a package that it or package.json requires: `npm install` leaves out an optional
 * package (a binary for another platform) that the registry does not hand it, and `npm ci` then refuses the whole file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckOutcome } from './outcome.ts';
import { installedOf, nameAt, placeOf, readLockFile, type LockedPackage } from './supply-chain/lock-file.ts';

export function checkLockFile(root: string): CheckOutcome {
  const packages = readLockFile(root);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as LockedPackage;
  const asked = ({ dependencies, optionalDependencies, devDependencies }: LockedPackage) =>
    Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  const missing = Object.entries({ ...packages, '': manifest }).flatMap(([path, locked]) =>
    // A workspace is not in node_modules, so its development dependencies are installed too.
    asked(path.includes('node_modules/') ? { ...locked, devDependencies: {} } : locked)
      .filter((name) => placeOf(packages, path, name) === undefined)
      .map((name) => `package-lock.json lacks ${name}, which ${nameAt(path) || 'package.json'} asks for`),
  );
  // A package without its hash could be replaced at the registry without notice (S47).
  const unsigned = installedOf(packages)
    .filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))
    .map(([path]) => `package-lock.json has no sha512 of ${nameAt(path)}: delete its entry, and run npm install`);
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
