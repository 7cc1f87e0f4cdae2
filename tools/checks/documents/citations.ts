/** Reads the citations of a text: ids, sections of the two specifications, decision records. */
import type { Definitions, Specification } from './definitions.ts';

export type Citation =
  | { readonly kind: 'id'; readonly id: string; readonly at: number }
  | { readonly kind: 'record'; readonly number: string; readonly at: number }
  | {
      readonly kind: 'section';
      readonly of: Specification;
      /** The document that the citation names. Default: the specification of the calling library. */
      readonly isNamed: boolean;
      readonly number: string;
      readonly at: number;
    };

/** The ids of the lists: S, B, F and D have two digits, I and L have one or two. */
const LISTED = String.raw`[SBFD]\d{2}|[IL]\d{1,2}`;
/** A habit of hosts is cited in the title of a test: `host 1: ...`. */
const HABIT = String.raw`host \d{1,2}(?=:)`;
const RECORD = /\bADR (\d{4})\b/g;

/** The separators between two words of a comment. A new line of it begins with a mark. */
const GAP = String.raw`[\s*/#]+`;
const worded = (pattern: string) => pattern.replaceAll(' ', GAP);
/** Sections are cited one by one or as a list, which has one document: `RFC 8291 §3.1, §3.2`. */
const SECTIONS = new RegExp(
  worded(
    String.raw`(?:(?:(?<ours>calling library|app-shell)|(?<other>RFC \d+|W3C(?: [\w-]+)+|ITU-T [A-Z]\.\d+)) )?` +
      String.raw`(?<list>§[\d.]*\d(?:,? (?:and |or |to )?§[\d.]*\d)*)`,
  ),
  'gi',
);

function sectionsIn(text: string): Citation[] {
  return [...text.matchAll(SECTIONS)].flatMap((found) => {
    const { ours, other, list = '' } = found.groups ?? {};
    if (other !== undefined) return [];
    const of = ours?.toLowerCase() === 'app-shell' ? 'app-shell' : 'calling library';
    const from = found.index + found[0].length - list.length;
    return [...list.matchAll(/§([\d.]*\d)/g)].map(({ index, 1: number = '' }): Citation => ({
      kind: 'section',
      of,
      isNamed: ours !== undefined,
      number,
      at: from + index,
    }));
  });
}

/** Finds every citation of a text. `at` is its offset. */
export function readCitations(text: string, { requirementPrefixes }: Definitions): Citation[] {
  const requirement = String.raw`(?:${[...requirementPrefixes].join('|')})-\d\w*`;
  const ids = new RegExp(String.raw`(?<![\w-])(?:${requirement}|${LISTED}|${HABIT})(?!\w)`, 'g');
  return [
    ...[...text.matchAll(ids)].map(({ 0: id, index: at }): Citation => ({ kind: 'id', id, at })),
    ...[...text.matchAll(RECORD)].map(({ 1: number = '', index: at }): Citation => ({ kind: 'record', number, at })),
    ...sectionsIn(text),
  ].toSorted((one, other) => one.at - other.at);
}
