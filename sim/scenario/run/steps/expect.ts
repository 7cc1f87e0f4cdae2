import type { StepOf, Story } from '../story.ts';
import { fits, show } from '../values.ts';
import { bounded } from './bounded.ts';

/** Waits until the values of the actors are as expected. */
export async function expectStep(step: StepOf<'expect'>, story: Story): Promise<void> {
  const wanted = Object.entries(story.fill(step.expect) as Record<string, unknown>);
  const missing = () => wanted.filter(([path, value]) => !fits(story.world.read(path), value));
  await bounded(
    step,
    story,
    () => missing().length === 0,
    () =>
      missing()
        .map(([path, value]) => `${path} is ${show(story.world.read(path))}, not ${show(value)}`)
        .join('; '),
  );
}
