/** A source file as written: its value, its faults, and the place of each part. */
import * as v from 'valibot';
import { type Document, isCollection, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { didYouMean } from './near-word.ts';

/** A place in a file. */
export interface Place {
  readonly file: string;
  /** The line number, from 1. */
  readonly line: number;
  readonly column: number;
}

/** A fault of a file: what was found, and what was expected. */
export interface FileFault extends Place {
  readonly message: string;
}

/**
 * The error of a file that cannot be used. The message is `file:line:column: fault`, with one line for each fault.
 */
export class InvalidFile extends Error {
  readonly faults: readonly FileFault[];

  constructor(faults: readonly FileFault[]) {
    super(faults.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'));
    this.name = 'InvalidFile';
    this.faults = faults;
  }
}

/** The largest file, in characters. */
const LARGEST = 256 * 1024;
/** The beginning of the message of an engine without stack. */
const TOO_DEEP = 'Maximum call stack';
/** The place of a part in a file: the keys and indexes that lead to it. */
export type Path = readonly (string | number)[];

/** The value of a file, and its faults. */
export abstract class Written {
  readonly file: string;
  /** The value of the file. Undefined if it cannot be parsed. */
  abstract readonly value: unknown;
  readonly faults: FileFault[] = [];

  constructor(file: string) {
    this.file = file;
  }

  /** Returns the place of the key at this path, or else of the nearest part around it. */
  abstract placeOf(path: Path): Place;

  fault(path: Path, message: string): void {
    this.faults.push({ ...this.placeOf(path), message });
  }

  /** Checks a part against its schema. Faults are reported with the whole path. */
  check<S extends v.GenericSchema>(schema: S, value: unknown, at: Path): v.InferOutput<S> | undefined {
    const isList = Array.isArray(value) && schema.type === 'strict_object';
    // The schema would treat a list as an object and report each of its indexes.
    const result = v.safeParse(schema, isList ? null : value);
    if (result.success) return result.output;
    for (const issue of result.issues) {
      const keys = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
      this.fault([...at, ...keys], messageOf(issue, keys, schema));
    }
    return undefined;
  }
}

/** A YAML file: its parsed form, and the place of each part. */
export class Source extends Written {
  readonly value: unknown;
  readonly #document: Document;
  readonly #lines = new LineCounter();

  constructor(file: string, text: string) {
    super(file);
    this.#document = parseDocument(text.length > LARGEST ? '' : text, {
      lineCounter: this.#lines,
      uniqueKeys: true,
      // Pretty messages would repeat the place.
      prettyErrors: false,
    });
    if (text.length > LARGEST) this.fault([], `is too long: ${LARGEST} characters are the most`);
    for (const { message, pos } of this.#document.errors) {
      // The parser reports its own lack of stack at every level.
      const isTooDeep = message.startsWith(TOO_DEEP);
      this.faults.push({
        ...this.#placeAt(pos[0]),
        message: isTooDeep ? 'the maps and lists are nested too deeply' : (message.split('\n')[0] ?? message),
      });
      if (isTooDeep) break;
    }
    visit(this.#document, {
      // A map or a list as a key takes exponential time to read, and no file of ours has one.
      Pair: (_, { key }) => {
        // A tag can make an object of a text.
        const isObject = isScalar(key) && typeof key.value === 'object' && key.value !== null;
        if (!isCollection(key) && !isObject) return undefined;
        this.faults.push({ ...this.#placeAt(key.range?.[0] ?? 0), message: 'a key is a text, not a map or a list' });
        return visit.SKIP;
      },
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

/** Returns a fault of a schema in words for the author of the file. */
function messageOf(issue: v.BaseIssue<unknown>, keys: Path, schema: v.GenericSchema): string {
  const where = keys.join('.') || 'this';
  if (issue.type === 'strict_object') {
    if (issue.expected === 'never') {
      const known = keysOf(schemaAt(schema, keys.slice(0, -1)));
      const list = known.length === 0 ? '' : `; known are ${known.join(', ')}`;
      return `${where} is not known here${didYouMean(String(keys.at(-1)), known) || list}`;
    }
    if (keys.length === 0) return `a map is expected here, of ${keysOf(schema).join(', ')}`;
    return `${where} is missing`;
  }
  const [own, other] = issue.type === 'union' ? (issue.issues ?? []) : [];
  // A text that is neither a value nor a reference is reported as a wrong value.
  if (own && other?.type === 'custom') return messageOf(own, keys, schema);
  if (issue.type === 'variant' || issue.type === 'picklist') {
    const choices = choicesOf(issue);
    const meant = didYouMean(issue.received.replaceAll('"', ''), choices);
    return `${where} must be one of ${choices.join(', ')}; found ${issue.received}${meant}`;
  }
  if (issue.type === 'min_length') return `${where} must not be empty`;
  if (issue.message.startsWith('must ')) {
    // For a check on a map the found type says nothing new.
    const found = issue.type === 'check' && issue.received === 'Object' ? '' : `; found ${issue.received}`;
    return `${where} ${issue.message}${found}`;
  }
  const expected = issue.type === 'integer' ? 'a whole number' : (issue.expected ?? 'something else');
  return `${where} must be ${expected}; found ${issue.received}`;
}

/** Returns the possible values as plain words: valibot quotes them. */
const choicesOf = ({ expected }: v.BaseIssue<unknown>): string[] =>
  (expected ?? '').replaceAll(/["()]/g, '').split(' | ');

const keysOf = (schema: v.GenericSchema | undefined): string[] =>
  schema && 'entries' in schema ? Object.keys(schema.entries as object) : [];

/** Returns the schema at a path below another. Undefined if it could be one of several. */
function schemaAt(schema: v.GenericSchema, keys: Path): v.GenericSchema | undefined {
  let at: v.GenericSchema | undefined = schema;
  for (const key of keys) {
    const entries = (at && 'entries' in at ? at.entries : {}) as Readonly<Record<string, v.GenericSchema>>;
    at = Object.hasOwn(entries, key) ? entries[key] : undefined;
    while (at && 'wrapped' in at) at = at.wrapped as v.GenericSchema;
  }
  return at;
}
