import { runCase, skippedCase } from '../../../sim/scenario/run/run-scenario.ts';
import { cannotRun } from '../cannot-run.ts';
import type { World } from '../world.ts';
import { browserWorld } from './browser-world.ts';
import { launchChromium } from './launch-chromium.ts';

/** The built library in one Chromium for all cases, in real time. */
export const browser: World = {
  name: 'browser',
  isExact: false,
  async open({ longestMs }) {
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
  },
};
