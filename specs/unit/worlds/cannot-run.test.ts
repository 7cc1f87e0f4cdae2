import { describe, expect, it } from 'vitest';
import { findScenarios } from '../../../cli/scenarios/find-scenarios.ts';
import { openBoth } from '../../../cli/worlds/both.ts';
import { cannotRun } from '../../../cli/worlds/cannot-run.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import type { WorldName } from '../../../sim/scenario/format/tree.ts';
import { casesOf, type ScenarioCase } from '../../../sim/scenario/run/cases.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';

const { scenarios } = await findScenarios([]);

/** Returns why the first case of a built-in scenario does not run in a world. */
async function whyBuiltIn(
  world: 'real' | 'scaled' | 'browser',
  name: string,
  longestMs = 45_000,
): Promise<string | undefined> {
  const found = scenarios.find(({ scenario }) => scenario === name);
  const [first] = found ? casesOf(found) : [];
  if (!found || !first) throw new Error(`there is no scenario ${name}`);
  return cannotRun(world, found, first, { longestMs, seed: undefined });
}

it('a case that a world cannot run is skipped with the reason, before the world starts anything', async () => {
  expect(await whyBuiltIn('real', 'direct/cancel')).toBeUndefined();
  expect(await whyBuiltIn('browser', 'direct/cancel')).toBeUndefined();
  expect(await whyBuiltIn('real', 'direct/media-content')).toBeUndefined();
  expect(await whyBuiltIn('browser', 'direct/media-content')).toBeUndefined();
  expect(await whyBuiltIn('real', 'direct/recording')).toBe('there is no media recorder outside a browser');
  expect(await whyBuiltIn('browser', 'direct/recording')).toBeUndefined();
  expect(await whyBuiltIn('scaled', 'faults/media-gone')).toContain('do not run faster');
  expect(await whyBuiltIn('real', 'room/media-controls')).toBeUndefined();
  expect(await whyBuiltIn('browser', 'room/media-controls')).toBeUndefined();
  expect(await whyBuiltIn('real', 'room/media-server-gone', 300_000)).toBeUndefined();
  expect(await whyBuiltIn('real', 'direct/cancel', 1_000)).toMatch(/^it takes .*, and --longest allows 1s$/);
});

const IN_A_ROOM = `scenario: mine
actors: { alice: { user: alice }, bob: { user: bob } }
steps:
  - { do: alice.createRoom, as: room }
  - { do: alice.enter }
`;

function roomWith(steps: string) {
  const scenario = readScenario('mine.yaml', IN_A_ROOM + steps);
  return { scenario, one: casesOf(scenario)[0] as ScenarioCase };
}

const SHORT = { longestMs: 45_000, seed: undefined } as const;

const why = (world: WorldName, steps: string) => {
  const { scenario, one } = roomWith(steps);
  return cannotRun(world, scenario, one, SHORT);
};

it('a scenario with several nodes runs in virtual time only', async () => {
  for (const world of ['real', 'scaled', 'browser'] as const) {
    const scenario = readScenario('mine.yaml', `nodes: 3\n${IN_A_ROOM}`);
    expect(await cannotRun(world, scenario, casesOf(scenario)[0] as ScenarioCase, SHORT)).toBe(
      'it has 3 nodes, and only the virtual world has more than one',
    );
  }
});

describe('a scenario with a room', () => {
  it('runs on real media and in a browser, with what is heard and seen, and with a broken path to the media server', async () => {
    const heard = '  - { expect: { alice.room.heard: [], alice.room.seen: [] } }\n';
    const cut = '  - { fault: { kind: media, actor: sfu } }\n';
    for (const world of ['real', 'browser'] as const) expect(await why(world, heard + cut)).toBeUndefined();
    expect(await why('scaled', heard)).toBeUndefined();
    expect(await why('scaled', cut)).toMatch(/do not run faster/);
    expect(await why('real', '  - { fault: { kind: sleep, actor: bob } }\n')).toBe(
      'a fault of kind sleep is not supported on real sockets and media',
    );
    expect(await why('browser', '  - { fault: { kind: sleep, actor: bob } }\n')).toBe(
      'a fault of kind sleep is not supported in a browser',
    );
  });

  it('is not compared between the virtual and the real world, with a reason', async () => {
    const world = openBoth({ jobs: 1, timeScale: 1, longestMs: 45_000, clock: nodeClock });
    const { signal } = new AbortController();
    expect(await world.run({ ...roomWith(''), signal })).toMatchObject({
      state: 'skipped',
      skipped: 'it has a room, whose endpoints negotiate at the same time: their order is not compared',
    });
  });
});
