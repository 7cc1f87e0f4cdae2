/** The files of the packages, as `npm pack` includes them. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import * as v from 'valibot';

const packed = v.tuple([v.object({ files: v.array(v.object({ path: v.string() })) })]);

/** Returns the paths that `npm pack` includes from a built package. */
function filesOf(name: string): string[] {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', `./dist/packages/${name}`], { encoding: 'utf8' });
  const [{ files }] = v.parse(packed, JSON.parse(printed));
  return files.map(({ path }) => path).toSorted();
}

/** The chunks beside both modern modules: the parts that are loaded on first use, and what the entry shares with them. */
const PARTS = ['core', 'log-text', 'rooms-part', 'synthesiser'].flatMap((part) => [`${part}.js`, `min.${part}.js`]);

test('S48 the library is published as its bundles, their maps and types, and nothing else', () => {
  expect(filesOf('ringback')).toEqual(
    [
      ...['LICENSE', 'README.md', 'package.json'],
      ...['js', 'cjs', 'es2019.js', 'es2019.cjs', 'global.js', 'min.js', ...PARTS].flatMap((form) => [
        `dist/lib/ringback.${form}`,
        `dist/lib/ringback.${form}.map`,
      ]),
      ...['d.ts', 'd.cts', 'global.d.ts'].map((form) => `dist/lib/ringback.${form}`),
      ...['js', 'js.map', 'cjs', 'cjs.map', 'd.ts', 'd.cts'].map((form) => `dist/lib/react.${form}`),
    ].toSorted(),
  );
});

test('S48 the tools are published without tests, sources, databases or keys', () => {
  const files = filesOf('ringback-lab');
  expect(files.length).toBeGreaterThan(20);
  const folders = new Set(
    files.map((path) =>
      path
        .split('/')
        .slice(0, path.includes('/') ? 1 : 0)
        .join(''),
    ),
  );
  expect([...folders].toSorted()).toEqual(['', 'dist', 'fixtures']);
  const suspects = files.filter((path) =>
    /(?:^|\/)(?:specs|node_modules|\.git|\.npmrc|\.env)|\.(?:test|spec)\.|\.(?:db|pem|key|sqlite|log)$/.test(path),
  );
  expect(suspects).toEqual([]);
});
