/** Browser tests: Chromium only, with fake camera and microphone, found by cli/worlds/browser/chromium.ts. */
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, findChromium } from './cli/worlds/browser/chromium.ts';

const executablePath = findChromium();
/** With `test` of specs/e2e/support/hosts-test.ts, and with that of gallery-test.ts. */
const HOSTS = ['**/media-browser.spec.ts', '**/recording-browser.spec.ts'];
const GALLERY = ['**/app-gallery.spec.ts', '**/scenes.spec.ts'];

export default defineConfig({
  testDir: 'specs/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  // In this order, since each takes workers of its own: what is short comes last, so that no worker waits for another at the end.
  projects: [
    { name: 'hosts', testMatch: HOSTS },
    { name: 'app', testIgnore: [...HOSTS, ...GALLERY] },
    { name: 'gallery', testMatch: GALLERY },
  ],
  // On two cores: each waits for much of its time, for media and for what is animated.
  workers: 3,
  // Real media on the wall clock: a machine that starves it once is told of at the close, and is no failure.
  retries: 1,
  // A call takes seconds; a machine with other work takes its time.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./specs/run/playwright-reporter.ts']],
  use: {
    permissions: ['camera', 'microphone'],
    // Only its own tests have it: a worker answers what other tests mean to answer themselves.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: [...CHROMIUM_ARGUMENTS] },
  },
});
