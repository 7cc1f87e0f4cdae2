/** Browser tests: Chromium only, with fake camera and microphone, found by cli/worlds/browser/chromium.ts. */
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, findChromium } from './cli/worlds/browser/chromium.ts';
import { SHARED_TAB } from './specs/e2e/support/shared-tab.ts';
import { scaled } from './specs/run/machine-factor.ts';

const executablePath = findChromium();
/**
 * One browser serves all tests of a worker. It has two cameras, and shares the tab of this title without a question. Permissions
 * are those of each context, so that a test can withhold one.
 */
const launchArguments = [
  ...CHROMIUM_ARGUMENTS.filter((argument) => !argument.startsWith('--use-fake-')),
  '--use-fake-device-for-media-stream=device-count=2,fps=10',
  `--auto-select-tab-capture-source-by-title=${SHARED_TAB}`,
];

// One project: Playwright starts workers of its own for each (docs/adr/0018-browser-test-cost.md).
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
  reporter: [['list'], ['./specs/run/playwright-reporter.ts']],
  use: {
    permissions: ['camera', 'microphone'],
    // Without a graphics card a processor paints each pixel: pages are laid out as large as they are, and painted a quarter as large.
    deviceScaleFactor: 0.5,
    // What moves without end is painted 60 times a second.
    contextOptions: { reducedMotion: 'reduce' },
    // Only its own tests have it: a worker answers what other tests mean to answer themselves.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: launchArguments },
  },
});
