/** Runs a case again, as far as somebody wants to see it, and says where it goes another way than the trace that was kept. */
import type { Scenario } from '../format/tree.ts';
import type { ScenarioCase } from '../run/cases.ts';
import { type CaseResult, runCase } from '../run/run-scenario.ts';
import type { ScenarioWorld } from '../run/world.ts';
import type { TraceEvent } from '../trace/trace.ts';
import { virtualWorld } from '../virtual/virtual-world.ts';
import { type Attendant, AttendedWorld, Ended } from './attended-world.ts';
import { type Difference, differenceFrom } from './difference-from-trace.ts';
import { type Moment, momentOf } from './moment.ts';
import { isSeenIn, type Stop } from './stop.ts';

export interface ReplayOptions {
  readonly seed: number;
  /** Where to stop; at the end where it is not said. */
  readonly until?: Stop | undefined;
  /** The trace that was kept of the run. */
  readonly kept?: readonly TraceEvent[] | undefined;
  /** Called whenever something happened, with all that did; the world stands still meanwhile. Resolves to whether to go on. */
  readonly step?: ((trace: readonly TraceEvent[], moment: Moment) => Promise<boolean>) | undefined;
}

export interface Replayed {
  /** `there`: where it was to stop. `left`: its watcher had seen enough. `over`: the case came to its end. */
  readonly ended: 'there' | 'left' | 'over';
  /** All that happened. */
  readonly trace: readonly TraceEvent[];
  readonly moment: Moment;
  /** What the case came to; means nothing where it did not come to its end. */
  readonly result: CaseResult;
  /** Where it differs from the kept trace; absent where it does not, or where there is none. */
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
