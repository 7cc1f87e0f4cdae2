/** The browser world. */
import { runCase, skippedCase } from '../../../sim/scenario/run/run-scenario.ts';
import { cannotRun } from '../cannot-run.ts';
import type { OpenedWorld, WorldSettings } from '../world.ts';
import { browserWorld } from './browser-world.ts';
import { launchChromium } from './launch-chromium.ts';

export async function openBrowser({ longestMs }: WorldSettings): Promise<OpenedWorld> {
  const chromium = await launchChromium();
  return {
    async run({ scenario, one, seed, signal, afterMs }) {
      const why = await cannotRun('browser', scenario, one, { longestMs, seed });
      if (why !== undefined) return skippedCase(scenario, one, { seed, why });
      return runCase(scenario, one, {
        name: 'browser',
        seed,
        ...(afterMs === undefined ? {} : { afterMs }),
        world: (_scenario, own, timers) => browserWorld(scenario, { browser: chromium, seed: own, timers, signal }),
        stopwatch: () => performance.now(),
      });
    },
    close: () => chromium.close(),
  };
}
