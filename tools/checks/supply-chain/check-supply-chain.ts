/**
 * Fails on a package with an install script or a licence that the rules do not permit, or from another registry than
 * npm (S47).
 */
import type { CheckOutcome } from '../outcome.ts';
import { installedOf, nameAt, readLockFile, type LockedPackage } from './lock-file.ts';

export interface SupplyChainRules {
  readonly installScripts: Readonly<Record<string, string>>;
  readonly licences: Readonly<Record<string, string>>;
  readonly unnamedLicences: Readonly<Record<string, string>>;
}

const REGISTRY = 'https://registry.npmjs.org/';
const RULES = 'tools/checks/supply-chain/rules.ts';

export function checkSupplyChain(root: string, rules: SupplyChainRules): CheckOutcome {
  const installed = installedOf(readLockFile(root));
  const licenceOf = (path: string, { license }: LockedPackage) => license ?? rules.unnamedLicences[nameAt(path)];
  const faults = installed.flatMap(([path, locked]) => {
    const name = nameAt(path);
    const licence = licenceOf(path, locked);
    return [
      ...(locked.hasInstallScript && !(name in rules.installScripts)
        ? [`${name} runs a script when it is installed: find out what it does, and add it to ${RULES} or do without it`]
        : []),
      ...(licence === undefined ? [`${name} names no licence: read it, and add it to ${RULES}`] : []),
      ...(licence !== undefined && !isTaken(licence, rules.licences)
        ? [`${name} has the licence ${licence}, which is not in ${RULES}`]
        : []),
      ...(locked.resolved !== undefined && !locked.resolved.startsWith(REGISTRY)
        ? [`${name} comes from ${locked.resolved}, and not from ${REGISTRY}`]
        : []),
    ];
  });
  const scripts = new Set(
    installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameAt(path)),
  );
  const unnamed = new Set(installed.filter(([, { license }]) => license === undefined).map(([path]) => nameAt(path)));
  const licences = new Set(installed.flatMap(([path, locked]) => idsOf(licenceOf(path, locked) ?? '')));
  const unused = [
    ...Object.keys(rules.installScripts).filter((name) => !scripts.has(name)),
    ...Object.keys(rules.unnamedLicences).filter((name) => !unnamed.has(name)),
    ...Object.keys(rules.licences).filter((id) => !licences.has(id)),
  ];
  return {
    looked: `${installed.length} packages, ${scripts.size} with a script`,
    faults: [
      ...(installed.length === 0 ? ['package-lock.json holds no package: nothing was checked'] : []),
      ...faults,
      ...unused.map((entry) => `${RULES} has ${entry}, which no package needs: remove it`),
    ],
  };
}

const idsOf = (expression: string): string[] =>
  expression
    .replaceAll(/[()]/g, '')
    .split(/ (?:AND|OR) /)
    .map((id) => id.trim())
    .filter((id) => id !== '');

/**
 * Returns whether an SPDX expression is permitted: all parts of `AND`, one part of `OR`. `AND` binds more tightly (SPDX
 * 2.3, annex D).
 */
function isTaken(expression: string, taken: Readonly<Record<string, string>>): boolean {
  const inner = /\(([^()]*)\)/.exec(expression);
  if (inner) {
    const [whole, part = ''] = inner;
    const met = isTaken(part, taken) ? Object.keys(taken)[0] : 'none';
    return isTaken(expression.replace(whole, met ?? 'none'), taken);
  }
  return expression.split(' OR ').some((part) => part.split(' AND ').every((id) => Object.hasOwn(taken, id.trim())));
}
