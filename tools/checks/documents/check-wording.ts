/** Fails when a document, a message, or a comment of the listed folders has a word that CONTRIBUTING.md forbids. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import type { CheckOutcome } from '../outcome.ts';
import { readProse } from './prose.ts';

/** The files that are checked. CONTRIBUTING.md quotes the words, so it is not in this list. */
const FILES = [
  'README.md',
  'ARCHITECTURE.md',
  'docs/**/*.md',
  '{src,sim,cli,tools,packages,specs,fixtures}/**/*.{ts,tsx,mjs,css}',
  'fixtures/**/*.yaml',
  // Scenarios with such a word in a name, which is no prose.
  '!fixtures/scenarios/direct/callee-absent.yaml',
  'src/app/core/i18n/messages/en/*.json',
];
const FORBIDDEN = /\b(?:whoever|whom|nobody|somebody|is told|one['’]s own|what there is|stands in|goes by)\b/gi;

/** @param patterns - the files that are read, as globs from the root. Default: those that follow the rules already. */
export function checkWording(root: string, patterns: readonly string[] = FILES): CheckOutcome {
  const files = globSync([...patterns], {
    cwd: root,
    ignore: ['**/node_modules/**', '**/i18n/generated*/**'],
  }).toSorted();
  const faults = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const prose = file.endsWith('.json') ? [{ text: source, at: 0 }] : readProse(file, source);
    return prose.flatMap(({ text, at }) =>
      [...text.matchAll(FORBIDDEN)].map(({ 0: word, index }) => {
        const line = source.slice(0, at + index).split('\n').length;
        return `${file}:${line}: says "${word}"; name the actor, as CONTRIBUTING.md explains`;
      }),
    );
  });
  return {
    looked: `${files.length} files`,
    faults: files.length === 0 ? ['no file was found: nothing was checked'] : faults,
  };
}
