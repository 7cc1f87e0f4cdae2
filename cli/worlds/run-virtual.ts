import type { Clock } from '../../src/common/clock.ts';
import { type CaseResult, runCase } from '../../sim/scenario/run/run-scenario.ts';
import type { ScenarioWorld } from '../../sim/scenario/run/world.ts';
import { WorldAround } from '../../sim/scenario/run/world-around.ts';
import { virtualWorld } from '../../sim/scenario/virtual/virtual-world.ts';
import type { CaseJob } from './world.ts';

/**
 * Runs a case in virtual time: one event heap for library and exchange. The clock measures it. After the signal has
 * aborted, the case ends at its next event, and its result has no meaning.
 */
export const runVirtual = (
  { scenario, one, seed }: Pick<CaseJob, 'scenario' | 'one' | 'seed'>,
  clock: Pick<Clock, 'now'>,
  signal?: AbortSignal,
): Promise<CaseResult> =>
  runCase(scenario, one, {
    seed,
    name: 'virtual',
    world: async (...made) => {
      const world = await virtualWorld(...made);
      return signal ? new EndingWorld(world, signal) : world;
    },
    stopwatch: () => clock.now(),
  });

/** A world that ends its run when the signal aborts. */
class EndingWorld extends WorldAround {
  readonly #signal: AbortSignal;

  constructor(world: ScenarioWorld, signal: AbortSignal) {
    super(world);
    this.#signal = signal;
  }

  override until(condition: () => boolean, ms: number): Promise<boolean> {
    return this.world.until(() => {
      if (this.#signal.aborted) throw new Error('the run was ended');
      return condition();
    }, ms);
  }
}
