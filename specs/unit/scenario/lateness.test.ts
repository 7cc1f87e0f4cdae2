import { describe, expect, it } from 'vitest';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { type CaseResult, runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { LateWorld } from './support/late-world.ts';

const TOLERANCE_MS = 500;
const HEAD = 'scenario: mine\nactors: { alice: { user: alice } }\nsteps:\n';

async function run(world: LateWorld, ...steps: readonly string[]): Promise<CaseResult> {
  const file = `${HEAD}${steps.map((step) => `  - ${step}\n`).join('')}`;
  const [result] = await runScenario(readScenario('mine.yaml', file), {
    name: 'real',
    world: () => Promise.resolve(world),
    stopwatch: () => 0,
  });
  if (!result) throw new Error('no case was run');
  return result;
}

const FAILS = '{ expect: { alice.calls: 9 }, within: 1s }';
const FAILED = 'not true within 1.5s: alice.calls is nothing, not 9';

/** A world whose first waits end late by these times. */
const late = (...lateness: readonly number[]) => {
  const world = new LateWorld(TOLERANCE_MS);
  world.lateness.push(...lateness);
  return world;
};

describe('a step that the runner performed too late', () => {
  it('makes a failed case inconclusive, and reports when it was due and when it was performed', async () => {
    const world = new LateWorld(TOLERANCE_MS, [{ at: 540, path: 'alice.calls', value: 1 }]);
    // The wait is noticed 30 ms late, and the action takes 992 ms to begin.
    world.lateness.push(30);
    world.slowness.push(992);
    const seen = '{ expect: { alice.calls: 1 }, within: 1s }';
    const { state, failure, late: what } = await run(world, seen, '{ wait: 200ms }', '{ do: alice.end }', FAILS);
    expect(state).toBe('inconclusive');
    expect(failure?.message).toBe(
      `inconclusive: step 3, alice.end (mine.yaml:6), was taken 1.022s late: due at 740ms, done at 1.762s; allowed 500ms\n${FAILED.replace('nothing', '1')}`,
    );
    expect(failure?.place).toMatchObject({ line: 7 });
    expect(what).toEqual({
      what: 'step 3, alice.end (mine.yaml:6), was taken',
      dueMs: 740,
      doneMs: 1_762,
      allowedMs: 500,
    });
  });

  it('does not change a passed case', async () => {
    const { state, failure, late: what } = await run(late(900), '{ wait: 1s }', '{ do: alice.end }');
    expect([state, failure, what?.doneMs]).toEqual(['passed', undefined, 1_900]);
  });

  it('is one that is later than the world allows, and no other', async () => {
    const at = (ms: number) => run(late(ms), '{ wait: 1s }', '{ do: alice.end }', FAILS);
    expect((await at(TOLERANCE_MS)).state).toBe('failed');
    expect((await at(TOLERANCE_MS + 1)).state).toBe('inconclusive');
  });

  it('counts from the beginning of the waits before it: the delays add up', async () => {
    const { failure } = await run(late(300, 300), '{ wait: 1s }', '{ wait: 1s }', '{ do: alice.end }', FAILS);
    expect(failure?.message).toMatch(/^inconclusive: step 3, .* 600ms late: due at 2s, done at 2\.6s/);
  });

  it('may be a check, because the checked state may have ended', async () => {
    const { state, failure } = await run(late(700), '{ wait: 1s }', FAILS);
    expect([state, failure?.message.split(',')[1]]).toEqual(['inconclusive', ' expect (mine.yaml:5)']);
  });

  it('after the failure excuses nothing', async () => {
    expect((await run(late(0, 900), FAILS, '{ wait: 1s }', '{ do: alice.end }')).failure?.message).toBe(FAILED);
  });

  it('is not a step that takes its time: a state that comes late is a failure', async () => {
    const world = new LateWorld(TOLERANCE_MS, [{ at: 1_501, path: 'alice.calls', value: 9 }]);
    expect((await run(world, '{ do: alice.end }', FAILS)).state).toBe('failed');
  });
});

describe('a fault that the runner ended too late', () => {
  it('makes a failed case inconclusive', async () => {
    const fault = '{ fault: { kind: offline, actor: alice }, until: 2s }';
    const { failure } = await run(late(800), fault, '{ wait: 5s }', FAILS);
    expect(failure?.message.split('\n')[0]).toBe(
      'inconclusive: the fault offline actor alice was mended 800ms late: due at 2s, done at 2.8s; allowed 500ms',
    );
  });
});
