/** The faults of a file in words for its author. No word of a library is in them. */
import type * as v from 'valibot';
import { partsOf } from './about.ts';
import { didYouMean, knownInstead } from './near-word.ts';

type Keys = readonly (string | number)[];

/** The part of a file that was checked. */
interface Checked {
  readonly schema: v.GenericSchema;
  readonly value: unknown;
}

/** Syntax errors of YAML, by the code of the parser. */
const SYNTAX: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'the file has a second document here: a file has one, without lines of ---',
  TAB_AS_INDENT: 'a tab is here: lines are indented with spaces',
  BLOCK_AS_IMPLICIT_KEY: 'a second colon is in this line: put a text with a colon in quotes',
  MULTILINE_IMPLICIT_KEY: 'this line has no colon, or is not indented as the lines around it',
  KEY_OVER_1024_CHARS: 'a key is longer than 1024 characters',
  IMPOSSIBLE: 'this part cannot be read',
};

/** Returns a syntax error in words. */
export const syntaxWords = (code: string, message: string): string =>
  SYNTAX[code] ?? (message.split('\n')[0] ?? message).replace(/\s*\(?at line \d+.*$/, '');

/** Returns a fault of a schema in words. */
export function faultWords(issue: v.BaseIssue<unknown>, keys: Keys, checked: Checked): string {
  const where = keys.join('.') || 'this';
  if (issue.type === 'strict_object') {
    if (issue.expected === 'never') {
      const around = schemaAt(checked, keys.slice(0, -1));
      const known = around ? knownInstead(String(keys.at(-1)), Object.keys(partsOf(around))) : '';
      return `${where} is not known here${known}`;
    }
    if (keys.length === 0) return `a map is expected here, of ${Object.keys(partsOf(checked.schema)).join(', ')}`;
    return `${where} is missing`;
  }
  const [own, other] = issue.type === 'union' ? (issue.issues ?? []) : [];
  // A text that is neither a value nor a reference is reported as a wrong value.
  if (own && other?.type === 'custom') return faultWords(own, keys, checked);
  if (issue.type === 'variant' || issue.type === 'picklist') {
    const choices = (issue.expected ?? '').replaceAll(/["()]/g, '').split(' | ');
    const meant = didYouMean(issue.received.replaceAll('"', ''), choices);
    return `${where} must be one of ${choices.join(', ')}; found ${found(issue)}${meant}`;
  }
  if (issue.type === 'min_length') return `${where} must not be empty`;
  if (issue.message.startsWith('must ')) {
    // For a check on a map the found type says nothing new.
    const ending = issue.type === 'check' && issue.received === 'Object' ? '' : `; found ${found(issue)}`;
    return `${where} ${issue.message}${ending}`;
  }
  return `${where} must be ${expected(issue)}; found ${found(issue)}`;
}

const TYPES: Readonly<Record<string, string>> = {
  Object: 'a map',
  Array: 'a list',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  null: 'nothing',
  undefined: 'nothing',
};

const found = ({ received }: v.BaseIssue<unknown>): string => TYPES[received] ?? received;

/** Returns the expected value in words: `a map or a text`, `at least 1`. */
function expected({ type, expected: written }: v.BaseIssue<unknown>): string {
  if (type === 'integer') return 'a whole number';
  if (type === 'custom' || written === null) return 'something else';
  const bound = /^([<>])=(.+)$/.exec(written);
  if (bound) return `${bound[1] === '>' ? 'at least' : 'at most'} ${bound[2]}`;
  return written
    .replaceAll(/["()]/g, '')
    .split(' | ')
    .map((word) => TYPES[word] ?? word)
    .join(' or ');
}

/** Returns the schema of a part. Undefined if it could be one of several. */
function schemaAt({ schema, value }: Checked, keys: Keys): v.GenericSchema | undefined {
  let at: Checked | undefined = { schema: plain({ schema, value }), value };
  for (const key of keys) {
    const parts: Readonly<Record<string, v.GenericSchema>> = partsOf(at.schema);
    const next: v.GenericSchema | undefined = Object.hasOwn(parts, key) ? parts[key] : elementOf(at.schema);
    if (!next) return undefined;
    const inner: unknown = (at.value as Readonly<Record<string, unknown>> | undefined)?.[key];
    at = { schema: plain({ schema: next, value: inner }), value: inner };
  }
  return 'entries' in at.schema ? at.schema : undefined;
}

/** Returns the schema of an element of a list, or of a value of a map without fixed keys. */
function elementOf(schema: v.GenericSchema): v.GenericSchema | undefined {
  if ('item' in schema) return schema.item as v.GenericSchema;
  return schema.type === 'record' && 'value' in schema ? (schema.value as v.GenericSchema) : undefined;
}

/** Returns a schema without what is around it: of a part that may be absent, and of the variant of a value. */
function plain({ schema, value }: Checked): v.GenericSchema {
  if ('wrapped' in schema) return plain({ schema: schema.wrapped as v.GenericSchema, value });
  if (schema.type !== 'variant') return schema;
  const { key, options } = schema as unknown as { readonly key: string; readonly options: readonly v.GenericSchema[] };
  const chosen = (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  const isChosen = (option: v.GenericSchema) => {
    const literal = partsOf(option)[key];
    return literal !== undefined && 'literal' in literal && literal.literal === chosen;
  };
  return options.find(isChosen) ?? schema;
}
