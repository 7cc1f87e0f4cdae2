/** The faults that `npm run check` finds in citations and in the index of the documents. */
import { describe, expect, test } from 'vitest';
import { checkCitations } from '../../../tools/checks/documents/check-citations.ts';
import { checkIndex } from '../../../tools/checks/documents/check-index.ts';
import { forgeTree } from './forged-tree.ts';

/** An id without a definition, outside the files of the check that reads this file. */
const id = (family: string, number: string) => `${family}${number}`;

describe('citations check', () => {
  const TREE = {
    'docs/spec/calling-library.md': '## 1. Purpose\n\n## 4. States\n\n### Hold\n',
    'docs/spec/app-shell.md': '## 2. Screens\n',
    'docs/spec/faults.md': '| id | fault |\n| --- | --- |\n| F01 | a reset |\n',
    'docs/spec/invariants.md': '## I1 No media\n\n### I12 Once\n',
    'docs/spec/host-behaviour.md': '| host | habit |\n| --- | --- |\n| 7 | null |\n',
    'docs/adr/0001-decisions.md': '| id  | question |\n| --- | --- |\n| D07 | the retry |\n',
    'specs/requirements.yaml': 'library:\n  DC-07: an accept\n  ERR-1800303: not authenticated\n',
  };
  const check = (files: Record<string, string>) => checkCitations(forgeTree({ ...TREE, ...files }));
  const faultsIn = (file: string, text: string) => check({ [file]: text }).faults;

  test('passes defined ids, and counts them', () => {
    const source = [
      '/** Holds (§4, D07, ADR 0001). See F01, I1 and I12; app-shell §2; RFC 6455 §7.4.1. */',
      "test('DC-07 ERR-1800303: an accept', () => {});",
      "it.each([1])('host 7: null', () => {});",
    ].join('\n');
    const { looked, faults } = check({ 'specs/unit/a.test.ts': source });
    expect(faults).toEqual([]);
    // Ten of the source, one for each definition of an id in the lists, and two requirements.
    expect(looked).toBe('16 citations of 7 ids');
  });

  test.each([
    ['S', '99'],
    ['B', '99'],
    ['F', '99'],
    ['D', '99'],
    ['I', '99'],
    ['L', '9'],
    ['DC-', '99'],
    ['DC-', '070'],
    ['ERR-', '1800999'],
  ])(
    'finds an id of %j in a comment, in a title, in a scenario and in a document, each with its line',
    (family, number) => {
      const cited = id(family, number);
      const fault = (place: string) => `${place}: cites ${cited}, which no document defines`;
      expect(faultsIn('src/calls/a.ts', `const a = 1;\n// As ${cited} has it.`)).toEqual([fault('src/calls/a.ts:2')]);
      expect(faultsIn('src/calls/a.ts', `/**\n * As it is.\n * (${cited}).\n */`)).toEqual([fault('src/calls/a.ts:3')]);
      expect(faultsIn('src/app/a.css', `a {\n}\n/* ${cited} */`)).toEqual([fault('src/app/a.css:3')]);
      for (const call of ['it', 'test.skip', 'describe.each([1])', 'test.describe']) {
        const title = `${call}(\n  '${cited}: holds', () => {});`;
        expect(faultsIn('specs/unit/a.test.ts', title), call).toEqual([fault('specs/unit/a.test.ts:2')]);
      }
      expect(faultsIn('specs/unit/a.test.ts', `it(\`${cited} of \${a}\`, run);`)).toEqual([
        fault('specs/unit/a.test.ts:1'),
      ]);
      expect(faultsIn('fixtures/scenarios/a.yaml', `name: a\ntags: [${cited}]`)).toEqual([
        fault('fixtures/scenarios/a.yaml:2'),
      ]);
      expect(faultsIn('docs/adr/0002-a.md', `# A\n\nSee ${cited}.`)).toEqual([fault('docs/adr/0002-a.md:3')]);
      expect(faultsIn('README.md', `See ${cited}.`)).toEqual([fault('README.md:1')]);
    },
  );

  test('does not treat a word of code, or a word that contains an id, as an id', () => {
    const source = [
      "const S98 = { key: 'F98', L2: 'B98' };",
      "expect(S98.key, 'D98').toBe('I98');",
      '// I420, UTF-8, sha-256, G722, xS98, S98x, ABC-S98, F1, D3, S3 and B2B are no ids of ours.',
    ].join('\n');
    expect(faultsIn('src/calls/a.ts', source)).toEqual([]);
  });

  test('finds a section that its document does not have', () => {
    const library = (place: string, number: string) =>
      `${place}: cites §${number}, which docs/spec/calling-library.md does not have`;
    const at = 'src/calls/a.ts:1';
    expect(faultsIn('src/calls/a.ts', '/** As said (§2). */')).toEqual([library(at, '2')]);
    expect(faultsIn('src/calls/a.ts', '/** calling library §4, §2 */')).toEqual([library(at, '2')]);
    expect(faultsIn('src/calls/a.ts', '/** §7.4.1 */')).toEqual([library(at, '7.4.1')]);
    expect(faultsIn('src/calls/a.ts', '/** App-shell §4 */')).toEqual([
      `${at}: cites §4, which docs/spec/app-shell.md does not have`,
    ]);
    expect(faultsIn('src/calls/a.ts', '/** app-shell §2, §4 */')).toEqual([
      `${at}: cites §4, which docs/spec/app-shell.md does not have`,
    ]);
  });

  test('reads a name and its section across the end of a line', () => {
    expect(faultsIn('src/calls/a.ts', '/**\n * As in app-shell\n * §2, and RFC\n * 8829 §5.10.\n */')).toEqual([]);
    expect(faultsIn('src/calls/a.ts', '// As in app-shell\n// §4.')).toHaveLength(1);
  });

  test('ignores sections of other documents, also in a list', () => {
    const comment =
      '/** RFC 8291 §3.1, §3.2; W3C WebRTC §4.4.1.6; W3C Media Capture and Streams §10.2; ITU-T G.107 §7.4 */';
    expect(faultsIn('src/calls/a.ts', comment)).toEqual([]);
  });

  test('requires the name of the document where two specifications are possible', () => {
    for (const file of ['src/app/a.ts', 'src/protocol/product/a.ts', 'specs/unit/app/a.test.ts']) {
      expect(faultsIn(file, '/** §4 */')).toEqual([
        `${file}:1: cites §4 of which document? Write app-shell §4 or calling library §4`,
      ]);
      expect(faultsIn(file, '/** app-shell §2, calling library §4 and RFC 6455 §7.4.1 */')).toEqual([]);
    }
  });

  test('finds a missing decision record', () => {
    expect(faultsIn('src/calls/a.ts', '/** ADR 0009 */')).toEqual([
      'src/calls/a.ts:1: cites ADR 0009, which docs/adr does not have',
    ]);
  });

  test('finds a missing habit of hosts, and does not treat an address as one', () => {
    expect(
      faultsIn('specs/unit/a.test.ts', "it('host 8: a habit', run); it('host 8 of 9', run); // host 127.0.0.1"),
    ).toEqual(['specs/unit/a.test.ts:1: cites host 8, which no document defines']);
  });

  test('finds an id with two definitions', () => {
    const { faults } = check({ 'docs/spec/bad-input.md': '| F01 | again |' });
    expect(faults).toEqual(['F01 is defined in docs/spec/bad-input.md and again in docs/spec/faults.md']);
  });

  test('skips generated and installed files', () => {
    const comment = `// ${id('F', '99')}`;
    const files = { 'src/app/core/i18n/generated/a.ts': comment, 'packages/a/node_modules/b/index.js': comment };
    expect(check(files).faults).toEqual([]);
  });

  test('fails when it found no citation', () => {
    expect(checkCitations(forgeTree({ 'README.md': 'Nothing here.' })).faults).toEqual([
      expect.stringContaining('nothing was checked'),
    ]);
  });
});

describe('index check', () => {
  const check = (index: string) =>
    checkIndex(forgeTree({ 'docs/README.md': index, 'docs/a.md': '', 'docs/adr/0001-b.md': '', 'README.md': '' }));

  test('passes where each document of docs has its link', () => {
    expect(check('[a](a.md), [b](adr/0001-b.md#status)')).toEqual({ looked: '2 documents', faults: [] });
  });

  test('finds a document without a link', () => {
    expect(check('[a](a.md), `adr/0001-b.md`').faults).toEqual(['docs/README.md does not link to docs/adr/0001-b.md']);
  });

  test('fails without an index, and without documents to list', () => {
    expect(checkIndex(forgeTree({ 'README.md': '' })).faults).toEqual(['docs/README.md does not exist']);
    expect(checkIndex(forgeTree({ 'docs/README.md': '' })).faults).toEqual([
      expect.stringContaining('nothing was checked'),
    ]);
  });
});
