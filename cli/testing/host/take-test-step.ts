/** The steps of a test: an action waits for its answer. */
import { isOverAtOnce } from '../../../sim/scenario/format/actions.ts';
import type { Step } from '../../../sim/scenario/format/tree.ts';
import { cameLate } from '../../../sim/scenario/run/answers.ts';
import { actionOf } from '../../../sim/scenario/run/late-refusals.ts';
import { StepFailure } from '../../../sim/scenario/run/step.ts';
import type { Story } from '../../../sim/scenario/run/story.ts';
import { takeStep } from '../../../sim/scenario/run/take-step.ts';
import { CallError } from '../../../src/protocol/errors.ts';

/** The longest wait for the answer to the end of a call, which is over at its device by then. Milliseconds. */
const END_MS = 1_000;

/** Returns whether the action ends a call. */
const isEnd = (action: string): boolean => action === 'end' || action === 'decline' || action === 'cancel';

/** Returns an action of a test as a step that waits for its answer, if it gets one. */
export function waitingStep(written: object): object {
  if (!('do' in written)) return written;
  const act = String(written.do);
  const action = act.slice(act.lastIndexOf('.') + 1);
  return isOverAtOnce(action) || isEnd(action) ? written : { ...written, waits: true };
}

/**
 * Takes a step of a test. The end of a call succeeds also without an answer, and when the call had ended before.
 * @throws StepFailure when the step fails.
 */
export async function takeTestStep(step: Step, story: Story, number: number): Promise<void> {
  try {
    await takeStep(step, story, number);
    await story.answered(END_MS);
  } catch (error) {
    if (!isLateEnd(step, error)) throw error;
  }
}

const isLateEnd = (step: Step, error: unknown): boolean =>
  step.verb === 'do' &&
  isEnd(actionOf(step)[0]) &&
  error instanceof StepFailure &&
  error.cause instanceof CallError &&
  cameLate(error.cause.code);
