/** Reports contradictory bounds, of which only one would be checked. */
import type { Path, Written } from '../../format/source.ts';
import type { Step } from './tree.ts';

const BOUNDS = ['within', 'at', 'between', 'every'] as const;

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
