/** The checks of steps: the bounds of one step, and the names that it takes from earlier ones. */
import { didYouMean } from '../../format/near-word.ts';
import type { FileFault, Path, Written } from '../../format/source.ts';
import type { ScenarioHead, Step } from './tree.ts';

const BOUNDS = ['within', 'at', 'between', 'every'] as const;
const TIMERS = ['ring', 'connection'];
const REFERENCE = /\$([a-z_]\w*)((?:\.\w+)*)/gi;

/** Reports contradictory bounds, of which only one would be checked. */
export function checkBounds(source: Written, step: Step, path: Path): void {
  if (step.verb !== 'expect' && step.verb !== 'see') return;
  const [first, second] = BOUNDS.filter((bound) => bound in step);
  if (first !== undefined && second !== undefined)
    source.fault([...path, second], `a step has one of within, at, between and every; this has ${first} already`);
  if (step.verb === 'expect' && Array.isArray(step.at))
    source.fault([...path, 'at'], 'a list of moments is for see: expect accepts one moment');
  if (step.verb === 'see' && Array.isArray(step.at) && step.times !== undefined)
    source.fault([...path, 'times'], 'a list of moments defines how often it is seen: leave times out');
}

/** The names that the steps so far have defined. */
interface Known {
  readonly labels: string[];
  readonly faults: string[];
  readonly kept: string[];
}

/**
 * Returns a fault for every undefined name, in the order of the steps. A misspelt name would be a condition that never
 * holds, or a value that equals an absent one. Steps of fragments are in their places.
 */
export function unknownNames({ cases = [] }: Pick<ScenarioHead, 'cases'>, steps: readonly Step[]): FileFault[] {
  const caseKeys = [...new Set(cases.flatMap((one) => Object.keys(one)))];
  const known: Known = { labels: [], faults: [], kept: [] };
  const faults: FileFault[] = [];
  for (const step of steps) {
    const { place, ...rest } = step;
    const report = (message: string) => faults.push({ ...place, message });
    for (const [, root = '', path = ''] of textsIn(rest).flatMap((text) => [...text.matchAll(REFERENCE)])) {
      const message = unknownReference(root, path.slice(1).split('.')[0] ?? '', { caseKeys, kept: known.kept });
      if (message !== undefined) report(message);
    }
    if ('since' in step && step.since !== undefined && !known.labels.includes(step.since))
      report(`no step before this one has the label ${step.since}${didYouMean(step.since, known.labels)}`);
    if (step.verb === 'clear' && !known.faults.includes(step.clear))
      report(`no fault before this step is named ${step.clear}${didYouMean(step.clear, known.faults)}`);
    take(step, known);
  }
  return faults;
}

function unknownReference(
  root: string,
  key: string,
  { caseKeys, kept }: { readonly caseKeys: readonly string[]; readonly kept: readonly string[] },
): string | undefined {
  if (root === 'case')
    return caseKeys.includes(key) ? undefined : `no case has a value ${key}${didYouMean(key, caseKeys)}`;
  if (root === 'timers') return TIMERS.includes(key) ? undefined : `there is no timer ${key}${didYouMean(key, TIMERS)}`;
  if (kept.includes(root)) return undefined;
  return `no step before this one defines ${root}${didYouMean(root, ['case', 'timers', ...kept])}`;
}

function take(step: Step, { labels, faults, kept }: Known): void {
  if (step.label !== undefined) labels.push(step.label);
  if (step.verb === 'fault' && step.as !== undefined) faults.push(step.as);
  if (step.verb === 'do' && step.as !== undefined) kept.push(step.as);
}

/** Returns every text in a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
