/** Makes the tables of docs/scenarios.md from the descriptions of the words of scenario files. */
import { isRoomAction } from '../../sim/scenario/format/actions.ts';
import {
  explain,
  type ExplainedPart,
  type Explanation,
  type Topic,
  wordsOf,
} from '../../sim/scenario/format/explain.ts';
import { fillParts } from './fill-parts.ts';
import { alignedTable } from './markdown-table.ts';

const code = (word: string): string => `\`${word}\``;
const listed = (words: readonly string[]): string => [...new Set(words)].map(code).join(', ');
const all = (topic: Topic): Explanation[] => wordsOf(topic).map((name) => explain(topic, name) as Explanation);

/** Returns the rows of which all cells but the first are equal as one row. */
function merged(rows: readonly (readonly [word: string, ...cells: string[]])[]): string[][] {
  const words = new Map<string, string[]>();
  for (const [word, ...cells] of rows) {
    const key = JSON.stringify(cells);
    words.set(key, [...(words.get(key) ?? []), word]);
  }
  return [...words].map(([key, same]) => [listed(same), ...(JSON.parse(key) as string[])]);
}

/** Returns the words with their effects and an example of a step. */
const effects = (column: string, words: readonly Explanation[]): string[] =>
  alignedTable(
    [column, 'effect', 'example'],
    words.map(({ name, description, example = '' }) => [code(name), description, code(example)]),
  );

/** Returns the parameters or keys of words. Equal ones of several words are in one row. */
const parts = (column: string, key: string, words: readonly Explanation[]): string[] =>
  alignedTable(
    [column, key, 'value', 'description'],
    merged(words.flatMap((word) => word.parts.map((part) => [word.name, code(part.name), valueOf(part), told(part)]))),
  );

const valueOf = ({ type, isRequired }: ExplainedPart): string => `${type}${isRequired ? '; required' : ''}`;

function told({ description, default: fallback, meanings }: ExplainedPart): string {
  const ending = fallback === undefined ? '' : ` Default: ${code(`${fallback as string | number | boolean}`)}.`;
  const values = Object.entries(meanings ?? {}).map(([value, meaning]) => `<br>${code(value)}: ${meaning}`);
  return `${description}${ending}${values.join('')}`;
}

/** The paths that differ only in the name of a function of the host. */
const TOLD = 'told.';

const paths = (words: readonly Explanation[]): string[] => {
  const functions = words.filter(({ name }) => name.startsWith(TOLD)).map(({ name }) => name.slice(TOLD.length));
  const rows = words
    .filter(({ name }) => !name.startsWith(TOLD))
    .map((word) => [code(word.name), word.type ?? '', word.description]);
  const ofFunctions = `How often the library called this function of the host, or emitted this event: ${listed(functions)}.`;
  return alignedTable(
    ['path', 'value', 'description'],
    functions.length === 0 ? rows : [...rows, [code(`${TOLD}NAME`), 'a number', ofFunctions]],
  );
};

/** Returns the meanings of the values of paths. Equal ones of several paths are in one row. */
const meanings = (words: readonly Explanation[]): string[] =>
  alignedTable(
    ['path', 'value', 'meaning'],
    merged(
      words.flatMap(({ name, meanings: all_ = {} }) =>
        Object.entries(all_).map(([value, meaning]) => [name, code(value), meaning] as const),
      ),
    ).map(([names = '', value = '', meaning = '']) => [names, value, meaning]),
  );

const isRoomPath = ({ name }: Explanation): boolean =>
  /^(?:room|rooms|invitations|endpoint|server\.(?:rooms|participants|connected|endpoints|invitations))(?:\.|$)/.test(
    name,
  );

/** Returns the document with its tables. */
export function scenariosDocument(written: string): string {
  const [actions, faults, values] = [all('action'), all('fault'), all('path')];
  const [ofRooms, ofCalls] = [
    actions.filter(({ name }) => isRoomAction(name)),
    actions.filter(({ name }) => !isRoomAction(name)),
  ];
  const verbs = all('verb');
  const bounds = wordsOf('bound');
  return fillParts(written, {
    head: alignedTable(
      ['key', 'value', 'content'],
      all('head').map(({ name, type = '', description }) => [code(name), type, description]),
    ),
    verbs: effects('verb', verbs),
    keys: parts(
      'verb',
      'key',
      // The bounds of `expect` and `see` have a table of their own. `times` of a fault is no bound.
      verbs.map((verb) =>
        verb.name === 'expect' || verb.name === 'see'
          ? { ...verb, parts: verb.parts.filter(({ name }) => !bounds.includes(name)) }
          : verb,
      ),
    ),
    bounds: alignedTable(
      ['bound', 'value', 'meaning', 'example'],
      all('bound').map(({ name, type = '', description, example = '' }) => [
        code(name),
        type,
        description,
        code(example),
      ]),
    ),
    actions: effects('action', ofCalls),
    parameters: parts('action', 'parameter', ofCalls),
    paths: paths(values.filter((path) => !isRoomPath(path))),
    meanings: meanings(values),
    'room-actions': effects('action', ofRooms),
    'room-parameters': parts('action', 'parameter', ofRooms),
    'room-paths': paths(values.filter(isRoomPath)),
    faults: effects('kind', faults),
    'fault-keys': parts('kind', 'key', faults),
    fragment: parts('file', 'key', all('fragment')),
  });
}
