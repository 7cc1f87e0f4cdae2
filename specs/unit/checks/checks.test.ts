import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkGenerated } from '../../../tools/checks/check-generated.ts';
import { codeIn } from '../../../tools/checks/documents/check-code.ts';
import { checkDocuments } from '../../../tools/checks/documents/check-documents.ts';
import { checkLockFile } from '../../../tools/checks/check-lock-file.ts';
import { checkImports } from '../../../tools/checks/imports/check-imports.ts';
import { IMPORT_RULES } from '../../../tools/checks/imports/rules.ts';
import { readImports } from '../../../tools/checks/imports/source-imports.ts';
import { runTool } from '../../../tools/checks/run-tool.ts';
import { fillParts } from '../../../tools/reference/fill-parts.ts';
import { scenariosDocument } from '../../../tools/reference/scenarios.ts';
import { explain, TOPICS, wordsOf } from '../../../sim/scenario/format/explain.ts';
import { forgeTree } from './forged-tree.ts';

describe('import check', () => {
  const check = (files: Record<string, string>) => checkImports(forgeTree(files), IMPORT_RULES);

  test('passes a tree that follows the rules, and reports the number of files it read', () => {
    const outcome = check({
      'src/protocol/limits.ts': 'export const LIMIT = 1;',
      'src/calls/index.ts': "import { LIMIT } from '../protocol/limits.ts';\nexport { LIMIT };",
      'src/app/main.tsx': "import '../calls/index.ts';\nimport './main.css';\nimport react from 'react';",
      'src/app/main.css': '',
    });
    expect(outcome).toEqual({ looked: '3 files, 3 edges', faults: [] });
  });

  test.each([
    ['src/protocol/a.ts', 'src/calls/b.ts'],
    ['src/calls/a.ts', 'src/app/b.ts'],
    ['src/calls/a.ts', 'sim/b.ts'],
    ['src/calls/host/a.ts', 'src/calls/direct-call/b.ts'],
    ['src/calls/platform/browser/a.ts', 'src/calls/media/b.ts'],
    ['src/app/a.ts', 'sim/store/b.ts'],
    ['src/app/core/a.ts', 'src/app/features/chat/b.ts'],
    ['src/app/ui/a.ts', 'src/app/features/chat/b.ts'],
    ['src/app/core/a.ts', 'src/ui/kit/b.ts'],
    ['src/ui/kit/a.ts', 'src/app/core/b.ts'],
    ['src/ui/kit/a.ts', 'src/protocol/b.ts'],
    ['src/ui/store/a.ts', 'src/ui/kit/b.ts'],
    ['src/app/features/chat/a.ts', 'src/app/routes/b.ts'],
    ['sim/exchange/a.ts', 'src/calls/b.ts'],
    ['sim/exchange/a.ts', 'sim/media/b.ts'],
    ['sim/media/a.ts', 'src/calls/b.ts'],
    ['sim/media/a.ts', 'cli/b.ts'],
    ['cli/a.ts', 'src/app/b.ts'],
    ['sim/exchange/a.ts', 'sim/store/b.ts'],
    ['sim/product/a.ts', 'sim/demo-bots/b.ts'],
  ])('refuses an import of %s to %s', (from, to) => {
    const path = `${'../'.repeat(from.split('/').length - 1)}${to}`;
    const { faults } = check({ [from]: `import type { B } from '${path}';`, [to]: 'export interface B {}' });
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${from}:1: imports ${to}, but `))]);
  });

  test.each([
    ['sim/virtual/a.ts', 'src/calls/b.ts'],
    ['sim/scenario/a.ts', 'src/calls/b.ts'],
    ['sim/store/a.ts', 'sim/exchange/b.ts'],
    ['src/app/features/chat/a.ts', 'src/app/ui/b.ts'],
    ['src/app/features/chat/a.ts', 'src/ui/kit/b.ts'],
    ['src/ui/kit/a.ts', 'src/common/b.ts'],
    ['src/app/core/a.ts', 'src/ui/store/b.ts'],
    ['cli/a.ts', 'sim/exchange/b.ts'],
  ])('lets %s import %s', (from, to) => {
    const path = `${'../'.repeat(from.split('/').length - 1)}${to}`;
    expect(check({ [from]: `import '${path}';`, [to]: '' }).faults).toEqual([]);
  });

  test('finds a cycle, also one of type imports', () => {
    const { faults } = check({
      'src/calls/a.ts': "import { b } from './b.ts';\nexport interface A { b: typeof b }",
      'src/calls/b.ts': "export { c as b } from './c.ts';",
      'src/calls/c.ts': "import type { A } from './a.ts';\nexport const c: A | undefined = undefined;",
    });
    expect(faults).toEqual(['import cycle: src/calls/a.ts -> src/calls/b.ts -> src/calls/c.ts -> src/calls/a.ts']);
  });

  test('finds folders of the library that import each other, though no file is in a cycle', () => {
    const { faults } = check({
      'src/calls/client/a.ts': "import '../direct-call/b.ts';",
      'src/calls/client/d.ts': '',
      'src/calls/direct-call/b.ts': "import './c.ts';",
      'src/calls/direct-call/c.ts': "import '../client/d.ts';",
    });
    expect(faults).toEqual([
      expect.stringMatching(/^src\/calls\/direct-call\/c\.ts:1: imports src\/calls\/client\/d\.ts, but /),
      'folders import each other: src/calls/client -> src/calls/direct-call -> src/calls/client',
    ]);
  });

  test('reports other folders that import each other, without failing', () => {
    const outcome = check({
      'src/app/features/people/a.ts': "import '../chat/b.ts';",
      'src/app/features/people/d.ts': '',
      'src/app/features/chat/b.ts': "import './c.ts';",
      'src/app/features/chat/c.ts': "import '../people/d.ts';",
    });
    expect(outcome).toEqual({
      looked: '4 files, 3 edges; folders still import each other in src/app/features',
      faults: [],
    });
  });

  test('finds a file that imports itself', () => {
    const { faults } = check({ 'src/calls/a.ts': "export type A = import('./a.ts').A;" });
    expect(faults).toEqual(['import cycle: src/calls/a.ts -> src/calls/a.ts']);
  });

  test('fails when it read nothing', () => {
    expect(check({ 'README.md': 'nothing here' })).toEqual({
      looked: '0 files, 0 edges',
      faults: [expect.stringContaining('no source file')],
    });
    expect(check({ 'src/calls/a.ts': "import 'react';" }).faults).toEqual([
      expect.stringContaining('no import between'),
    ]);
  });

  test('fails on an import that it cannot resolve', () => {
    const { faults } = check({
      'src/calls/a.ts': "import './b.ts';\nimport './gone.ts';\nexport const load = (name: string) => import(name);",
      'src/calls/b.ts': "import 'ringback';\nimport '/src/calls/a.ts';",
      'src/calls/c.ts': 'import {',
      'src/elsewhere/d.ts': '',
    });
    expect(faults).toEqual([
      "src/calls/a.ts:2: imports './gone.ts', which does not exist",
      'src/calls/a.ts:3: imports a path that is computed, which no check can follow',
      "src/calls/b.ts:1: imports 'ringback': import our own files by a relative path",
      "src/calls/b.ts:2: imports '/src/calls/a.ts': import our own files by a relative path",
      expect.stringMatching(/^src\/calls\/c\.ts: cannot be parsed: /),
      'src/elsewhere/d.ts: is in no module of tools/checks/imports/rules.ts',
    ]);
  });

  test('reads every form of import', () => {
    const source = [
      "import './a.ts';",
      "import type { B } from './b.ts';",
      "export { c } from './c.ts';",
      "export * from './d.ts';",
      "export type { E } from './e.ts';",
      "const f = await import('./f.ts');",
      "type G = import('./g.ts').G;",
      "import h = require('./h.ts');",
      "type I = typeof import('./i.ts');",
      'const j: B | G | I = f; export { j, h };',
    ].join('\n');
    const read = readImports('all.ts', source).imports;
    expect(read.map(({ specifier, line }) => `${line} ${specifier}`).toSorted()).toEqual(
      'abcdefghi'.split('').map((letter, index) => `${index + 1} ./${letter}.ts`),
    );
  });
});

describe('documents check', () => {
  const TREE = {
    'package.json': '{ "scripts": { "check": "true" } }',
    Makefile: 'test:\n\ttrue\n',
    '.gitignore': 'dist/\n*.log\n',
    'cli/main.ts': "load: () => import('./commands/dial.ts')",
    'src/calls/index.ts': '',
    'docs/states.md': '# States',
  };
  const check = (readme: string, files: Record<string, string> = {}) =>
    checkDocuments(forgeTree({ ...TREE, ...files, 'README.md': readme }));

  test('passes existing references, and counts them', () => {
    const readme = [
      'Run `npm run check`, `make test` or `npx ringback dial bob`; see [states](docs/states.md#direct-call).',
      'Code is in `src/calls`, `src/calls/index.ts`, `src/calls/<name>.ts` and `src/**`; the build in `dist/app`.',
      '```sh',
      'npm run check -- --fix && make test # as ever',
      '```',
      '```js',
      "import * as ringback from 'ringback'; // see src/gone, make nothing",
      '```',
    ].join('\n');
    expect(check(readme)).toEqual({ looked: '11 references in 2 documents', faults: [] });
  });

  test('finds each missing reference, with its line', () => {
    const readme = [
      'Run `npm run gone`,',
      '`make gone`',
      'or `ringback gone`; see [it](docs/gone.md)',
      'and `src/gone/index.ts`, `gone.ts`, `src/gone/*.ts`.',
      '```sh',
      '$ npx ringback lost',
      '```',
    ].join('\n');
    expect(check(readme).faults).toEqual([
      'README.md:1: names `npm run gone`, which package.json does not have',
      'README.md:2: names `make gone`, which the Makefile does not have',
      'README.md:3: names `ringback gone`, which cli/main.ts does not have',
      'README.md:3: links to docs/gone.md, which does not exist',
      'README.md:4: names `src/gone/index.ts`, which does not exist',
      'README.md:4: names `gone.ts`, which does not exist',
      'README.md:4: names `src/gone/*.ts`, which does not exist',
      'README.md:6: names `ringback lost`, which cli/main.ts does not have',
    ]);
  });

  test('resolves a path from the root or from the folder of the document, and documents below docs', () => {
    const files = { 'docs/adr/0001.md': 'See `states.md`, [states](../states.md) and [it](states.md).' };
    expect(check('`src/calls`', files).faults).toEqual([
      'docs/adr/0001.md:1: names `states.md`, which does not exist',
      'docs/adr/0001.md:1: links to states.md, which does not exist',
    ]);
  });

  test('does not treat an ordinary word as a path', () => {
    const readme =
      '`src/calls`, `text/plain`, `GET /v1/users`, `/v1/a.html`, `@scope/name/a.css`, `a / b`, [web](https://a.b/c.md)';
    expect(check(readme)).toEqual({ looked: '1 references in 2 documents', faults: [] });
  });

  test('fails when it found no reference', () => {
    expect(check('Nothing here.')).toEqual({
      looked: '0 references in 2 documents',
      faults: [expect.stringContaining('nothing was checked')],
    });
  });
});

describe('generated documents check', () => {
  const DOCUMENTS = [{ path: 'docs/states.md', make: () => '# States\n' }];

  test('passes a document that equals its source', () => {
    expect(checkGenerated(forgeTree({ 'docs/states.md': '# States\n' }), DOCUMENTS).faults).toEqual([]);
  });

  test('fails on a document that differs and on a missing one', () => {
    const fault = 'docs/states.md differs from its sources: run npm run docs';
    expect(checkGenerated(forgeTree({ 'docs/states.md': '# Old\n' }), DOCUMENTS).faults).toEqual([fault]);
    expect(checkGenerated(forgeTree({}), DOCUMENTS).faults).toEqual([fault]);
  });
});

describe('generated parts of a document', () => {
  const PARTS = { words: ['| word |', '| --- |'] };
  const text = (content: string) =>
    `# Words\n\n<!-- made by npm run docs: words -->\n${content}<!-- end -->\n\nMore.\n`;

  test('replace the text between their marks, and keep the other text', () => {
    expect(fillParts(text('old\n'), PARTS)).toBe(text('\n| word |\n| --- |\n\n'));
    expect(fillParts(text(''), PARTS)).toBe(fillParts(text('old\n'), PARTS));
  });

  test('are refused when the document lacks one, or has an unknown one', () => {
    expect(() => fillParts('# Words\n', PARTS)).toThrow(
      'the document lacks the lines <!-- made by npm run docs: words',
    );
    expect(() => fillParts(text(''), {})).toThrow('no part has the name words');
  });

  test('of docs/scenarios.md have every word, key and type, and differ when a word is changed', () => {
    const written = readFileSync('docs/scenarios.md', 'utf8');
    const documents = [{ path: 'docs/scenarios.md', make: scenariosDocument }];
    expect(checkGenerated('.', documents).faults).toEqual([]);
    const words = TOPICS.flatMap((topic) => wordsOf(topic).map((name) => explain(topic, name)));
    const missing = words.flatMap((word) =>
      [word?.name ?? '', ...(word?.parts ?? []).map(({ name }) => name)].filter(
        (name) => !written.includes(`\`${name.replace(/^told\./, '')}\``),
      ),
    );
    expect(missing).toEqual([]);
    const changed = written.replace('Signs the user in at this device', 'Signs in');
    expect(changed).not.toBe(written);
    expect(checkGenerated(forgeTree({ 'docs/scenarios.md': changed }), documents).faults).toEqual([
      'docs/scenarios.md differs from its sources: run npm run docs',
    ]);
  });
});

describe('lock file check', () => {
  const MANIFEST = '{ "dependencies": { "a": "1" }, "devDependencies": { "b": "1" } }';
  const check = (packages: Record<string, object>) => {
    const signed = Object.fromEntries(
      Object.entries(packages).map(([path, locked]) => [path, { integrity: 'sha512-abc', ...locked }]),
    );
    const lock = JSON.stringify({ packages: signed });
    return checkLockFile(forgeTree({ 'package.json': MANIFEST, 'package-lock.json': lock }));
  };

  test('passes where every required package is present, beside or above the package that requires it', () => {
    const outcome = check({
      '': {},
      'node_modules/a': {
        dependencies: { '@c/c': '1' },
        optionalDependencies: { d: '1' },
        devDependencies: { z: '1' },
      },
      'node_modules/a/node_modules/@c/c': { dependencies: { e: '1', b: '1' } },
      'node_modules/a/node_modules/e': {},
      'node_modules/b': {},
      'node_modules/d': {},
    });
    expect(outcome).toEqual({ looked: '6 packages', faults: [] });
  });

  test('finds a missing package', () => {
    const { faults } = check({
      'node_modules/a': { optionalDependencies: { '@a/windows': '1' } },
      'node_modules/a/node_modules/e': {},
      'node_modules/c': { dependencies: { e: '1' } },
    });
    expect(faults).toEqual([
      'package-lock.json lacks @a/windows, which a asks for',
      'package-lock.json lacks e, which c asks for',
      'package-lock.json lacks b, which package.json asks for',
      expect.stringContaining('choose a version'),
    ]);
  });

  test('finds the development dependencies of a workspace in its own folder and above', () => {
    const workspace = { 'tools/old': { devDependencies: { typescript: '4', b: '1' } } };
    const packages = { ...workspace, 'node_modules/a': {}, 'node_modules/b': {} };
    expect(check(packages).faults[0]).toBe('package-lock.json lacks typescript, which tools/old asks for');
    expect(check({ ...packages, 'tools/old/node_modules/typescript': {} }).faults).toEqual([]);
  });

  test('S47 finds a package without its hash, except a workspace', () => {
    const whole = { 'node_modules/a': {}, 'node_modules/b': {} };
    expect(check({ ...whole, 'node_modules/own': { integrity: undefined, link: true } }).faults).toEqual([]);
    expect(check({ ...whole, 'node_modules/b': { integrity: 'sha1-abc' } }).faults).toEqual([
      'package-lock.json has no sha512 of b: delete its entry, and run npm install',
    ]);
  });

  test('fails when the lock file is empty', () => {
    expect(check({}).faults[0]).toContain('nothing was checked');
  });
});

describe('the linter', () => {
  const REFUSED = [
    'Date.now()',
    'new Date()',
    'performance.now()',
    'setTimeout(run, 1)',
    'setInterval(run, 1)',
    'globalThis.setTimeout(run, 1)',
    'Math.random()',
    'crypto.randomUUID()',
  ];

  const lint = (files: Record<string, string>) => {
    const rules = ['.oxlintrc.json', 'tools/checks/clock-rule.mjs'];
    const cwd = forgeTree({ ...Object.fromEntries(rules.map((path) => [path, readFileSync(path, 'utf8')])), ...files });
    const { stdout } = spawnSync(resolve('node_modules/.bin/oxlint'), ['-f', 'unix'], { cwd, encoding: 'utf8' });
    return stdout.match(/^\S+?:\d+(?=.*no-restricted-(globals|properties))/gm)?.toSorted();
  };

  test('refuses transactions outside database.transact, except in its implementation', () => {
    const source =
      'export const run = (db: any) => db.transaction().execute(() => 0);\nexport const begin = (db: any) => db.startTransaction();';
    const paths = ['sim/product/a.ts', 'sim/store/sql-store.ts', 'sim/store/postgres.ts', 'sim/store/shared-commit.ts'];
    expect(lint(Object.fromEntries(paths.map((path) => [path, source])))).toEqual(
      ['sim/product/a.ts', 'sim/store/sql-store.ts'].flatMap((path) => [`${path}:1`, `${path}:2`]),
    );
  });

  test('refuses time and randomness in the library, the protocol and the exchange, except in the ports', () => {
    const source = `export const use = (run: () => void) => [run,\n${REFUSED.join(',\n')}];`;
    const strict = ['src/calls/direct-call/a.ts', 'src/protocol/a.ts', 'sim/exchange/a.ts'];
    const free = ['src/calls/platform/browser/a.ts', 'sim/server/a.ts'];
    const files = Object.fromEntries([...strict, ...free].map((path) => [path, source]));
    const expected = strict.flatMap((path) => REFUSED.map((_, index) => `${path}:${index + 2}`));
    expect(lint(files)).toEqual(expected.toSorted());
  });
});

describe('an external tool', () => {
  test('counts as failed when it has read no file', () => {
    const { faults } = runTool('tsc', ['--version'], (output) => /on (\d+) files/.exec(output)?.[1]);
    expect(faults[0]).toBe('tsc passed, but did not say that it read a file:');
    expect(runTool('tsc', ['--version'], () => '0 files').faults).not.toEqual([]);
  });

  test('counts as failed, with its output, when it fails or is missing', () => {
    expect(runTool('tsc', ['--no-such-option'], () => '').faults.join('\n')).toContain('--no-such-option');
    expect(runTool('no-such-tool', [], () => '').faults).toEqual([expect.stringContaining('no-such-tool did not run')]);
  });
});

describe('documented code', () => {
  test('is the TypeScript of a document, each line at its number', () => {
    const document = [
      '# Calls',
      '```sh',
      'npm install',
      '```',
      '```ts',
      'let a = 1;',
      '```',
      'Text',
      '```tsx',
      '<p />;',
      '```',
    ];
    const code = ['', '', '', '', '', 'let a = 1;', '', '', '', '<p />;', ''];
    expect(codeIn(document.join('\n')).split('\n')).toEqual(code);
  });
});
