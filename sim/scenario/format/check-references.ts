/**
 * The check that a step refers only to earlier labels, faults, results and case values. A misspelt name would be
 * undefined: a condition that never holds, or a value that equals an absent one.
 */
import { didYouMean } from '../../format/near-word.ts';
import type { FileFault } from '../../format/source.ts';
import type { ScenarioHead, Step } from './tree.ts';

const TIMERS = ['ring', 'connection'];
const REFERENCE = /\$([a-z_]\w*)((?:\.\w+)*)/gi;

/** The names that the steps so far have defined. */
interface Known {
  readonly labels: string[];
  readonly faults: string[];
  readonly kept: string[];
}

/** Returns a fault for every undefined name, in the order of the steps. Steps of fragments are in their places. */
export function unknownNames({ cases = [] }: Pick<ScenarioHead, 'cases'>, steps: readonly Step[]): FileFault[] {
  const caseKeys = [...new Set(cases.flatMap((one) => Object.keys(one)))];
  const known: Known = { labels: [], faults: [], kept: [] };
  const faults: FileFault[] = [];
  for (const step of steps) {
    const { place, ...rest } = step;
    const tell = (message: string) => faults.push({ ...place, message });
    for (const [, root = '', path = ''] of textsIn(rest).flatMap((text) => [...text.matchAll(REFERENCE)])) {
      const message = unknownReference(root, path.slice(1).split('.')[0] ?? '', { caseKeys, kept: known.kept });
      if (message !== undefined) tell(message);
    }
    if ('since' in step && step.since !== undefined && !known.labels.includes(step.since))
      tell(`no step before this one has the label ${step.since}${didYouMean(step.since, known.labels)}`);
    if (step.verb === 'clear' && !known.faults.includes(step.clear))
      tell(`no fault before this step is named ${step.clear}${didYouMean(step.clear, known.faults)}`);
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
