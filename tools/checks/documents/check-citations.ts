/** Fails when a comment, a test title, a scenario or a document cites an id that no document defines. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { CheckOutcome } from '../outcome.ts';
import { type Citation, readCitations } from './citations.ts';
import { type Definitions, readDefinitions, SPECIFICATIONS } from './definitions.ts';
import { readProse } from './prose.ts';
import { ROOT_DOCUMENTS } from './repository.ts';

const FOLDERS = ['docs', 'src', 'sim', 'cli', 'specs', 'tools', 'packages', 'fixtures'];
// A generated file cites the same ids as its source.
const SKIPPED = new Set(['node_modules', 'generated', 'generated-for-tests']);

function filesBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(root, path);
    return entry.isFile() ? [path] : [];
  });
}

/** Code of the app may cite two specifications, so it names the one that it cites. */
const isOfApp = (file: string) => /^(src\/app|src\/protocol\/product|specs\/unit\/app)\//.test(file);

function faultOf(definitions: Definitions, file: string, citation: Citation): string | undefined {
  switch (citation.kind) {
    case 'id':
      return definitions.ids.has(citation.id) ? undefined : `cites ${citation.id}, which no document defines`;
    case 'record': {
      const isThere = definitions.records.has(citation.number);
      return isThere ? undefined : `cites ADR ${citation.number}, which docs/adr does not have`;
    }
    case 'section': {
      if (isOfApp(file) && !citation.isNamed) {
        return `cites §${citation.number} of which document? Write app-shell §${citation.number} or calling library §${citation.number}`;
      }
      const isThere = definitions.sections[citation.of].has(citation.number);
      return isThere ? undefined : `cites §${citation.number}, which ${SPECIFICATIONS[citation.of]} does not have`;
    }
    default:
      return citation satisfies never;
  }
}

export function checkCitations(root: string): CheckOutcome {
  const definitions = readDefinitions(root);
  const files = [...ROOT_DOCUMENTS, ...FOLDERS.flatMap((folder) => filesBelow(root, folder))].filter((file) =>
    existsSync(join(root, file)),
  );
  let count = 0;
  const faults = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return readProse(file, source).flatMap(({ text, at }) => {
      const citations = readCitations(text, definitions);
      count += citations.length;
      return citations.flatMap((citation) => {
        const fault = faultOf(definitions, file, citation);
        if (fault === undefined) return [];
        return [`${file}:${source.slice(0, at + citation.at).split('\n').length}: ${fault}`];
      });
    });
  });
  const twice = [...definitions.ids].flatMap(([id, [first, second]]) =>
    second === undefined ? [] : [`${id} is defined in ${first} and again in ${second}`],
  );
  return {
    looked: `${count} citations of ${definitions.ids.size} ids`,
    faults: count === 0 ? ['no citation was found: nothing was checked'] : [...twice, ...faults],
  };
}
