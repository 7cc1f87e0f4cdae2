/** YAML to a scenario, or the faults of the file, each with its line and column. Pure: files come through `open`. */
import * as v from 'valibot';
import { type Document, isMap, isNode, isPair, LineCounter, parseDocument } from 'yaml';
import { didYouMean } from './near-word.ts';
import {
  actor,
  fault,
  fragmentHead,
  scenarioHead,
  STEPS,
  VERBS,
  type Place,
  type Scenario,
  type Step,
  type Verb,
} from './tree.ts';

/** Something wrong with a scenario file: what was found, and what was meant. */
export interface ScenarioFault extends Place {
  readonly message: string;
}

/** A scenario file that cannot be run. The message is `file:line:column: what is wrong`, one line a fault. */
export class InvalidScenario extends Error {
  readonly faults: readonly ScenarioFault[];

  constructor(faults: readonly ScenarioFault[]) {
    super(faults.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'));
    this.name = 'InvalidScenario';
    this.faults = faults;
  }
}

/** The text of another file, by its path as written in `use`; undefined where there is none. */
export type OpenFragment = (path: string) => { readonly file: string; readonly text: string } | undefined;

/** The largest scenario file, characters. */
const LARGEST = 256 * 1024;
const DEEPEST = 8;

type Path = readonly (string | number)[];

/** One file, its parsed form and where everything stands in it. */
class Source {
  readonly file: string;
  readonly value: unknown;
  readonly faults: ScenarioFault[] = [];
  readonly #document: Document;
  readonly #lines = new LineCounter();

  constructor(file: string, text: string) {
    this.file = file;
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
    this.value = this.faults.length === 0 ? this.#document.toJS({ maxAliasCount: 0 }) : undefined;
  }

  /** Where the key of this path stands, else what is nearest around it. */
  placeOf(path: Path): Place {
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

  fault(path: Path, message: string): void {
    this.faults.push({ ...this.placeOf(path), message });
  }

  /** Checks a part against its schema; faults are told with the whole path. */
  check<S extends v.GenericSchema>(schema: S, value: unknown, at: Path): v.InferOutput<S> | undefined {
    const result = v.safeParse(schema, value);
    if (result.success) return result.output;
    for (const issue of result.issues) {
      const keys = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
      this.fault([...at, ...keys], messageOf(issue, keys, schema));
    }
    return undefined;
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
      return `${where} is not known here${didYouMean(String(keys.at(-1)), keysOf(schema))}`;
    if (keys.length === 0) return `a map is expected here, of ${keysOf(schema).join(', ')}`;
    return `${where} is missing`;
  }
  if (issue.type === 'variant') return `${where} must be one of ${FAULT_KINDS.join(', ')}; found ${issue.received}`;
  if (issue.message.startsWith('must ')) return `${where} ${issue.message}; found ${issue.received}`;
  return `${where} must be ${issue.expected ?? 'something else'}; found ${issue.received}`;
}

const FAULT_KINDS = fault.options.map(({ entries }) => entries.kind.literal);

const keysOf = (schema: v.GenericSchema): string[] =>
  'entries' in schema ? Object.keys(schema.entries as object) : [];

/**
 * Reads a scenario.
 *
 * @param file - its name, for messages.
 * @param open - finds the fragments it uses.
 * @throws InvalidScenario with every fault found.
 */
export function readScenario(file: string, text: string, open: OpenFragment = () => undefined): Scenario {
  const source = new Source(file, text);
  if (source.faults.length > 0) throw new InvalidScenario(source.faults);
  const head = source.check(scenarioHead, source.value, []);
  if (!head) throw new InvalidScenario(source.faults);
  for (const [name, value] of Object.entries(head.actors)) source.check(actor, value, ['actors', name]);
  const names = deviceNames(head.actors);
  const steps = stepsOf(source, head.steps, { open, names, within: [file] });
  if (source.faults.length > 0) throw new InvalidScenario(source.faults);
  return { ...head, file, steps };
}

/** The names of the actors, and of their devices: bob, bob.phone. */
export function deviceNames(
  actors: Readonly<Record<string, { readonly devices?: readonly string[] | undefined }>>,
): string[] {
  return Object.entries(actors).flatMap(([name, { devices }]) => [
    name,
    ...(devices ?? []).map((device) => `${name}.${device}`),
  ]);
}

interface Surroundings {
  readonly open: OpenFragment;
  readonly names: readonly string[];
  /** The files being read, the outermost first: a fragment cannot use itself. */
  readonly within: readonly string[];
}

function stepsOf(source: Source, steps: readonly unknown[], around: Surroundings): Step[] {
  return steps.flatMap((value, at) => {
    const path: Path = ['steps', at];
    const verb = verbOf(source, value, path);
    if (!verb) return [];
    if (verb === 'use') {
      const used = source.check(STEPS.use, value, path);
      return used ? fragmentOf(source, used.use, path, around) : [];
    }
    const parsed = source.check(STEPS[verb], value, path);
    if (!parsed) return [];
    const step = { verb, ...parsed, place: source.placeOf([...path, verb]) } as Step;
    checkNames(source, step, path, around.names);
    return [step];
  });
}

function verbOf(source: Source, value: unknown, path: Path): Verb | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    source.fault(path, `a step is a map with one of ${VERBS.join(', ')}; found ${JSON.stringify(value)}`);
    return undefined;
  }
  const keys = Object.keys(value);
  const verbs = VERBS.filter((verb) => keys.includes(verb));
  const [verb] = verbs;
  if (verb !== undefined && verbs.length === 1) return verb;
  const found = verbs.length > 1 ? verbs.join(' and ') : (keys[0] ?? 'nothing');
  const meant = verbs.length > 1 ? '' : didYouMean(found, VERBS);
  source.fault(
    [...path, ...(keys[0] === undefined ? [] : [keys[0]])],
    `a step needs exactly one of ${VERBS.join(', ')}; found ${found}${meant}`,
  );
  return undefined;
}

