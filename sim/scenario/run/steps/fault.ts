import * as v from 'valibot';
import { faultText } from '../../../faults/fault-text.ts';
import type { Selection } from '../../../faults/selection.ts';
import { fault } from '../../../faults/vocabulary.ts';
import { StepFailure } from '../step-failure.ts';
import type { StepOf, Story } from '../story.ts';
import { show } from '../values.ts';

/** Injects a fault: permanently, for a while, or until a step clears it. */
export function faultStep(step: StepOf<'fault'>, story: Story): void {
  const filled = v.safeParse(fault, story.fill(step.fault));
  if (!filled.success) throw new StepFailure(step.place, `this is not a fault: ${show(story.fill(step.fault))}`);
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
  story.broken(what, mendOnce, {
    as: step.as,
    forMs: step.until === undefined ? undefined : story.span(step.until, step.place),
  });
}

function selectionOf(step: StepOf<'fault'>, story: Story): Selection {
  const said = (['first', 'nth', 'times', 'p'] as const).flatMap((key) => {
    const value = story.fill(step[key]);
    return value === undefined || value === 'all' ? [] : [[key, Number(value)] as const];
  });
  const wrong = said.find(([, value]) => Number.isNaN(value));
  if (wrong) throw new StepFailure(step.place, `${wrong[0]} is not a number: ${show(story.fill(step[wrong[0]]))}`);
  return Object.fromEntries(said);
}
