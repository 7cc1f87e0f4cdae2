/**
 * What a step refers to must be there by then: labels, faults, what actions gave, values of the cases. A name that is
 * misspelt would be nothing, which is a condition that never holds, or a value that something absent is equal to.
 */
import { didYouMean } from './near-word.ts';
import type { FileFault } from './source.ts';
import type { ScenarioHead, Step } from './tree.ts';

const TIMERS = ['ring', 'connection'];
const REFERENCE = /\$([a-z_]\w*)((?:\.\w+)*)/gi;

/** What the steps so far have named. */
interface Known {
  readonly labels: string[];
  readonly faults: string[];
  readonly kept: string[];
}

/** Every name in the steps that nothing has, in the order of the steps; those of fragments are in their places. */
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
  return `nothing before this step is kept as ${root}${didYouMean(root, ['case', 'timers', ...kept])}`;
}

function take(step: Step, { labels, faults, kept }: Known): void {
  if (step.label !== undefined) labels.push(step.label);
  if (step.verb === 'fault' && step.as !== undefined) faults.push(step.as);
  if (step.verb === 'do' && step.as !== undefined) kept.push(step.as);
}

/** Every text in a value, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
