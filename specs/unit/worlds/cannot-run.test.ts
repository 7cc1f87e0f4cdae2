import { describe, expect, it } from 'vitest';
import { openBoth } from '../../../cli/worlds/both.ts';
import { cannotRun } from '../../../cli/worlds/cannot-run.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import type { WorldName } from '../../../sim/scenario/format/tree.ts';
import { casesOf, type ScenarioCase } from '../../../sim/scenario/run/cases.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';

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

const why = (world: WorldName, steps: string) => {
  const { scenario, one } = roomWith(steps);
  return cannotRun(world, scenario, one, { longestMs: 45_000, seed: undefined });
};

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
  });

  it('is not compared between the virtual and the real world, with a reason', async () => {
    const world = openBoth({ timeScale: 1, longestMs: 45_000, clock: nodeClock });
    const { signal } = new AbortController();
    expect(await world.run({ ...roomWith(''), signal })).toMatchObject({
      state: 'skipped',
      skipped: 'it has a room, whose endpoints negotiate at the same time: their order is not compared',
    });
  });
});
