import { describe, expect, it } from 'vitest';
import { exploreScenario } from '../../../sim/scenario/explore/explore-scenario.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { scenarioYaml } from '../../../sim/scenario/format/write-scenario.ts';
import { casesOf } from '../../../sim/scenario/run/cases.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { WorldAround } from '../../../sim/scenario/run/world-around.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';

const HEAD = 'scenario: mine\nactors: { alice: { user: alice }, bob: { user: bob } }\n';
const CALL = `steps:
  - { do: alice.dial, with: { callee: bob, video: true }, as: call }
  - { expect: { bob.call.state: ringing }, within: 1s }
`;
const TALK = `  - { do: bob.accept }
  - { expect: { alice.call.state: connected, bob.call.state: connected }, within: 5s }
  - { wait: 30s }
`;
const NEVER = '  - { never: { expect: { alice.call.state: reconnecting } } }\n';

/** Searches for the faults of some seeds that break a scenario of one case. */
function explored(text: string, firstSeed = 1, seeds = 1) {
  const scenario = readScenario('mine.yaml', text);
  const [one] = casesOf(scenario);
  return exploreScenario(scenario, one ?? { values: {} }, { firstSeed, seeds, most: 5 });
}

/** Returns the result of the file in which a found story is saved. */
async function resultOf(scenario: Parameters<typeof scenarioYaml>[0]) {
  const read = readScenario('found.yaml', scenarioYaml(scenario));
  const [result] = await runScenario(read, { name: 'virtual', world: virtualWorld, stopwatch: () => 0 });
  return { result, steps: read.steps.map(({ place: _, verb: __, ...step }) => step) };
}

describe('the search for faults that break a scenario', () => {
  it('keeps the steps, finds a broken never, shortens the faults, and saves a file that fails the same way', async () => {
    const { found, seeds } = await explored(`${HEAD}${CALL}${NEVER}${TALK}`, 26);
    expect(seeds).toBe(1);
    expect(found).toMatchObject([{ seed: 26, drawnFaults: 3, faults: 1, violation: { id: 'never' } }]);
    const { result, steps } = await resultOf(found[0]?.scenario as never);
    expect(steps.filter((step) => !('fault' in step))).toHaveLength(6);
    expect(steps.filter((step) => 'fault' in step)).toEqual([
      { fault: { kind: 'offline', actor: 'bob' }, until: '20s' },
    ]);
    expect(result).toMatchObject({
      state: 'failed',
      failure: { message: expect.stringContaining('this must never hold: {"alice.call.state":"reconnecting"}') },
    });
  });

  it('is not interested in steps that the faults prevent, and draws the same faults for a seed', async () => {
    const [once, again] = [
      await explored(`${HEAD}${CALL}${TALK}`, 24, 4),
      await explored(`${HEAD}${CALL}${TALK}`, 24, 4),
    ];
    expect(once.found).toEqual([]);
    expect(once.seeds).toBe(4);
    expect(again.events).toBe(once.events);
    expect((await explored(`${HEAD}${CALL}${TALK}`, 30, 4)).events).not.toBe(once.events);
  });

  it('reports a story that breaks without faults once, and saves failed steps as they happened', async () => {
    const steps = `  - { never: { expect: { bob.call.result: no_answer } } }
  - { expect: { alice.call.state: connected }, within: 3s }
  - { do: bob.unmute }
  - { do: alice.fetchRoom, with: { room: absent } }
`;
    const { found, seeds } = await explored(`${HEAD}${CALL}${steps}`, 1, 50);
    expect([seeds, found.length]).toEqual([0, 1]);
    expect(found[0]).toMatchObject({ faults: 0, violation: { id: 'never' } });
    const saved = await resultOf(found[0]?.scenario as never);
    expect(saved.steps.slice(3)).toEqual([
      { wait: '3.005s' },
      { do: 'bob.unmute', idle: true },
      { do: 'alice.fetchRoom', with: { room: 'absent' }, fails: expect.any(Number) as number },
    ]);
    expect(saved.result).toMatchObject({
      failure: { message: expect.stringContaining('"bob.call.result":"no_answer"') },
    });
  });

  it('works on rooms, and on one case of several', async () => {
    const room = `scenario: mine\nactors: { alice: { user: alice }, bob: { user: bob } }\ncases: [{ who: bob }, { who: alice }]
steps:
  - { do: alice.createRoom, as: room }
  - { do: alice.enter }
  - { do: bob.enter, with: { room: $room.id } }
  - { never: { expect: { alice.room.participants: [alice] } } }
  - { expect: { alice.room.remotes: [bob] }, within: 5s }
  - { do: $case.who.exit }
  - { wait: 2s }
`;
    const { found } = await explored(room);
    expect(found).toMatchObject([{ faults: 0, violation: { id: 'never' }, scenario: { cases: [{ who: 'bob' }] } }]);
  });
});

