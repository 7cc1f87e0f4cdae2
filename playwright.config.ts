/** Browser tests: Chromium only, with fake cameras and microphones (specs/e2e/support/browsers.ts). */
import { defineConfig } from '@playwright/test';
import { LIGHT_CHROMIUM, WHOLE_CHROMIUM } from './specs/e2e/support/browsers.ts';
import { scaled } from './tools/run/machine-factor.ts';

/** The files that test permissions, notifications, installing, or what a tab shares. */
const OF_A_WINDOW = /(?:media-browser|platform-browser|pwa|push|push-chain|recording-browser)\.spec\.ts$/;

// Playwright starts workers anew for each project: there are two, because there are two browsers (docs/adr/0018-browser-test-cost.md).
export default defineConfig({
  testDir: 'specs/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  // A third worker costs a start and a browser, and makes each test slower by what it takes from the other two.
  workers: 2,
  // Real media on the wall clock: a machine that starves it once is told of at the close, and is no failure.
  retries: 1,
  timeout: scaled(120_000),
  expect: { timeout: scaled(15_000) },
  reporter: [['list'], ['./tools/run/playwright-reporter.ts']],
  use: {
    permissions: ['camera', 'microphone'],
    // Without a graphics card a processor paints each pixel: pages are laid out as large as they are, and painted a quarter as large.
    deviceScaleFactor: 0.5,
    // What moves without end is painted 60 times a second.
    contextOptions: { reducedMotion: 'reduce' },
    // Only its own tests have it: a worker answers what other tests mean to answer themselves.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'pages', testIgnore: OF_A_WINDOW, use: LIGHT_CHROMIUM },
    { name: 'window', testMatch: OF_A_WINDOW, use: WHOLE_CHROMIUM },
  ],
});
