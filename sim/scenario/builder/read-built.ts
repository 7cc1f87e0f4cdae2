/** The reader of scenarios built in TypeScript. It uses the same schemas and messages as the reader of YAML files. */
import { type OpenFragment, scenarioOf } from '../format/read-scenario.ts';
import { type Path, Written } from '../../format/source.ts';
import type { Place } from '../../format/source.ts';
import type { Scenario } from '../format/tree.ts';
import type { BuiltScenario, Line } from './built-scenario.ts';

/** Finds the column at which a line begins, and the displayed name of the file. */
export type PlaceOfLine = (line: Line) => Place;

/**
 * Reads a built scenario.
 * @param file - its name, for messages.
 * @throws InvalidFile with every fault found.
 */
export function readBuilt(
  file: string,
  built: BuiltScenario,
  { placeOfLine, open }: { readonly placeOfLine: PlaceOfLine; readonly open: OpenFragment },
): Scenario {
  return scenarioOf(new BuiltSource(file, built, placeOfLine), open);
}

class BuiltSource extends Written {
  readonly value: unknown;
  readonly #built: BuiltScenario;
  readonly #placeOfLine: PlaceOfLine;

  constructor(file: string, built: BuiltScenario, placeOfLine: PlaceOfLine) {
    super(file);
    this.#built = built;
    this.#placeOfLine = placeOfLine;
    this.value = this.#plain(built.document, []);
  }

  override placeOf([first, index]: Path): Place {
    const step = first === 'steps' && typeof index === 'number' ? this.#built.steps[index] : undefined;
    const line = step ?? this.#built.head;
    return line ? this.#placeOfLine(line) : { file: this.file, line: 1, column: 1 };
  }

  /**
   * Returns the value as YAML can hold it: no functions, no dates, no infinite numbers. Undefined entries are left
   * out.
   */
  #plain(value: unknown, path: Path): unknown {
    if (Array.isArray(value)) return value.map((item, at) => this.#plain(item, [...path, at]));
    if (isMap(value)) {
      const entries = Object.entries(value).filter(([, item]) => item !== undefined);
      return Object.fromEntries(entries.map(([key, item]) => [key, this.#plain(item, [...path, key])]));
    }
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
      return value;
    this.fault(path, `${pathText(path)} cannot be written as YAML: ${wordFor(value)}`);
    return null;
  }
}

const isMap = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};

/** Returns the path for a message, without the number of the step: the line shows it. */
const pathText = (path: Path): string => (path[0] === 'steps' ? path.slice(2) : path).join('.') || 'this';

const wordFor = (value: unknown): string =>
  typeof value === 'object'
    ? `a ${value?.constructor.name}`
    : typeof value === 'number'
      ? `${value}`
      : `a ${typeof value}`;
