import { describe, expect, it } from 'vitest';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';

const ACTORS = { alice: { user: 'alice', online: true }, bob: { user: 'bob', online: true } };

describe('the trace of a virtual world', () => {
  /** The approximate number of events of a call of 24 hours. Most are uploads of the log of the library. */
  const EVENTS_OF_A_DAY = 130_000;

  it('may be as long as a day, and ends with the case', async () => {
    const world = await virtualWorld({ actors: ACTORS }, 1, {});
    await world.until(() => false, 1_000);
    for (let count = 0; count < EVENTS_OF_A_DAY; count += 1) world.note({ kind: 'fault', what: 'nothing', on: true });
    const before = world.trace.length;
    expect(before).toBeGreaterThanOrEqual(EVENTS_OF_A_DAY);
    expect(await world.close()).toEqual([]);
    // The sign-out, which closes channels, is not part of the case.
    expect(world.trace.length).toBe(before);
    expect(world.trace.at(-1)).toMatchObject({ kind: 'fault' });
  });
});

describe('the randomness of a fault', () => {
  const LOSSY = `scenario: mine
actors: { alice: { user: alice }, bob: { user: bob } }
timers: { ring: 1000s }
steps:
  - { fault: { kind: drop, to: alice, cmd: alive_ack }, p: 0.5 }
  - { do: alice.dial, with: { callee: bob } }
  - { wait: 900s }
`;

  /** Returns which of the acknowledgements were lost. */
  async function lost(seed: number): Promise<string> {
    const [result] = await runScenario(readScenario('mine.yaml', LOSSY), {
      seed,
      name: 'virtual',
      world: virtualWorld,
      stopwatch: () => 0,
    });
    return (result?.trace ?? [])
      .flatMap((event) =>
        event.kind === 'message' && event.cmd === 'alive_ack' ? [event.fate === undefined ? '-' : 'x'] : [],
      )
      .join('');
  }

  it('follows from the seed: the same for the same, others for another', async () => {
    const [first, again, other] = [await lost(1), await lost(1), await lost(2)];
    expect(first).toMatch(/x.*-|-.*x/);
    expect(first.length).toBeGreaterThan(15);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });
});
