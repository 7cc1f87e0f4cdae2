/** The packages that `npm ci` may install, and their list (S47). */
import { describe, expect, test } from 'vitest';
import { checkSupplyChain } from '../../../tools/checks/supply-chain/check-supply-chain.ts';
import { readLockFile, type LockedPackages } from '../../../tools/checks/supply-chain/lock-file.ts';
import { INSTALL_SCRIPTS, LICENCES, UNNAMED_LICENCES } from '../../../tools/checks/supply-chain/rules.ts';
import { makeSbom } from '../../../tools/package/sbom.ts';
import { forgeTree } from './forged-tree.ts';

const RULES = { installScripts: {}, licences: { MIT: 'Permissive.' }, unnamedLicences: {} };
const check = (packages: LockedPackages, rules: Partial<typeof RULES> = {}) =>
  checkSupplyChain(forgeTree({ 'package-lock.json': JSON.stringify({ packages }) }), { ...RULES, ...rules });

describe('the supply chain', () => {
  test('S47: follows the rules in this checkout', () => {
    const rules = { installScripts: INSTALL_SCRIPTS, licences: LICENCES, unnamedLicences: UNNAMED_LICENCES };
    const { faults, looked } = checkSupplyChain('.', rules);
    expect(faults).toEqual([]);
    expect(looked).toMatch(/^1\d{3} packages, 3 with a script$/);
  });

  test('S47: has no package with an install script, except the named ones', () => {
    const packages = { 'node_modules/a': { license: 'MIT', hasInstallScript: true } };
    expect(check(packages).faults).toEqual([expect.stringContaining('a runs a script when it is installed')]);
    expect(check(packages, { installScripts: { a: 'Why.' } })).toEqual({
      looked: '1 packages, 1 with a script',
      faults: [],
    });
    expect(check({ 'node_modules/a': { license: 'MIT' } }, { installScripts: { a: 'Why.' } }).faults).toEqual([
      expect.stringContaining('has a, which no package needs'),
    ]);
  });

  test('S47: comes only from the registry of npm', () => {
    const from = (resolved: string) => check({ 'node_modules/@a/b': { license: 'MIT', resolved } }).faults;
    expect(from('https://registry.npmjs.org/@a/b/-/b-1.0.0.tgz')).toEqual([]);
    for (const other of ['git+ssh://git@example.org/a/b.git#1', 'https://registry.npmjs.org.example/b.tgz', 'file:b']) {
      expect(from(other)).toEqual([`@a/b comes from ${other}, and not from https://registry.npmjs.org/`]);
    }
  });

  test('S47: has only permitted licences: all parts of an AND, and one part of an OR', () => {
    const licences = { MIT: '', ISC: '' };
    const of = (license: string | undefined) =>
      check({ 'node_modules/a': { ...(license === undefined ? {} : { license }) } }, { licences }).faults.filter(
        (fault) => fault.startsWith('a '),
      );
    for (const taken of ['MIT', '(MIT OR GPL-3.0)', 'GPL-3.0 OR ISC', 'MIT AND ISC', '(MIT AND ISC) OR GPL-3.0']) {
      expect([taken, of(taken)]).toEqual([taken, []]);
    }
    for (const other of ['GPL-3.0', 'MIT AND GPL-3.0', '(MIT OR ISC) AND GPL-3.0', 'SEE LICENSE IN a']) {
      expect([other, of(other)]).toEqual([other, [expect.stringContaining(`has the licence ${other}`)]]);
    }
    expect(of(undefined)).toEqual([expect.stringContaining('a names no licence')]);
    // A package may write a licence with a space.
    const spaced = { MIT: '', ISC: '', 'MPL 2.0': '' };
    const faults = check({ 'node_modules/a': { license: '(MPL 2.0 OR X)' } }, { licences: spaced }).faults;
    expect(faults.filter((fault) => !/has (?:MIT|ISC),/.test(fault))).toEqual([]);
  });

  test('fails when the lock file is empty', () => {
    expect(check({}).faults[0]).toContain('nothing was checked');
  });
});

describe('the list of packages', () => {
  const packages = {
    '': { version: '1.0.0', license: 'MIT', dependencies: { a: '1' }, devDependencies: { own: '*' } },
    'node_modules/own': { link: true },
    'node_modules/a': { version: '1.2.3', integrity: 'sha512-AAEC', license: 'MIT', dependencies: { '@b/c': '2' } },
    'node_modules/@b/c': { version: '1.0.0', integrity: 'sha512-/w==', license: 'ISC', dev: true },
    'node_modules/a/node_modules/@b/c': { version: '2.0.0', integrity: 'sha512-/w==', license: 'ISC' },
  };

  test('S47: names each package with its version, hash, licence and dependencies', () => {
    const sbom = makeSbom(packages);
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { version: '1.0.0' } },
    });
    expect(sbom.components.map(({ purl }) => purl)).toEqual([
      'pkg:npm/%40b/c@1.0.0',
      'pkg:npm/a@1.2.3',
      'pkg:npm/%40b/c@2.0.0',
    ]);
    expect(sbom.components[1]).toEqual({
      type: 'library',
      'bom-ref': 'node_modules/a',
      name: 'a',
      version: '1.2.3',
      purl: 'pkg:npm/a@1.2.3',
      hashes: [{ alg: 'SHA-512', content: '000102' }],
      licenses: [{ expression: 'MIT' }],
    });
    expect(sbom.components[0]?.properties).toEqual([{ name: 'cdx:npm:package:development', value: 'true' }]);
    expect(sbom.dependencies).toContainEqual({ ref: 'ringback', dependsOn: ['node_modules/a'] });
    expect(sbom.dependencies).toContainEqual({
      ref: 'node_modules/a',
      dependsOn: ['node_modules/a/node_modules/@b/c'],
    });
  });

  test('S47: has every package of this checkout, and refers to no other', () => {
    const sbom = makeSbom(readLockFile('.'));
    const refs = new Set(sbom.components.map((component) => component['bom-ref']));
    expect(refs.size).toBe(sbom.components.length);
    expect(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
    for (const name of ['valibot', 'ws', 'react', 'web-push']) {
      expect(sbom.components.find((component) => component.name === name)?.hashes?.[0]?.content).toMatch(/^\w{128}$/);
    }
    expect(sbom.components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
    expect(makeSbom(readLockFile('.'))).toEqual(sbom);
  });

  test('S47: fails where a package has no hash', () => {
    expect(() => makeSbom({ ...packages, 'node_modules/a': { version: '1.2.3' } })).toThrow('hash of a');
  });
});