/** A world whose exchange keeps a call, and in which an end never settles. */
class LeakyWorld extends WorldAround {
  override read(path: string): unknown {
    return path === 'server.calls' ? 1 : super.read(path);
  }
}
/** A world whose hosts get each end of a call twice. */
class TellingWorld extends WorldAround {
  override get trace() {
    return super.trace.flatMap((event) =>
      event.kind === 'told' && event.name === 'onEnded' ? [event, event] : [event],
    );
  }
}
class HangingWorld extends WorldAround {
  override act(...asked: Parameters<WorldAround['act']>): ReturnType<WorldAround['act']> {
    const acted = super.act(...asked);
    return asked[1] === 'unhold' && !(acted instanceof Promise)
      ? { ...acted, done: new Promise(() => undefined) }
      : acted;
  }
}

describe('a scenario with invariants: true', () => {
  const scenario = readScenario(
    'mine.yaml',
    `${HEAD}invariants: true\n${CALL}${TALK}  - { do: bob.mute }\n  - { do: bob.unhold, waits: false }\n`,
  );
  const run = async (Around: typeof WorldAround, name: 'virtual' | 'real' = 'virtual') => {
    const world: typeof virtualWorld = async (...made) => new Around(await virtualWorld(...made));
    const [result] = await runScenario(scenario, { name, world, stopwatch: () => 0 });
    return result;
  };

  it('goes on after its last step until the calls are over, and passes when nothing is left', async () => {
    const result = await run(WorldAround);
    expect(result?.failure).toBeUndefined();
    expect(result).toMatchObject({ state: 'passed' });
    expect(result?.simulatedMs).toBeGreaterThan(270_000);
  });

  it('fails by the invariant that is broken, as the search reports it', async () => {
    expect((await run(LeakyWorld))?.failure?.message).toBe('I22 is broken: the exchange has 1 calls');
    expect((await run(HangingWorld))?.failure?.message).toBe('I5 is broken: bob: unhold never settled');
  });

  it('checks the invariants of a random story by the name of its kind, and permits refusals', async () => {
    const ends = `${HEAD}invariants: KIND\n${CALL}${TALK}  - { do: bob.decline, waits: false }\n  - { do: bob.end }\n`;
    const verdict = async (kind: string) => {
      const world: typeof virtualWorld = async (...made) => new TellingWorld(await virtualWorld(...made));
      const story = readScenario('mine.yaml', ends.replace('KIND', kind));
      const [result] = await runScenario(story, { name: 'virtual', world, stopwatch: () => 0 });
      return result?.failure?.message;
    };
    expect(await verdict('direct')).toContain('I3 is broken: ');
    expect(await verdict('true')).not.toContain('I3');
    expect(() => readScenario('mine.yaml', ends.replace('KIND', 'call'))).toThrow(/invariants/);
  });

  it('counts what the steps of a random story with a kind expect', async () => {
    const stateAfter = async (step: string) => {
      const text = `${HEAD}invariants: direct\n${CALL}${TALK}  - ${step}\n  - { wait: 1s }\n`;
      const [result] = await runScenario(readScenario('mine.yaml', text), {
        name: 'virtual',
        world: virtualWorld,
        stopwatch: () => 0,
      });
      return result?.state;
    };
    expect(await stateAfter('{ do: bob.decline }')).toBe('passed');
    for (const step of [
      '{ expect: { bob.call.state: ringing } }',
      '{ see: { from: bob, cmd: hold }, within: 1s }',
      '{ do: bob.mute, fails: 1400101 }',
    ])
      expect([step, await stateAfter(step)]).toEqual([step, 'failed']);
  });

  it('is skipped in real time', async () => {
    expect(await run(WorldAround, 'real')).toMatchObject({
      state: 'skipped',
      skipped: 'invariants are checked in virtual time',
    });
  });

  it('is what the search saves', async () => {
    const { found } = await explored(`${HEAD}${CALL}${NEVER}${TALK}`, 26);
    expect(found[0]?.scenario.invariants).toBe(true);
    expect(scenarioYaml(found[0]?.scenario as never)).toContain('invariants: true\n');
  });
});
