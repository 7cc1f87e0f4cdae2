/** Writes docs/api.md and docs/react-api.md from the public declarations of the library and its React binding. */
import type { GatheredDeclaration, PublicDeclarations } from '../package/public-declarations.ts';
import { markdownTable } from './markdown-table.ts';

export const API_PATH = 'docs/api.md';
export const REACT_PATH = 'docs/react-api.md';

type Described = Pick<GatheredDeclaration, 'text' | 'doc'>;

const asLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Returns the first paragraph of a documentation comment, on one line. */
function summary(doc: string): string {
  const [paragraph = ''] = doc.replaceAll(/\{@link\s+([\w.]+)\}/g, '`$1`').split(/\n\s*\n|(?:^|\s)@\w+/);
  return asLine(paragraph);
}

/** Returns the errors that a documentation comment names, each once: `NAME (1800300)`, or a class other than CallError. */
const errorsIn = (doc: string): string[] => [
  ...new Set(asLine(doc).match(/\b[A-Z_]+ \(\d{7}\)|(?<=@throws )(?!CallError\b)\w+/g)),
];

/** Returns the index at which the parenthesis that opens `text` closes. -1 when it does not. */
function closingParenthesis(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ('([{'.includes(text[at] ?? '')) depth += 1;
    if (')]}'.includes(text[at] ?? '')) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** Returns a declaration on one line: `dial(params: DialParams): DirectCall`. */
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
const row = ({ text, doc }: Described) => [code(signature(text)), summary(doc)];
const rowWithErrors = ({ text, doc }: Described) => [code(signature(text)), summary(doc), errorsIn(doc).join(', ')];

/** The rows of functions or members, with a column for errors when one of them names an error. */
function table(title: string, described: readonly Described[]): string[] {
  return described.some(({ doc }) => errorsIn(doc).length > 0)
    ? markdownTable([title, 'Description', 'Errors'], described.map(rowWithErrors))
    : markdownTable([title, 'Description'], described.map(row));
}

/** Returns the members of an enumeration, such as `Readonly<{ NONE: "none"; }>`. */
const enumerated = (text: string): string[][] | undefined =>
  /^declare const \w+: Readonly<\{/.test(text)
    ? [...text.matchAll(/(\w+): "(.*?)";/g)].map(([, name = '', value = '']) => [code(name), code(value)])
    : undefined;

const byName = (a: GatheredDeclaration, b: GatheredDeclaration) => a.name.localeCompare(b.name, 'en');

function withMembers({ name, text, doc, members }: GatheredDeclaration): string[] {
  const heading = signature(text.replace(/\{[^]*$/, '')).trim();
  const named = members.filter((member) => member.name !== '');
  const isOnlyName = new RegExp(`^(interface )?${name}$`).test(heading);
  return [
    `### ${name}`,
    '',
    ...(isOnlyName ? [] : [code(heading), '']),
    ...(doc === '' ? [] : [summary(doc), '']),
    ...table('Member', named),
    '',
  ];
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines];

/** Returns the sections of a reference. */
function linesOf({ declarations }: PublicDeclarations): string[] {
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
    ...section('Functions', [...table('Function', functions), '']),
    ...section('Values', [...table('Value', values), '']),
    ...section('Classes', kinds(shown, 'class').flatMap(withMembers)),
    ...section('Parameters, results and listeners', kinds(shown, 'interface').flatMap(withMembers)),
    ...section('Types', [...table('Type', types), '']),
    ...section(
      'Enumerations',
      enumerations.flatMap(({ name, text, doc }) => [
        `### ${name}`,
        '',
        ...(doc === '' ? [] : [summary(doc), '']),
        ...markdownTable(['Name', 'Value'], enumerated(text) ?? []),
        '',
      ]),
    ),
    ...section('Internal types', [
      'The names above refer to these types. An app cannot import them.',
      '',
      ...kinds(behind, 'interface').flatMap(withMembers),
      ...table('Type', kinds(behind, 'type')),
    ]),
  ];
}

const documentOf = (title: string, about: readonly string[], read: PublicDeclarations): string =>
  [`# ${title}`, '', ...about, '', ...linesOf(read)].join('\n').trimEnd().concat('\n');

/** Returns docs/api.md. */
export const apiDocument = (read: PublicDeclarations): string =>
  documentOf(
    'The API of the library',
    [
      'Every name that an app can import from `ringback`, and find on its default object. Made from `src/calls/index.ts` by',
      '`npm run docs`: change the sources, not this file. A `§` is a section of [the specification](spec/calling-library.md),',
      'a `D` with a number is [a decision](adr/0001-decisions.md). An error is a `CallError` with the number as its `code`:',
      '[the error codes](errors.md). A promise rejects with it; another function throws it.',
    ],
    read,
  );

/** Returns docs/react-api.md. */
export const reactDocument = (read: PublicDeclarations): string =>
  documentOf(
    'The API of the React binding',
    [
      'Every name that an app can import from `ringback/react`. Made from `src/react/index.ts` by `npm run docs`: change the',
      'sources, not this file. [The guide](react.md) has examples.',
    ],
    read,
  );
