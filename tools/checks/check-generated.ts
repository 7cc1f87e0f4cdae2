/** Fails when a generated document differs from its sources. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GeneratedDocument } from '../reference/documents.ts';
import type { CheckOutcome } from './outcome.ts';

export function checkGenerated(root: string, documents: readonly GeneratedDocument[]): CheckOutcome {
  const isCurrent = ({ path, make }: GeneratedDocument) => {
    if (!existsSync(join(root, path))) return false;
    const written = readFileSync(join(root, path), 'utf8');
    return written === make(written);
  };
  return {
    looked: `${documents.length} documents`,
    faults: documents
      .filter((document) => !isCurrent(document))
      .map(({ path }) => `${path} differs from its sources: run npm run docs`),
  };
}
