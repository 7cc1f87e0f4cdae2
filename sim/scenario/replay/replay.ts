/** The replay of a case, up to a chosen moment, and its comparison with the stored trace. */
import type { Scenario } from '../format/tree.ts';
import type { ScenarioCase } from '../run/cases.ts';
import { type CaseResult, runCase } from '../run/run-scenario.ts';
import type { ScenarioWorld } from '../run/world.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { virtualWorld } from '../virtual/virtual-world.ts';
import { type Attendant, AttendedWorld, Ended } from './attended-world.ts';
import { type Difference, differenceFrom } from './difference-from-trace.ts';
import { type Moment, momentOf } from './moment.ts';
import { isSeenIn, type Stop } from './stop.ts';

export interface ReplayOptions {
  readonly seed: number;
  /** Where to stop. Default: at the end. */
  readonly until?: Stop | undefined;
  /** The stored trace of the run. */
  readonly kept?: readonly TraceEvent[] | undefined;
  /** Called after every event, with all events so far. The world waits for it. Resolves to whether to go on. */
  readonly step?: ((trace: readonly TraceEvent[], moment: Moment) => Promise<boolean>) | undefined;
}

export interface Replayed {
  /**
   * Why the replay ended. `there`: at the chosen stop. `left`: `step` returned false. `over`: at the end of the case.
   */
  readonly ended: 'there' | 'left' | 'over';
  /** All events. */
  readonly trace: readonly TraceEvent[];
  readonly moment: Moment;
  /** The result of the case. Meaningless if it did not reach its end. */
  readonly result: CaseResult;
  /** The first difference from the stored trace. Absent if there is none, or no stored trace. */
  readonly difference?: Difference;
}

/** Replays a case in virtual time. Never rejects. */
export async function replay(scenario: Scenario, one: ScenarioCase, options: ReplayOptions): Promise<Replayed> {
  const { seed, until, kept, step } = options;
  let ended: Replayed['ended'] = 'over';
  let trace: readonly TraceEvent[] = [];
  let moment: Moment = { at: 0, devices: {}, server: {} };
  const look = (world: ScenarioWorld) => {
    trace = [...world.trace];
    moment = momentOf(world, scenario);
  };
  const attendant: Attendant = {
    until: until && 'at' in until ? until.at : undefined,
    isThere: (world) => isSeenIn(until, world),
    async happened(world, isThere) {
      if (ended !== 'over') throw new Ended();
      look(world);
      if (isThere) ended = 'there';
      else if (step && !(await step(trace, moment))) ended = 'left';
      if (ended !== 'over') throw new Ended();
    },
    closing: (world) => {
      if (ended === 'over') look(world);
    },
  };
  const result = await runCase(scenario, one, {
    seed,
    name: 'virtual',
    world: async (...made) => new AttendedWorld(await virtualWorld(...made), attendant),
    stopwatch: () => 0,
  });
  const difference = kept && differenceFrom(kept, trace, ended === 'over');
  return { ended, trace, moment, result, ...(difference ? { difference } : {}) };
}
