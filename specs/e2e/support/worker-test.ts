/**
 * `test` with what a worker has once. Playwright gives tests that differ in such fixtures workers of their own, and a worker takes as
 * long to start as a call does: so every file has all of these, and each is made when a test first asks for it.
 */
import { expect, test as base } from '@playwright/test';
import { createParties } from '../../../cli/headless/parties.ts';
import { type Sim, startSim } from '../../../sim/server/start-sim.ts';
import { bundleForPage } from './bundle-for-page.ts';
import { startStack, type Stack } from './stack.ts';

export interface OfWorker {
  /**
   * The demo world with an empty database in memory, and the app before it, on ports of its own. What tests leave in it the next ones
   * find: who must find nothing starts a stack.
   */
  readonly stack: Stack;
  /** An exchange that plays server scripts to whoever asks for one by its path. */
  readonly scriptPlayer: Pick<Sim, 'url'>;
  /** What measures devices and calls, as a script for a page. */
  readonly pageMedia: string;
}

/* oxlint-disable no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none */
export const test = base.extend<object, OfWorker>({
  stack: [
    async ({}, use) => {
      const stack = await startStack();
      await use(stack);
      await stack.close();
    },
    { scope: 'worker' },
  ],
  scriptPlayer: [
    async ({}, use) => {
      const failures: string[] = [];
      const parties = createParties((line) => failures.push(line));
      const sim = await startSim({ port: 0, scripts: { own: [], parties: parties.at } });
      await use(sim);
      parties.close();
      await sim.close();
      expect(failures).toEqual([]);
    },
    { scope: 'worker' },
  ],
  pageMedia: [
    async ({}, use) => use(await bundleForPage(new URL('page-media.ts', import.meta.url), 'pageMedia')),
    { scope: 'worker' },
  ],
});