/** Actors that a step names must be there. */
function checkNames(source: Source, step: Step, path: Path, names: readonly string[]): void {
  const check = (name: string | undefined, ...keys: string[]) => {
    if (name === undefined || name.startsWith('$') || names.includes(name)) return;
    source.fault([...path, ...keys], `there is no actor ${name}${didYouMean(name, names)}`);
  };
  const checkPaths = (wanted: Readonly<Record<string, unknown>>, ...keys: string[]) => {
    for (const path_ of Object.keys(wanted))
      if (!path_.startsWith('server.')) check(actorIn(path_, names), ...keys, path_);
  };
  switch (step.verb) {
    case 'do':
      return check(actorIn(step.do, names), 'do');
    case 'expect':
      return checkPaths(step.expect, 'expect');
    case 'see':
      check(step.see.from, 'see', 'from');
      return check(step.see.to, 'see', 'to');
    case 'never':
      if ('expect' in step.never) return checkPaths(step.never.expect, 'never', 'expect');
      check(step.never.from, 'never', 'from');
      return check(step.never.to, 'never', 'to');
    case 'fault':
      if ('actor' in step.fault) check(step.fault.actor, 'fault', 'actor');
      if ('from' in step.fault) check(step.fault.from, 'fault', 'from');
      if ('to' in step.fault) check(step.fault.to, 'fault', 'to');
      return undefined;
    default:
      return undefined;
  }
}

/** The actor, or the device, at the front of a path: bob.phone of bob.phone.call.state. */
function actorIn(path: string, names: readonly string[]): string {
  const parts = path.split('.');
  const two = parts.slice(0, 2).join('.');
  return names.includes(two) ? two : (parts[0] ?? '');
}

function fragmentOf(source: Source, path: string, at: Path, around: Surroundings): Step[] {
  const found = around.open(path);
  if (!found) {
    source.fault([...at, 'use'], `there is no fragment ${path}`);
    return [];
  }
  if (around.within.includes(found.file) || around.within.length > DEEPEST) {
    source.fault([...at, 'use'], `${path} uses itself`);
    return [];
  }
  const fragment = new Source(found.file, found.text);
  const head = fragment.faults.length === 0 ? fragment.check(fragmentHead, fragment.value, []) : undefined;
  const steps = head ? stepsOf(fragment, head.steps, { ...around, within: [...around.within, found.file] }) : [];
  source.faults.push(...fragment.faults);
  return steps;
}
