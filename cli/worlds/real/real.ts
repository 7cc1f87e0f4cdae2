/** The worlds on the wall clock. Their cases run in scenario hosts. */
import { skippedCase } from '../../../sim/scenario/run/run-scenario.ts';
import { cannotRun } from '../cannot-run.ts';
import { HostPool } from '../host-pool.ts';
import { programBeside } from '../host-process.ts';
import type { OpenedWorld, WorldSettings } from '../world.ts';

/** The number of cases after which a host is replaced, because the engine leaks memory with each call. */
const CASES_OF_A_HOST = 10;

export const openReal = (settings: WorldSettings): OpenedWorld => openWallClock('real', { ...settings, timeScale: 1 });

export const openScaled = (settings: WorldSettings): OpenedWorld => openWallClock('scaled', settings);

function openWallClock(world: 'real' | 'scaled', { timeScale, longestMs, clock }: WorldSettings): OpenedWorld {
  const program = programBeside(import.meta.url, 'scenario-host');
  const hosts = new HostPool({ clock, program, casesOfHost: CASES_OF_A_HOST });
  return {
    async run({ scenario, one, seed, signal, afterMs = 0 }) {
      const why = await cannotRun(world, scenario, one, { longestMs: longestMs * timeScale, seed });
      if (why !== undefined) return skippedCase(scenario, one, { seed, why });
      return hosts.run({ world, scenario, one, seed, timeScale, afterMs }, signal);
    },
    close: async () => hosts.close(),
  };
}
