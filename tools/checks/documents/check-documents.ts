/** Fails when a document names a path, a script, a make target or a ringback command that does not exist. */
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { CheckOutcome } from '../outcome.ts';
import { type Reference, readReferences } from './references.ts';
import { type Repository, readRepository } from './repository.ts';

/** Returns the part of a path before its first placeholder, such as `src/<name>.ts` and `specs/**`. */
const fixedPart = (path: string) => {
  const placeholder = path.search(/[*<{]/);
  return placeholder < 0 ? path : path.slice(0, path.lastIndexOf('/', placeholder) + 1);
};

function pathExists(repository: Repository, document: string, path: string): boolean {
  const fixed = fixedPart(path);
  const fromDocument = posix.normalize(posix.join(dirname(document), fixed));
  return [posix.normalize(fixed || '.'), fromDocument].some(
    (candidate) => repository.isMade(candidate) || repository.exists(candidate),
  );
}

function faultOf(repository: Repository, document: string, { kind, name }: Reference): string | undefined {
  switch (kind) {
    case 'link': {
      const target = posix.normalize(posix.join(dirname(document), decodeURIComponent(name)));
      return repository.exists(target) ? undefined : `links to ${name}, which does not exist`;
    }
    case 'path':
      return pathExists(repository, document, name) ? undefined : `names \`${name}\`, which does not exist`;
    case 'script':
      return repository.scripts.has(name) ? undefined : `names \`npm run ${name}\`, which package.json does not have`;
    case 'target':
      return repository.targets.has(name) ? undefined : `names \`make ${name}\`, which the Makefile does not have`;
    case 'command':
      return repository.commands.has(name) ? undefined : `names \`ringback ${name}\`, which cli/main.ts does not have`;
    default:
      return kind satisfies never;
  }
}

export function checkDocuments(root: string): CheckOutcome {
  const repository = readRepository(root);
  const references = repository.documents.flatMap((document) =>
    readReferences(readFileSync(join(root, document), 'utf8'), repository.isTop).map((reference) => ({
      document,
      reference,
    })),
  );
  const faults = references.flatMap(({ document, reference }) => {
    const fault = faultOf(repository, document, reference);
    return fault ? [`${document}:${reference.line}: ${fault}`] : [];
  });
  return {
    looked: `${references.length} references in ${repository.documents.length} documents`,
    faults: references.length === 0 ? ['no reference was found in any document: nothing was checked'] : faults,
  };
}
