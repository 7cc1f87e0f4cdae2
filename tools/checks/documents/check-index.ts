/** Fails when docs/README.md does not link to a document of docs. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { CheckOutcome } from '../outcome.ts';
import { readReferences } from './references.ts';
import { readRepository } from './repository.ts';

const INDEX = 'docs/README.md';

export function checkIndex(root: string): CheckOutcome {
  const { documents, isTop } = readRepository(root);
  const listed = documents.filter((document) => document.startsWith('docs/') && document !== INDEX);
  if (!documents.includes(INDEX)) return { looked: '0 documents', faults: [`${INDEX} does not exist`] };
  const links = readReferences(readFileSync(join(root, INDEX), 'utf8'), isTop).filter(({ kind }) => kind === 'link');
  const targets = new Set(links.map(({ name }) => posix.join('docs', name)));
  return {
    looked: `${listed.length} documents`,
    faults:
      listed.length === 0
        ? ['no document was found below docs: nothing was checked']
        : listed
            .filter((document) => !targets.has(document))
            .map((document) => `${INDEX} does not link to ${document}`),
  };
}
