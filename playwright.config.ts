/** Browser tests: Chromium only, with fake cameras and microphones (specs/e2e/support/browsers.ts). */
import { defineConfig } from '@playwright/test';
import { LIGHT_CHROMIUM, WHOLE_CHROMIUM } from './specs/e2e/support/browsers.ts';
import { scaled } from './tools/run/machine-factor.ts';

/** The files that test permissions, notifications, installation, or storage shared by tabs. */
const OF_A_WINDOW = /(?:media-browser|platform-browser|pwa|push|push-chain|recording-browser)\.spec\.ts$/;

// Playwright starts new workers for each project. There are two, one for each browser (docs/adr/0018-browser-test-
// cost.md).
export default defineConfig({
  testDir: 'specs/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  // A third worker costs a start and a browser, and slows down the other two.
  workers: 2,
  // Real media on the wall clock: a retry on a busy machine is reported at the end, and is no failure.
  retries: 1,
  timeout: scaled(120_000),
  expect: { timeout: scaled(15_000) },
  reporter: [['list'], ['./tools/run/playwright-reporter.ts']],
  use: {
    permissions: ['camera', 'microphone'],
    // Without a graphics card the processor paints each pixel. Pages keep their layout size, but are painted at a
    // quarter of it.
    deviceScaleFactor: 0.5,
    // Endless animations are painted 60 times a second.
    contextOptions: { reducedMotion: 'reduce' },
    // Only the tests of the service worker have it. In other tests it would answer requests that the test answers.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'pages', testIgnore: OF_A_WINDOW, use: LIGHT_CHROMIUM },
    { name: 'window', testMatch: OF_A_WINDOW, use: WHOLE_CHROMIUM },
  ],
});
