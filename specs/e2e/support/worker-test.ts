/**
 * Defines `test` with the fixtures that a worker shares. Playwright starts a new worker for tests with other worker
 * fixtures, and a worker starts as slowly as a call. So every file has all of these fixtures, and each is made when
 * a test first needs it.
 */
import { expect, test as base } from '@playwright/test';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { createMediaPeers } from '../../../cli/headless/media-peers.ts';
import { type Sim, startSim } from '../../../sim/server/start-sim.ts';
import { bundleForPage } from './bundle-for-page.ts';
import { serveLibraryPage } from '../../bench/library-page.ts';
import { openStage, type Stage } from './gallery-stage.ts';
import { serveGallery } from './gallery-server.ts';
import { startStack, type Stack } from './stack.ts';

export interface OfWorker {
  /**
   * The demo world with an empty database in memory, and the app, on free ports. Later tests see the data of earlier
   * ones. A test that needs an empty world starts a stack.
   */
  readonly stack: Stack;
  /** An exchange that plays server scripts to every client that selects one by its path. */
  readonly scriptPlayer: Pick<Sim, 'url'>;
  /** The script that measures devices and calls in a page. */
  readonly pageMedia: string;
  /** The script of a host of the library in its page. */
  readonly hostScript: string;
  /** The address of a page that has only the library. */
  readonly libraryUrl: string;
  /** The address of the built gallery. */
  readonly gallery: string;
  /** One page of the gallery, which shows scenes in turn. */
  readonly stage: Stage;
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
      const parties = createMediaPeers((line) => failures.push(line), nodeClock);
      const sim = await startSim({ demo: true, port: 0, scripts: { own: [], parties: parties.at } });
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
  hostScript: [
    async ({}, use) => use(await bundleForPage(new URL('page-host.ts', import.meta.url), 'pageHost')),
    { scope: 'worker' },
  ],
  libraryUrl: [
    async ({}, use) => {
      const { url, close } = await serveLibraryPage();
      await use(url);
      await close();
    },
    { scope: 'worker' },
  ],
  gallery: [
    async ({}, use) => {
      const { url, close } = await serveGallery();
      await use(url);
      await close();
    },
    { scope: 'worker' },
  ],
  stage: [
    async ({ browser, gallery }, use) => {
      const stage = await openStage(browser, gallery);
      await use(stage);
      await stage.close();
    },
    { scope: 'worker' },
  ],
});
