import * as v from 'valibot';
import { fault } from '../../format/tree.ts';
import { StepFailure } from '../step-failure.ts';
import type { StepOf, Story } from '../story.ts';
import { show } from '../values.ts';

/** Something breaks: for good, for a while, or until a step clears it. */
export function faultStep(step: StepOf<'fault'>, story: Story): void {
  const filled = v.safeParse(fault, story.fill(step.fault));
  if (!filled.success) throw new StepFailure(step.place, `this is no fault: ${show(story.fill(step.fault))}`);
  const first = story.fill(step.first);
  const mend = story.world.break(filled.output, {
    ...(first === undefined || first === 'all' ? {} : { first: Number(first) }),
    ...(step.nth === undefined ? {} : { nth: step.nth }),
  });
  story.broken(mend, {
    as: step.as,
    forMs: step.until === undefined ? undefined : story.span(step.until, step.place),
  });
}
