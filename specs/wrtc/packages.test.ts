/** The two packages, installed by npm into empty projects. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack, run } from '../e2e/support/host-projects.ts';
import { importedPackages } from '../../tools/package/packages.ts';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}
const read = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8')) as Manifest;

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ringback-packages-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates an empty project. */
function project(name: string): string {
  const path = mkdtempSync(join(folder, `${name}-`));
  writeFileSync(join(path, 'package.json'), '{ "private": true }\n');
  return path;
}

/** Returns the packages that npm has installed in a project, as paths in node_modules. */
const installed = (path: string): string[] =>
  Object.keys(
    (JSON.parse(readFileSync(join(path, 'node_modules/.package-lock.json'), 'utf8')) as { packages: object }).packages,
  );

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

describe('the library', () => {
  it('is exactly one package, with its README and its licence', () => {
    const { filename, files } = pack('ringback', folder);
    const host = project('library-host');
    run(host, 'npm', 'install', '--offline', ...QUIET, join(folder, filename));
    expect(installed(host)).toEqual(['node_modules/ringback']);
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    const others = files.filter(({ path }) => path.includes('/') && !path.startsWith('dist/lib/'));
    expect(others).toEqual([]);
    const versions = run(
      host,
      process.execPath,
      '-p',
      "require('ringback').sdkVersion + require('ringback/package.json').version",
    );
    expect(versions).toBe(`1.10.20${read('package.json').version}\n`);
  });

  it('imports no package except React, its optional peer: its bundles contain its dependencies', () => {
    const bundles = readdirSync('dist/packages/ringback/dist/lib').filter((name) => /\.c?js$/.test(name));
    const sources = bundles.map(
      (name) => [name, readFileSync(join('dist/packages/ringback/dist/lib', name), 'utf8')] as const,
    );
    const isOfReact = ([name]: readonly [string, string]) => name.startsWith('react.');
    expect(importedPackages(sources.filter((one) => !isOfReact(one)))).toEqual([]);
    expect(importedPackages(sources.filter(isOfReact))).toEqual(['react']);
    const withCodec = sources.flatMap(([name, source]) =>
      /incorrect header check|inflate/.test(source) ? [name] : [],
    );
    // The modern modules have the codec in the chunk that calls and rooms share.
    const forms = ['cjs', 'core.js', 'es2019.cjs', 'es2019.js', 'global.js', 'min.core.js'];
    expect(withCodec.toSorted()).toEqual(forms.map((form) => `ringback.${form}`));
  });
});

describe('the tools', () => {
  const manifest = () => read('dist/packages/ringback-lab/package.json');

  it('depend on the packages that their code imports, in the versions of the checkout, and on none of the app', () => {
    const { dependencies } = manifest();
    expect(dependencies).toEqual(read('package.json').dependencies);
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['commander', 'ws', 'wrtc', 'libsql']));
    expect(Object.keys(dependencies).filter((name) => /react|workbox|lucide|uplot/.test(name))).toEqual([]);
    expect(Object.keys(dependencies).filter((name) => builtinModules.includes(name))).toEqual([]);
  });

  it('start with npx in a project that has installed them', () => {
    const { filename, files } = pack('ringback-lab', folder);
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'dist/app/index.html',
        'dist/cli/headless/peer-host.js',
        'fixtures/users.json',
      ]),
    );
    const host = project('tools-host');
    // npm installs the package and its command. Its dependencies are those of the checkout, which may be missing in the
    // npm cache.
    const bare = project('bare');
    const unpacked = join(bare, 'package');
    run(bare, 'tar', '-xzf', join(folder, filename));
    const { dependencies, ...rest } = manifest();
    writeFileSync(join(unpacked, 'package.json'), JSON.stringify(rest));
    run(host, 'npm', 'install', '--offline', '--install-links', ...QUIET, unpacked);
    for (const name of Object.keys(dependencies)) {
      mkdirSync(dirname(join(host, 'node_modules', name)), { recursive: true });
      symlinkSync(join(process.cwd(), 'node_modules', name), join(host, 'node_modules', name));
    }
    expect(run(host, 'npx', '--offline', 'ringback', '--version')).toBe(`${rest.version}\n`);
    expect(run(host, 'node_modules/.bin/ringback', 'run', '--grep', '^direct/decline$')).toContain(' 0 failed');
  });
});
