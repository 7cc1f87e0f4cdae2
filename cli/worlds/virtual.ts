/** The virtual world: one event heap for library and exchange. */
import { notRunIn } from '../../sim/scenario/run/cases.ts';
import { runCase, skippedCase } from '../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../sim/scenario/virtual/virtual-world.ts';
import type { OpenedWorld, WorldSettings } from './world.ts';

export const openVirtual = ({ clock }: Pick<WorldSettings, 'clock'>): OpenedWorld => ({
  async run({ scenario, one, seed }) {
    const why = notRunIn('virtual', scenario);
    if (why !== undefined) return skippedCase(scenario, one, { seed, why });
    return runCase(scenario, one, {
      seed,
      name: 'virtual',
      world: virtualWorld,
      stopwatch: () => clock.now(),
    });
  },
  close: async () => undefined,
});
