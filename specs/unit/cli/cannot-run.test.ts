import { expect, test } from 'vitest';
import { findScenarios } from '../../../cli/scenarios/find-scenarios.ts';
import { cannotRun } from '../../../cli/worlds/cannot-run.ts';
import { casesOf } from '../../../sim/scenario/run/cases.ts';

const { scenarios } = await findScenarios([]);

/** Returns why the first case of a built-in scenario does not run in a world. */
async function why(
  world: 'real' | 'scaled' | 'browser',
  name: string,
  longestMs = 45_000,
): Promise<string | undefined> {
  const found = scenarios.find(({ scenario }) => scenario === name);
  const [first] = found ? casesOf(found) : [];
  if (!found || !first) throw new Error(`there is no scenario ${name}`);
  return cannotRun(world, found, first, { longestMs, seed: undefined });
}

test('a case that a world cannot run is skipped with the reason, before the world starts anything', async () => {
  expect(await why('real', 'direct/cancel')).toBeUndefined();
  expect(await why('browser', 'direct/cancel')).toBeUndefined();
  expect(await why('real', 'direct/media-content')).toBeUndefined();
  expect(await why('browser', 'direct/media-content')).toBeUndefined();
  expect(await why('real', 'direct/recording')).toBe('there is no media recorder outside a browser');
  expect(await why('browser', 'direct/recording')).toBeUndefined();
  expect(await why('scaled', 'faults/media-gone')).toContain('do not run faster');
  expect(await why('real', 'room/media-controls')).toBeUndefined();
  expect(await why('browser', 'room/media-controls')).toBeUndefined();
  expect(await why('real', 'room/media-server-gone', 300_000)).toBeUndefined();
  expect(await why('real', 'direct/cancel', 1_000)).toMatch(/^it takes .*, and --longest allows 1s$/);
});
