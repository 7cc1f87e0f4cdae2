/** The ids that documents and comments may cite, the sections of the two specifications, and the decision records. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export type Specification = 'calling library' | 'app-shell';

export interface Definitions {
  /** Each defined id, with the documents that define it. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** The prefix of the id of a requirement: `DC`. */
  readonly requirementPrefixes: ReadonlySet<string>;
  readonly sections: Readonly<Record<Specification, ReadonlySet<string>>>;
  /** The numbers of the decision records: `0017`. */
  readonly records: ReadonlySet<string>;
}

export const SPECIFICATIONS: Readonly<Record<Specification, string>> = {
  'calling library': 'docs/spec/calling-library.md',
  'app-shell': 'docs/spec/app-shell.md',
};

const REQUIREMENTS = 'specs/requirements.yaml';
const DECISIONS = 'docs/adr/0001-decisions.md';

/** A row of a table or a heading that begins with an id. */
const DEFINED_ID = /^(?:\| *|#+ )([SBFILD]\d{1,2}|host \d{1,2})\b/gm;
/** In the table of host-behaviour.md a habit is a bare number. */
const HABIT = /^\| *(\d{1,2}) *\|/gm;
const REQUIREMENT = /^ +([A-Z]+)-(\w+):/gm;
const SECTION = /^## (\d+)\. /gm;

const textOf = (root: string, path: string) =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';

const namesIn = (root: string, folder: string) =>
  existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];

export function readDefinitions(root: string): Definitions {
  const ids = new Map<string, string[]>();
  const define = (id: string, document: string) => ids.set(id, [...(ids.get(id) ?? []), document]);

  const lists = namesIn(root, 'docs/spec').map((name) => posix.join('docs/spec', name));
  for (const document of [...lists, DECISIONS]) {
    const text = textOf(root, document);
    for (const [, id = ''] of text.matchAll(DEFINED_ID)) define(id, document);
    if (!document.endsWith('/host-behaviour.md')) continue;
    for (const [, number = ''] of text.matchAll(HABIT)) define(`host ${number}`, document);
  }

  const requirementPrefixes = new Set<string>();
  for (const [, prefix = '', number = ''] of textOf(root, REQUIREMENTS).matchAll(REQUIREMENT)) {
    requirementPrefixes.add(prefix);
    define(`${prefix}-${number}`, REQUIREMENTS);
  }

  const sectionsOf = (path: string) =>
    new Set([...textOf(root, path).matchAll(SECTION)].map(([, number = '']) => number));
  return {
    ids,
    requirementPrefixes,
    sections: {
      'calling library': sectionsOf(SPECIFICATIONS['calling library']),
      'app-shell': sectionsOf(SPECIFICATIONS['app-shell']),
    },
    records: new Set(namesIn(root, 'docs/adr').map((name) => name.slice(0, 4))),
  };
}
