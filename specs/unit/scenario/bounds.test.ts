import { describe, expect, it } from 'vitest';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { LateWorld } from './support/late-world.ts';

/** The tolerance of a moment in the world of these tests, in milliseconds. */
const TOLERANCE_MS = 250;
const HEAD = 'scenario: mine\nactors: { alice: { user: alice } }\nsteps:\n';

/**
 * Returns why an expectation of `alice.calls: 1` failed when it comes true at a moment. Returns 'passed' when it did
 * not fail.
 */
async function expectedAt(at: number, bounds: string): Promise<string> {
  const world = new LateWorld(TOLERANCE_MS, [{ at, path: 'alice.calls', value: 1 }]);
  const [result] = await runScenario(
    readScenario('mine.yaml', `${HEAD}  - { expect: { alice.calls: 1 }, ${bounds} }\n`),
    { name: 'real', world: () => Promise.resolve(world), stopwatch: () => 0 },
  );
  return result?.failure?.message ?? result?.state ?? 'no result';
}

describe('a bound in a world with a tolerance is extended by it', () => {
  it.each([
    ['within: 2s', 2_000, undefined],
    ['at: 2s', 2_000, 2_000],
    ['between: [1s, 2s]', 2_000, 1_000],
  ] as const)('%s', async (bounds, latest, earliest) => {
    expect(await expectedAt(latest + TOLERANCE_MS, bounds)).toBe('passed');
    expect(await expectedAt(latest + TOLERANCE_MS + 1, bounds)).toMatch(/^not true within/);
    if (earliest === undefined) return;
    expect(await expectedAt(earliest - TOLERANCE_MS, bounds)).toBe('passed');
    expect(await expectedAt(earliest - TOLERANCE_MS - 1, bounds)).toMatch(/^too early/);
  });
});

describe('a timer of a case', () => {
  it.each(['0s', 'soon', 3])('that is %s fails the case with its name', async (ring) => {
    const head = `scenario: mine\nactors: { alice: { user: alice } }\ntimers: { ring: $case.ring }\ncases: [{ ring: ${ring} }]\nsteps: []\n`;
    const [result] = await runScenario(readScenario('mine.yaml', head), {
      name: 'real',
      world: () => Promise.resolve(new LateWorld(TOLERANCE_MS)),
      stopwatch: () => 0,
    });
    expect(result?.failure?.message).toBe(`timers.ring must be a span of time longer than 0; it is ${ring}`);
  });
});
