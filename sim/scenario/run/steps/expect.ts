import { type StepOf, StepFailure } from '../step.ts';
import { fits, show } from '../../format/values.ts';
import { spanText } from '../../../format/duration.ts';
import type { Story } from '../story.ts';

/** Waits until the values of the actors are as expected. */
export async function expectStep(step: StepOf<'expect'>, story: Story): Promise<void> {
  const wanted = Object.entries(story.scope.fill(step.expect) as Record<string, unknown>);
  const missing = () => wanted.filter(([path, value]) => !fits(story.world.read(path), value));
  if (missing().length === 0) checkNotOver(step, story);
  await bounded(
    step,
    story,
    () => missing().length === 0,
    () => {
      const refusals = story.refusals.words();
      const found = missing().map(([path, value]) => `${path} is ${show(story.world.read(path))}, not ${show(value)}`);
      return `${found.join('; ')}${refusals === '' ? '' : ` (${refusals})`}`;
    },
  );
}

type BoundedStep = StepOf<'expect'> | StepOf<'see'>;

export const hasBounds = ({ within, at, between, for: lasts }: BoundedStep): boolean =>
  [within, at, between, lasts].some((bound) => bound !== undefined);

/**
 * Waits until something is true within the step's bounds, and stays true as long as the step requires.
 * @param nearest - returns the actual values, in words.
 * @throws StepFailure when it is not true in time, too early, or not for long enough.
 */
export async function bounded(
  step: BoundedStep,
  story: Story,
  isSo: () => boolean,
  nearest: () => string,
): Promise<void> {
  const { world } = story;
  const base = story.since(step.since, step.place);
  const { earliest, latest } = boundsOf(step, story);
  const came = await story.until(isSo, Math.max(0, base + latest - world.now));
  const after = world.now - base;
  if (!came)
    throw new StepFailure(
      step.place,
      `not true${step.within === undefined && step.at === undefined && step.between === undefined ? '' : ` within ${spanText(latest)}`}: ${nearest()}`,
    );
  if (after < earliest) {
    throw new StepFailure(
      step.place,
      `too early: it was true after ${spanText(after)}, not after ${spanText(earliest)}`,
    );
  }
  if (step.for === undefined) return;
  const lasts = story.scope.span(step.for, step.place);
  if (await story.until(() => !isSo(), lasts)) {
    throw new StepFailure(
      step.place,
      `it was true after ${spanText(after)}, but not for ${spanText(lasts)}: ${nearest()} after ${spanText(world.now - base)}`,
    );
  }
}

/**
 * Checks that the bound of a step whose values are true was not over before the step. The step cannot know when they
 * became true. On the wall clock the steps before may have taken longer, so it is not checked there.
 *
 * @throws StepFailure when it was over.
 */
function checkNotOver(step: BoundedStep, story: Story): void {
  if (story.world.pending === undefined || step.since === undefined) return;
  if (step.within === undefined && step.at === undefined && step.between === undefined) return;
  const began = story.world.now - story.since(step.since, step.place);
  const { latest } = boundsOf(step, story);
  if (began <= latest) return;
  throw new StepFailure(
    step.place,
    `its bound was over before the step: it began ${spanText(began)} after ${step.since}, and the bound ends after ${spanText(latest)}`,
  );
}

/** Returns when it may become true, in milliseconds from the base, extended by the world's tolerance. */
function boundsOf(step: BoundedStep, story: Story): { earliest: number; latest: number } {
  const { world } = story;
  const spanned = (value: unknown) => story.scope.span(value, step.place);
  if (step.at !== undefined) {
    const at = spanned(step.at);
    return { earliest: at - world.tolerance(at), latest: at + world.tolerance(at) };
  }
  if (step.between !== undefined) {
    const [from, to] = [spanned(step.between[0]), spanned(step.between[1])];
    return { earliest: from - world.tolerance(from), latest: to + world.tolerance(to) };
  }
  // Without a bound it must be true by now. On the wall clock it may still be in transit.
  const within = step.within === undefined ? 0 : spanned(step.within);
  return { earliest: 0, latest: within + world.tolerance(within) };
}
