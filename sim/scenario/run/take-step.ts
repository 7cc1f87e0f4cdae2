/** The execution of a step of a scenario, by its verb. */
import type { Step } from '../format/tree.ts';
import { patternText } from './event-pattern.ts';
import { StepFailure } from './step.ts';
import { doStep } from './steps/do.ts';
import { expectStep } from './steps/expect.ts';
import { faultStep } from './steps/fault.ts';
import { seeStep } from './steps/see.ts';
import type { Story } from './story.ts';
import { holds, show } from '../format/values.ts';

/**
 * Takes one step.
 * @param number - its place among the steps, from 1.
 * @throws StepFailure when the step fails.
 */
export async function takeStep(step: Step, story: Story, number: number): Promise<void> {
  if (step.when !== undefined && !holds(step.when, story.scope.values)) return;
  const began = story.world.now;
  const isOver = await perform(
    step,
    story,
    () => `step ${number}, ${step.verb === 'do' ? step.do : step.verb} (${placeOf(step)}),`,
  );
  story.stepEnded(step.label, isOver === 'at once' ? began : story.world.moment);
  story.world.note({ kind: 'step', place: placeOf(step), text: textOf(step, story) });
}

const placeOf = ({ place: { file, line } }: Step): string => `${file}:${line}`;

/** Performs the step. Returns 'at once' if it takes no time, whatever the wall clock shows. */
async function perform(step: Step, story: Story, name: () => string): Promise<'at once' | undefined> {
  if (step.verb !== 'do' && step.verb !== 'wait') story.taken(name());
  switch (step.verb) {
    case 'do':
      return doStep(step, story, name());
    case 'expect':
      await expectStep(step, story);
      story.cameTrue(story.world.moment);
      return undefined;
    case 'see':
      await seeStep(step, story);
      story.cameTrue(story.world.moment);
      return undefined;
    case 'never':
      story.watches.add(step);
      return 'at once';
    case 'fault':
      faultStep(step, story);
      return 'at once';
    case 'clear':
      if (!story.faults.clear(step.clear)) throw new StepFailure(step.place, `there is no fault ${step.clear}`);
      return 'at once';
    case 'wait': {
      const ms = story.scope.span(step.wait, step.place);
      story.waits(ms);
      await story.until(() => false, ms);
      return undefined;
    }
    default:
      return step satisfies never;
  }
}

/** Returns a step in a few words. */
function textOf(step: Step, story: Story): string {
  switch (step.verb) {
    case 'do':
      return step.do;
    case 'see':
      return `see ${patternText(step.see, story.scope.values)}`;
    case 'never':
      return `never ${'expect' in step.never ? show(step.never.expect) : patternText(step.never, story.scope.values)}`;
    case 'expect':
      return `expect ${show(story.scope.fill(step.expect))}`;
    case 'fault':
      return `fault ${show(story.scope.fill(step.fault))}`;
    case 'wait':
      return `wait ${show(story.scope.fill(step.wait))}`;
    case 'clear':
      return `clear ${step.clear}`;
    default:
      return step satisfies never;
  }
}
