/** The virtual world: one event heap for library and exchange. */
import { notRunIn } from '../../sim/scenario/run/cases.ts';
import { skippedCase } from '../../sim/scenario/run/run-scenario.ts';
import { HostPool } from './host-pool.ts';
import { programBeside } from './host-process.ts';
import { runVirtual } from './run-virtual.ts';
import type { OpenedWorld, WorldSettings } from './world.ts';

/**
 * Opens the virtual world. A case uses one core, so this process runs one case at a time. Cases at the same time as
 * that one run in other processes.
 */
export function openVirtual({ clock }: Pick<WorldSettings, 'clock'>): OpenedWorld {
  const others = new HostPool({ clock, program: programBeside(import.meta.url, 'virtual-host') });
  let isRunning = false;
  return {
    async run({ scenario, one, seed, signal }) {
      const why = notRunIn('virtual', scenario);
      if (why !== undefined) return skippedCase(scenario, one, { seed, why });
      if (isRunning) return others.run({ world: 'virtual', scenario, one, seed, timeScale: 1, afterMs: 0 }, signal);
      isRunning = true;
      try {
        return await runVirtual({ scenario, one, seed }, clock);
      } finally {
        isRunning = false;
      }
    },
    close: async () => others.close(),
  };
}
