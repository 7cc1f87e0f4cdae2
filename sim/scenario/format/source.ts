/** A YAML file that people write: its value, what is wrong with it, and where everything stands in it. */
import * as v from 'valibot';
import { type Document, isMap, isNode, isPair, LineCounter, parseDocument, visit } from 'yaml';
import { didYouMean } from './near-word.ts';
import type { Place } from './tree.ts';

/** Something wrong with a file: what was found, and what was meant. */
export interface FileFault extends Place {
  readonly message: string;
}

/** A file that cannot be used. The message is `file:line:column: what is wrong`, one line a fault. */
export class InvalidFile extends Error {
  readonly faults: readonly FileFault[];

  constructor(faults: readonly FileFault[]) {
    super(faults.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'));
    this.name = 'InvalidFile';
    this.faults = faults;
  }
}

/** The largest file, characters. */
const LARGEST = 256 * 1024;
/** Where something stands in a file: the keys and indexes that lead there. */
export type Path = readonly (string | number)[];

/** What a file says, and what is wrong with it. */
export abstract class Written {
  readonly file: string;
  /** What it says; undefined where it cannot be told. */
  abstract readonly value: unknown;
  readonly faults: FileFault[] = [];

  constructor(file: string) {
    this.file = file;
  }

  /** Where the key of this path stands, else what is nearest around it. */
  abstract placeOf(path: Path): Place;

  fault(path: Path, message: string): void {
    this.faults.push({ ...this.placeOf(path), message });
  }

  /** Checks a part against its schema; faults are told with the whole path. */
  check<S extends v.GenericSchema>(schema: S, value: unknown, at: Path): v.InferOutput<S> | undefined {
    const isList = Array.isArray(value) && schema.type === 'strict_object';
    // A list is an object to the schema, whose keys would be told one by one.
    const result = v.safeParse(schema, isList ? null : value);
    if (result.success) return result.output;
    for (const issue of result.issues) {
      const keys = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
      this.fault([...at, ...keys], messageOf(issue, keys, schema));
    }
    return undefined;
  }
}

/** A YAML file, its parsed form and where everything stands in it. */
export class Source extends Written {
  readonly value: unknown;
  readonly #document: Document;
  readonly #lines = new LineCounter();

  constructor(file: string, text: string) {
    super(file);
    this.#document = parseDocument(text.length > LARGEST ? '' : text, {
      lineCounter: this.#lines,
      uniqueKeys: true,
      // Its words would name the place once more.
      prettyErrors: false,
    });
    if (text.length > LARGEST) this.fault([], `is too long: ${LARGEST} characters are the most`);
    for (const { message, pos } of this.#document.errors) {
      this.faults.push({ ...this.#placeAt(pos[0]), message: message.split('\n')[0] ?? message });
    }
    visit(this.#document, {
      Alias: (_, { source, range }) =>
        void this.faults.push({
          ...this.#placeAt(range?.[0] ?? 0),
          message: `*${source} is an alias, which is not followed: write it out`,
        }),
    });
    this.value = this.faults.length === 0 ? this.#document.toJS({ maxAliasCount: 0 }) : undefined;
  }

  override placeOf(path: Path): Place {
    for (let length = path.length; length > 0; length -= 1) {
      const holder = length === 1 ? this.#document.contents : this.#document.getIn(path.slice(0, length - 1), true);
      const last = path[length - 1];
      if (isMap(holder)) {
        const pair = holder.items.find((item) => isPair(item) && String(item.key) === String(last));
        if (pair && isNode(pair.key) && pair.key.range) return this.#placeAt(pair.key.range[0]);
      }
      const node = this.#document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return this.#placeAt(node.range[0]);
    }
    return { file: this.file, line: 1, column: 1 };
  }

  #placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.file, line: Math.max(1, line), column: Math.max(1, col) };
  }
}

/** What a schema has to say, in words for the person who wrote the file. */
function messageOf(issue: v.BaseIssue<unknown>, keys: Path, schema: v.GenericSchema): string {
  const where = keys.join('.') || 'this';
  if (issue.type === 'strict_object') {
    if (issue.expected === 'never')
      return `${where} is not known here${didYouMean(String(keys.at(-1)), keysOf(schemaAt(schema, keys.slice(0, -1))))}`;
    if (keys.length === 0) return `a map is expected here, of ${keysOf(schema).join(', ')}`;
    return `${where} is missing`;
  }
  const [own, other] = issue.type === 'union' ? (issue.issues ?? []) : [];
  // What is neither a value nor a reference to one is told as the value that it is not.
  if (own && other?.type === 'custom') return messageOf(own, keys, schema);
  if (issue.type === 'variant' || issue.type === 'picklist') {
    const choices = choicesOf(issue);
    const meant = didYouMean(issue.received.replaceAll('"', ''), choices);
    return `${where} must be one of ${choices.join(', ')}; found ${issue.received}${meant}`;
  }
  if (issue.type === 'min_length') return `${where} must not be empty`;
  if (issue.message.startsWith('must ')) {
    // A map of which a check has something to say is one: that it is says nothing.
    const found = issue.type === 'check' && issue.received === 'Object' ? '' : `; found ${issue.received}`;
    return `${where} ${issue.message}${found}`;
  }
  const expected = issue.type === 'integer' ? 'a whole number' : (issue.expected ?? 'something else');
  return `${where} must be ${expected}; found ${issue.received}`;
}

/** What it could have been, as plain words: valibot quotes them. */
const choicesOf = ({ expected }: v.BaseIssue<unknown>): string[] =>
  (expected ?? '').replaceAll(/["()]/g, '').split(' | ');

const keysOf = (schema: v.GenericSchema | undefined): string[] =>
  schema && 'entries' in schema ? Object.keys(schema.entries as object) : [];

/** The schema of what lies at a path below another; undefined where it could be one of several. */
function schemaAt(schema: v.GenericSchema, keys: Path): v.GenericSchema | undefined {
  let at: v.GenericSchema | undefined = schema;
  for (const key of keys) {
    const entries = (at && 'entries' in at ? at.entries : {}) as Readonly<Record<string, v.GenericSchema>>;
    at = Object.hasOwn(entries, key) ? entries[key] : undefined;
    while (at && 'wrapped' in at) at = at.wrapped as v.GenericSchema;
  }
  return at;
}
