import * as v from 'valibot';
import { faultText, fault } from '../../../faults/vocabulary.ts';
import type { Selection } from '../../../faults/selection.ts';
import { StepFailure, type StepOf } from '../step.ts';
import type { Story } from '../story.ts';
import { show } from '../../format/values.ts';

/** Injects a fault: permanently, for a while, or until a step clears it. */
export function faultStep(step: StepOf<'fault'>, story: Story): void {
  const filled = v.safeParse(fault, story.scope.fill(step.fault));
  if (!filled.success) throw new StepFailure(step.place, `this is not a fault: ${show(story.scope.fill(step.fault))}`);
  const { world } = story;
  const what = faultText(filled.output);
  world.note({ kind: 'fault', what, on: true });
  const mend = world.inject(filled.output, selectionOf(step, story), step.as ?? what);
  let isMended = false;
  const mendOnce = () => {
    if (isMended) return;
    isMended = true;
    mend();
    world.note({ kind: 'fault', what, on: false });
  };
  const forMs = step.until === undefined ? undefined : story.scope.span(step.until, step.place);
  if (step.as !== undefined) story.faults.addNamed(step.as, mendOnce);
  if (forMs !== undefined) story.faults.addEnding({ what, atMs: world.now + forMs, waitedMs: forMs, mend: mendOnce });
}

function selectionOf(step: StepOf<'fault'>, story: Story): Selection {
  const given = (['first', 'nth', 'times', 'p'] as const).flatMap((key) => {
    const value = story.scope.fill(step[key]);
    return value === undefined || value === 'all' ? [] : [[key, Number(value)] as const];
  });
  const wrong = given.find(([, value]) => Number.isNaN(value));
  if (wrong)
    throw new StepFailure(step.place, `${wrong[0]} is not a number: ${show(story.scope.fill(step[wrong[0]]))}`);
  return Object.fromEntries(given);
}
