/** The virtual world: one event heap for library and exchange. */
import { notRunIn } from '../../sim/scenario/run/cases.ts';
import { skippedCase } from '../../sim/scenario/run/run-scenario.ts';
import { HostPool } from './host-pool.ts';
import { programBeside } from './host-process.ts';
import { runVirtual } from './run-virtual.ts';
import type { OpenedWorld, WorldSettings } from './world.ts';

/**
 * Opens the virtual world. A case uses one core. A single job runs in this process. Several jobs run in a process each,
 * since a case in this process would delay the next case of the others.
 */
export function openVirtual({ clock, jobs }: Pick<WorldSettings, 'clock' | 'jobs'>): OpenedWorld {
  const hosts = new HostPool({ clock, program: programBeside(import.meta.url, 'virtual-host'), most: jobs });
  return {
    // A host that waited for this process between two cases would leave its core idle.
    ahead: jobs === 1 ? 0 : jobs,
    async run({ scenario, one, seed, signal }) {
      const why = notRunIn('virtual', scenario);
      if (why !== undefined) return skippedCase(scenario, one, { seed, why });
      if (jobs === 1) return runVirtual({ scenario, one, seed }, clock, signal);
      return hosts.run({ world: 'virtual', scenario, one, seed, timeScale: 1, afterMs: 0 }, signal);
    },
    close: async () => hosts.close(),
  };
}
