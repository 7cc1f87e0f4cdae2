/** The checks of steps: the bounds of one step, and the names that it takes from earlier ones. */
import { didYouMean, knownInstead } from '../../format/near-word.ts';
import type { FileFault, Path, Place, Written } from '../../format/source.ts';
import type { Step } from './tree.ts';

/** The bounds of which a step has one at most. */
export const BOUND_KEYS = ['within', 'at', 'between', 'every'] as const;
const TIMERS = ['ring', 'connection'];
const REFERENCE = /\$([a-z_]\w*)((?:\.\w+)*)/gi;

/** Reports contradictory bounds, of which only one would be checked. */
export function checkBounds(source: Written, step: Step, path: Path): void {
  if (step.verb !== 'expect' && step.verb !== 'see') return;
  const [first, second] = BOUND_KEYS.filter((bound) => bound in step);
  if (first !== undefined && second !== undefined)
    source.fault([...path, second], `a step has one of within, at, between and every; this has ${first} already`);
  if (step.verb === 'expect' && Array.isArray(step.at))
    source.fault([...path, 'at'], 'a list of moments is for see: expect accepts one moment');
  if (step.verb === 'see' && Array.isArray(step.at) && step.times !== undefined)
    source.fault([...path, 'times'], 'a list of moments defines how often it is seen: leave times out');
}

/** A step as it was read. Without `written`, steps are missing in this place: those of a fragment without a file. */
export interface ReadStep {
  readonly place: Place;
  /** The step as it is written. It may define names although it is not valid. */
  readonly written?: Readonly<Record<string, unknown>>;
  /** Absent when the step is not valid. */
  readonly step?: Step;
  /** The places of the `use` steps around a step of a fragment, the outermost first. */
  readonly used?: readonly Place[];
}

/** A fault of a fragment, at the place where a scenario uses the fragment. */
interface FragmentFault extends FileFault {
  /** Its place in the fragment, which the message begins with. */
  readonly inside: Place;
}

/** Returns a fault of a fragment at the outermost place that uses it. The message begins with the place of the fault. */
export function usedAt(fault: FileFault | FragmentFault, [outermost]: readonly Place[]): FileFault {
  if (!outermost) return fault;
  if ('inside' in fault) return { ...fault, ...outermost };
  const { file, line, column, message } = fault;
  const placed: FragmentFault = {
    ...outermost,
    inside: { file, line, column },
    message: `${file}:${line}:${column}: ${message}`,
  };
  return placed;
}

/** The kinds of names that a step can define. */
const KINDS = { label: 'label', fault: 'name of a fault', result: 'result of an action' } as const;
type Kind = keyof typeof KINDS;

/** The names that the steps so far have defined, with the place of each. */
interface Known {
  readonly label: Map<string, Place>;
  readonly fault: Map<string, Place>;
  readonly result: Map<string, Place>;
  /** False after a place where steps are missing: any name may be defined there. */
  isComplete: boolean;
}

/**
 * Returns a fault for every undefined name, in the order of the steps. A misspelt name would be a condition that never
 * holds, or a value that equals an absent one. Steps of fragments are in their places.
 * @param caseKeys - the values of all cases. Undefined if the cases cannot be read.
 */
export function unknownNames(caseKeys: readonly string[] | undefined, steps: readonly ReadStep[]): FileFault[] {
  const known: Known = { label: new Map(), fault: new Map(), result: new Map(), isComplete: true };
  const faults: FileFault[] = [];
  for (const { place, written, step, used = [] } of steps) {
    if (!written) known.isComplete = false;
    if (step) faults.push(...unknownIn(step, caseKeys, known).map((message) => usedAt({ ...place, message }, used)));
    if (written) take(written, place, known);
  }
  return faults;
}

function unknownIn(step: Step, caseKeys: readonly string[] | undefined, known: Known): string[] {
  const { place: _, ...rest } = step;
  const messages = textsIn(rest)
    .flatMap((text) => [...text.matchAll(REFERENCE)])
    .map(([, root = '', path = '']) => unknownReference(root, path.slice(1).split('.')[0] ?? '', caseKeys, known));
  if ('since' in step && step.since !== undefined) messages.push(unknownName(step.since, 'label', known));
  if (step.verb === 'clear') messages.push(unknownName(step.clear, 'fault', known));
  return messages.filter((message) => message !== undefined);
}

const WANTS: Readonly<Record<Kind, string>> = {
  label: 'no step before this one has the label',
  fault: 'no fault before this step is named',
  result: 'no step before this one defines',
};

/** Returns why a name is unknown. A name of another kind is explained. */
function unknownName(name: string, wanted: Kind, known: Known): string | undefined {
  if (known[wanted].has(name) || !known.isComplete) return undefined;
  const other = (Object.keys(KINDS) as Kind[]).find((kind) => known[kind].has(name));
  const at = other && known[other].get(name);
  if (at === undefined) return `${WANTS[wanted]} ${name}${didYouMean(name, [...known[wanted].keys()])}`;
  const remedy = wanted === 'label' ? '`label` names a moment: add' : '`clear` needs the `as` of a fault: add';
  const key = wanted === 'label' ? 'label' : 'as';
  return `${name} is the ${KINDS[other as Kind]}. ${remedy} ${key}: ${name} to the step in line ${at.line} of ${at.file}`;
}

function unknownReference(
  root: string,
  key: string,
  caseKeys: readonly string[] | undefined,
  known: Known,
): string | undefined {
  if (root === 'case') {
    if (!caseKeys || caseKeys.includes(key)) return undefined;
    return `no case has a value ${key}${knownInstead(key, caseKeys)}`;
  }
  if (root === 'timers')
    return TIMERS.includes(key) ? undefined : `there is no timer ${key}${knownInstead(key, TIMERS)}`;
  if (known.result.has(root) || !known.isComplete) return undefined;
  const meant = didYouMean(root, [...known.result.keys()]) || didYouMean(root, ['case', 'timers']);
  return `${WANTS.result} ${root}${meant}: as: ${root} at an action names its result`;
}

function take(written: Readonly<Record<string, unknown>>, place: Place, known: Known): void {
  const { label, as } = written;
  if (typeof label === 'string') known.label.set(label, place);
  if (typeof as !== 'string') return;
  if ('fault' in written) known.fault.set(as, place);
  if ('do' in written) known.result.set(as, place);
}

/** Returns every text in a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
