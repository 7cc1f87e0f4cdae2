/** The browser world. */
import { runCase, skippedCase } from '../../../sim/scenario/run/run-scenario.ts';
import { cannotRun } from '../cannot-run.ts';
import type { OpenedWorld, WorldSettings } from '../world.ts';
import { browserWorld } from './browser-world.ts';
import type { Browser } from 'playwright-core';
import { CommandError } from '../../command-error.ts';
import { EXIT } from '../../exit-codes.ts';
import { CHROMIUM_ARGUMENTS, findChromium, whyNoChromium } from './chromium.ts';

export async function openBrowser({ longestMs, clock }: WorldSettings): Promise<OpenedWorld> {
  const chromium = await launchChromium();
  return {
    async run({ scenario, one, seed, signal, afterMs }) {
      const why = await cannotRun('browser', scenario, one, { longestMs, seed });
      if (why !== undefined) return skippedCase(scenario, one, { seed, why });
      return runCase(scenario, one, {
        name: 'browser',
        seed,
        ...(afterMs === undefined ? {} : { afterMs }),
        world: (_scenario, own, timers) =>
          browserWorld(scenario, { browser: chromium, seed: own, timers, signal, clock }),
        stopwatch: () => clock.now(),
      });
    },
    close: () => chromium.close(),
  };
}

/** Two cameras, whose pictures this world does not measure, and sounds without a gesture of the user. */
const ARGUMENTS = [
  ...CHROMIUM_ARGUMENTS.filter((argument) => !argument.startsWith('--use-fake-device')),
  '--use-fake-device-for-media-stream=device-count=2,fps=10',
  '--autoplay-policy=no-user-gesture-required',
];

/**
 * Starts a Chromium for the scenarios of one run. It ends with this process.
 *
 * @throws CommandError without a Chromium or without Playwright. The message names what to install.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new CommandError(`The browser world needs a browser: ${whyNoChromium()}.`, EXIT.environment);
  const { chromium } = await import('playwright-core').catch(() => {
    throw new CommandError(
      'The browser world drives Chromium with Playwright, which is not installed: npm install playwright-core',
      EXIT.environment,
    );
  });
  // The command handles Ctrl-C: it closes the browser when no case needs it.
  return chromium.launch({
    executablePath,
    args: ARGUMENTS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}
