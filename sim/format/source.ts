/** A source file as written: its value, its faults, and the place of each part. */
import * as v from 'valibot';
import { Document, isCollection, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { faultWords, syntaxWords } from './fault-words.ts';

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
    // A key may have several lines, and a fault names it.
    const each = faults.map((fault) => ({ ...fault, message: fault.message.replaceAll(/\r?\n/g, '\\n') }));
    super(each.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'));
    this.name = 'InvalidFile';
    this.faults = each;
  }
}

/** The largest file, in characters. */
export const LARGEST_FILE = 256 * 1024;
/** The beginning of the message of an engine without stack. */
const TOO_DEEP = 'Maximum call stack';
const NESTED = 'the maps and lists are nested too deeply';
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
      this.fault([...at, ...keys], faultWords(issue, keys, { schema, value }));
    }
    return undefined;
  }
}

/** A YAML file: its parsed form, and the place of each part. */
export class Source extends Written {
  readonly value: unknown;
  #document: Document = new Document();
  readonly #lines = new LineCounter();

  constructor(file: string, text: string) {
    super(file);
    try {
      this.value = this.#read(text);
    } catch (error) {
      // The parser has no limit of its own.
      if (!(error instanceof RangeError)) throw error;
      this.faults.push({ ...this.#placeAt(0), message: NESTED });
    }
  }

  /** Reads the text. Returns undefined when it has faults. @throws RangeError when it is nested too deeply. */
  #read(text: string): unknown {
    this.#document = parseDocument(text.length > LARGEST_FILE ? '' : text, {
      lineCounter: this.#lines,
      uniqueKeys: true,
      // Pretty messages would repeat the place.
      prettyErrors: false,
    });
    if (text.length > LARGEST_FILE)
      this.fault([], `the file is too long: it has ${text.length} characters, and ${LARGEST_FILE} are the most`);
    for (const { code, message, pos } of this.#document.errors) {
      // Reported below, with the place of the first one.
      if (code === 'DUPLICATE_KEY') continue;
      // The parser reports its own lack of stack at every level.
      const isTooDeep = message.startsWith(TOO_DEEP);
      this.faults.push({
        ...this.#placeAt(pos[0]),
        message: isTooDeep ? NESTED : syntaxWords(code, message),
      });
      if (isTooDeep) break;
    }
    visit(this.#document, {
      Map: (_, { items }) => this.#checkKeys(items.map(({ key }) => key)),
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
    return this.faults.length === 0 ? this.#document.toJS({ maxAliasCount: 0 }) : undefined;
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

  /** Reports keys that a map has twice, and merges. */
  #checkKeys(keys: readonly unknown[]): void {
    const seen = new Map<string, number>();
    for (const key of keys) {
      // Other keys are reported in their places.
      if (!isScalar(key) || !(typeof key.value === 'string' || typeof key.value === 'number')) continue;
      const [text, at] = [`${key.value}`, key.range?.[0] ?? 0];
      const first = seen.get(text);
      if (first === undefined) seen.set(text, at);
      else {
        const { line } = this.#placeAt(first);
        this.faults.push({ ...this.#placeAt(at), message: `the key ${text} is here twice: line ${line} has it first` });
      }
      if (text === '<<')
        this.faults.push({ ...this.#placeAt(at), message: '<< is a merge, which is not followed: write it out' });
    }
  }

  #placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.file, line: Math.max(1, line), column: Math.max(1, col) };
  }
}
