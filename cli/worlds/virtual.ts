import { notRunIn } from '../../sim/scenario/run/cases.ts';
import { runCase, skippedCase } from '../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../sim/scenario/virtual/virtual-world.ts';
import type { World } from './world.ts';

/** One event heap, modelled media, a minute in milliseconds. */
export const virtual: World = {
  name: 'virtual',
  isExact: true,
  open: async () => ({
    async run({ scenario, one, seed }) {
      const why = notRunIn('virtual', scenario);
      if (why !== undefined) return skippedCase(scenario, one, { seed, why });
      return runCase(scenario, one, {
        seed,
        name: 'virtual',
        world: virtualWorld,
        stopwatch: () => performance.now(),
      });
    },
    close: async () => undefined,
  }),
};
