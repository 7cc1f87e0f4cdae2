/** Takes a step of a scenario, by its verb. */
import type { Step } from '../format/tree.ts';
import { sightText } from './sight.ts';
import { StepFailure } from './step-failure.ts';
import { doStep } from './steps/do.ts';
import { expectStep } from './steps/expect.ts';
import { faultStep } from './steps/fault.ts';
import { seeStep } from './steps/see.ts';
import type { Story } from './story.ts';
import { holds, show } from './values.ts';

/** @throws StepFailure where it does not come to what it says. */
export async function takeStep(step: Step, story: Story): Promise<void> {
  if (step.when !== undefined && !holds(step.when, story.scope)) return;
  const began = story.world.now;
  const isOver = await perform(step, story);
  story.stepEnded(step.label, isOver === 'at once' ? began : story.world.moment);
  story.world.note({ kind: 'step', place: `${step.place.file}:${step.place.line}`, text: textOf(step, story) });
}

/** Does it; says where no time belongs to it, whatever the clock on the wall says. */
async function perform(step: Step, story: Story): Promise<'at once' | undefined> {
  switch (step.verb) {
    case 'do':
      return doStep(step, story);
    case 'expect':
      await expectStep(step, story);
      return undefined;
    case 'see':
      await seeStep(step, story);
      return undefined;
    case 'never':
      story.watch(step);
      return 'at once';
    case 'fault':
      faultStep(step, story);
      return 'at once';
    case 'clear':
      if (!story.mend(step.clear)) throw new StepFailure(step.place, `there is no fault ${step.clear}`);
      return 'at once';
    case 'wait':
      return void (await story.until(() => false, story.span(step.wait, step.place)));
    default:
      return step satisfies never;
  }
}

/** A step in a few words. */
function textOf(step: Step, story: Story): string {
  switch (step.verb) {
    case 'do':
      return step.do;
    case 'see':
      return `see ${sightText(step.see, story.scope)}`;
    case 'never':
      return `never ${'expect' in step.never ? show(step.never.expect) : sightText(step.never, story.scope)}`;
    case 'expect':
      return `expect ${show(story.fill(step.expect))}`;
    case 'fault':
      return `fault ${show(story.fill(step.fault))}`;
    case 'wait':
      return `wait ${show(story.fill(step.wait))}`;
    case 'clear':
      return `clear ${step.clear}`;
    default:
      return step satisfies never;
  }
}
