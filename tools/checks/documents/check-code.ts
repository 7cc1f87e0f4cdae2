/** Fails when the TypeScript of a document does not compile against the packages that the document describes. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ONE_CHECKER } from '../../run/go-tools.ts';
import type { CheckOutcome } from '../outcome.ts';
import { runTool } from '../run-tool.ts';

/** The documents with code, and the declarations that each of them takes for granted, on one line. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'docs/react.md': '',
  'docs/testing.md':
    "declare const world: import('ringback-lab/testing').World; declare const page: import('@playwright/test').Page;",
};

/** The sources of the packages. The tests of the hosts compile against their built types. */
const SOURCES = {
  ringback: 'src/calls/package.ts',
  'ringback/react': 'src/react/index.ts',
  'ringback-lab/testing': 'cli/testing/testing.ts',
  'ringback-lab/testing/playwright': 'cli/testing/playwright.ts',
  'ringback-lab/testing/vitest': 'cli/testing/vitest.ts',
};

/** The folder of the extracted code. */
const FOLDER = '.results/documented-code';
const UP = '../..';

/**
 * Returns the blocks of TypeScript of a document as one file. Each line keeps its number, and the other lines are empty.
 * The names of a block are known in later ones.
 */
export function codeIn(document: string): string {
  let isCode = false;
  return document
    .split('\n')
    .map((line) => {
      if (!line.startsWith('```')) return isCode ? line : '';
      isCode = !isCode && /^```tsx?$/.test(line);
      return '';
    })
    .join('\n');
}

export function checkCode(): CheckOutcome {
  rmSync(FOLDER, { recursive: true, force: true });
  for (const [document, declarations] of Object.entries(DOCUMENTS)) {
    const code = codeIn(readFileSync(document, 'utf8'));
    if (code.trim() === '') return { looked: '0 documents', faults: [`${document} has no TypeScript`] };
    const file = join(FOLDER, `${document}.tsx`);
    mkdirSync(dirname(file), { recursive: true });
    // The first line of a document is its heading.
    writeFileSync(file, `${declarations}${code}\nexport {};\n`);
  }
  const paths = Object.entries(SOURCES).map(([name, source]) => [name, [`${UP}/${source}`]]);
  const configuration = {
    extends: `${UP}/tsconfig.json`,
    compilerOptions: { rootDir: UP, noUnusedLocals: false, paths: Object.fromEntries(paths) },
    include: ['docs'],
    exclude: [],
  };
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(configuration));
  const count = `${Object.keys(DOCUMENTS).length} documents`;
  const { faults } = runTool('tsc', ['-p', join(FOLDER, 'tsconfig.json'), ONE_CHECKER], () => count);
  return { looked: count, faults: faults.map((fault) => fault.replace(`${FOLDER}/`, '').replace('.md.tsx(', '.md(')) };
}
