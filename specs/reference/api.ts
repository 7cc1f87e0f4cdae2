/** Writes docs/api.md from the library's public declarations. */
import type { GatheredDeclaration, PublicDeclarations } from '../package/public-declarations.ts';
import { markdownTable } from './markdown-table.ts';

export const API_PATH = 'docs/api.md';

type Described = Pick<GatheredDeclaration, 'text' | 'doc'>;

/** The first sentence of a documentation comment. */
function firstSentence(doc: string): string {
  const linked = doc.replaceAll(/\{@link (\w+)\}/g, '`$1`');
  const prose = linked
    .replace(/@\w+[^]*$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /^.*?[.?!](?= |$)/.exec(prose)?.[0] ?? prose;
}

/** Where the parenthesis that opens `text` closes. */
function closingParenthesis(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ('([{'.includes(text[at] ?? '')) depth += 1;
    if (')]}'.includes(text[at] ?? '')) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** A declaration on one line, as one would say it: `dial(params: DialParams): DirectCall`. */
function signature(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replace(/^declare (const|let|function|class) /, '')
    .replace(/;$/, '');
  const [, name, type] = /^(\w+): (\(.*)$/.exec(line) ?? [];
  if (name === undefined || type === undefined) return line;
  const end = closingParenthesis(type);
  const result = type.slice(end + 1);
  return result.startsWith(' => ') ? `${name}${type.slice(0, end + 1)}: ${result.slice(4)}` : line;
}

const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;
const row = ({ text, doc }: Described) => [code(signature(text)), firstSentence(doc)];

/** The members of an enumeration: `Readonly<{ NONE: "none"; }>`. */
const enumerated = (text: string): string[][] | undefined =>
  /^declare const \w+: Readonly<\{/.test(text)
    ? [...text.matchAll(/(\w+): "(.*?)";/g)].map(([, name = '', value = '']) => [code(name), code(value)])
    : undefined;

const byName = (a: GatheredDeclaration, b: GatheredDeclaration) => a.name.localeCompare(b.name, 'en');

function withMembers({ name, text, doc, members }: GatheredDeclaration): string[] {
  const heading = signature(text.replace(/\{[^]*$/, '')).trim();
  const rows = members.filter((member) => member.name !== '').map(row);
  const isOnlyName = new RegExp(`^(interface )?${name}$`).test(heading);
  return [
    `### ${name}`,
    '',
    ...(isOnlyName ? [] : [code(heading), '']),
    ...(doc === '' ? [] : [firstSentence(doc), '']),
    ...markdownTable(['Member', 'What it is'], rows),
    '',
  ];
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines];

export function apiDocument({ declarations }: PublicDeclarations): string {
  const shown = declarations.filter(({ isPublic }) => isPublic).toSorted(byName);
  const variables = shown.filter(({ kind }) => kind === 'variable');
  const enumerations = variables.filter(({ text }) => enumerated(text) !== undefined);
  const isFunction = ({ kind, text }: GatheredDeclaration) => kind === 'function' || signature(text).includes('(');
  const functions = shown.filter((one) => (one.kind === 'function' || one.kind === 'variable') && isFunction(one));
  const values = variables.filter((one) => !isFunction(one) && !enumerations.includes(one));
  const named = new Set(enumerations.map(({ name }) => name));
  const types = shown.filter(({ kind, name }) => kind === 'type' && !named.has(name));
  const kinds = (all: readonly GatheredDeclaration[], kind: string) => all.filter((one) => one.kind === kind);
  const behind = declarations.filter(({ isPublic }) => !isPublic).toSorted(byName);
  return [
    '# The API of the library',
    '',
    'Every name that an app can import from `ringback`, and find on its default object. Made from `src/calls/index.ts` by',
    "`npm run docs`: change the sources, not this file. A `§` is a section of the calling library's specification. What",
    'a call can fail with is in [the error codes](errors.md).',
    '',
    ...section('Functions', [...markdownTable(['Function', 'What it does'], functions.map(row)), '']),
    ...section('Values', [...markdownTable(['Value', 'What it is'], values.map(row)), '']),
    ...section('Classes', kinds(shown, 'class').flatMap(withMembers)),
    ...section('What is passed and told', kinds(shown, 'interface').flatMap(withMembers)),
    ...section('Types', [...markdownTable(['Type', 'What it is'], types.map(row)), '']),
    ...section(
      'Enumerations',
      enumerations.flatMap(({ name, text, doc }) => [
        `### ${name}`,
        '',
        ...(doc === '' ? [] : [firstSentence(doc), '']),
        ...markdownTable(['Name', 'Value'], enumerated(text) ?? []),
        '',
      ]),
    ),
    ...section('Behind them', [
      'These have no name that can be imported; the ones above are made of them.',
      '',
      ...kinds(behind, 'interface').flatMap(withMembers),
      ...markdownTable(['Type', 'What it is'], kinds(behind, 'type').map(row)),
    ]),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
