import { describe, expect, it } from 'vitest';
import { importedPackages, libraryManifest, toolsManifest } from '../../../tools/package/packages.ts';

const ROOT = {
  name: 'ringback',
  version: '1.2.3',
  private: true,
  license: 'MIT',
  workspaces: ['packages/*'],
  main: './dist/lib/ringback.es2019.cjs',
  engines: { node: '>=20.19' },
  dependencies: { ws: '^8.0.0', yaml: '^2.0.0', react: '^19.0.0' },
  devDependencies: { vite: '^8.0.0' },
  peerDependencies: { 'playwright-core': '>=1.50', react: '>=18' },
  peerDependenciesMeta: { 'playwright-core': { optional: true }, react: { optional: true } },
};
const LAB = { name: 'ringback-lab', private: true, description: 'Tools.', bin: { ringback: 'ringback.mjs' } };

describe('the packages', () => {
  it('of the library has the fields of the checkout that hosts read, React as an optional peer, no dependency, and no required Node version', () => {
    expect(libraryManifest(ROOT)).toEqual({
      name: 'ringback',
      version: '1.2.3',
      license: 'MIT',
      main: ROOT.main,
      peerDependencies: { react: '>=18' },
      peerDependenciesMeta: { react: { optional: true } },
    });
  });

  it('of the tools depends on the packages that it imports, in the versions of the checkout', () => {
    const made = toolsManifest(ROOT, LAB, ['playwright-core', 'ws', 'yaml']);
    expect(made).toMatchObject({ name: 'ringback-lab', version: '1.2.3', bin: { ringback: './dist/cli/main.js' } });
    expect(made.dependencies).toEqual({ ws: '^8.0.0', yaml: '^2.0.0' });
    expect(made).toMatchObject({ engines: ROOT.engines });
    expect(made).toHaveProperty('peerDependencies', { 'playwright-core': '>=1.50' });
    expect(made).not.toHaveProperty('private');
    expect(Object.keys(made.exports)).toEqual([
      './scenario',
      './testing',
      './testing/playwright',
      './testing/vitest',
      './package.json',
    ]);
  });

  it('of the tools is refused when it imports a package that is no dependency of the checkout', () => {
    expect(() => toolsManifest(ROOT, LAB, ['ws', 'vite'])).toThrow('the tools import vite');
  });
});

it('find imports of every form, by the name of the package', () => {
  const source = `
    import { one } from 'one';
    export * from '@scope/two/deep';
    const three = await import('three/file.js');
    const four = require('four');
    import './own.js';
    import 'node:fs';
  `;
  expect(importedPackages([['a.js', source]])).toEqual(['@scope/two', 'four', 'one', 'three']);
  expect(() => importedPackages([['b.js', 'import {']])).toThrow('b.js cannot be parsed');
});
