/**
 * Measures the start of the app without a network: from the navigation to the first paint of its page, for a visitor
 * with a filled cache. Exits 1 when the median is above a second.
 *
 * Usage: offline-start.bench.ts [rounds], after npm run build
 */
import { chromium } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, findChromium, HOW_TO_GET_CHROMIUM } from '../../cli/worlds/browser/chromium.ts';
import { APP, startStack } from '../e2e/support/stack.ts';
import { signIn } from '../e2e/support/sign-in.ts';
import { printTable } from './print-table.ts';

const ROUNDS = Number(process.argv[2] ?? 10);
const MOST_MS = 1_000;
const PATHS = ['/', '/home-man', '/chat-list', '/privacy', '/nowhere'];

const executablePath = findChromium();
if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);
const stack = await startStack();
const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] });
const medians: number[] = [];
try {
  const context = await browser.newContext({ locale: 'zh-TW' });
  const page = await context.newPage();
  // tsx adds a helper to functions, also to those that run in a page.
  await page.addInitScript('globalThis.__name = (named) => named');
  await signIn(page, stack, 'bob');
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state === 'activated') return;
    await new Promise((done) => active?.addEventListener('statechange', done));
  });
  await stack.close();
  await context.setOffline(true);
  const rows: string[][] = [];
  for (const path of PATHS) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.goto(`${stack.appUrl}${path}`);
      // The page has painted its content.
      await page.locator('#root main').waitFor();
      times.push(await page.evaluate(firstPicture));
    }
    times.sort((one, other) => one - other);
    const median = times[times.length >> 1] ?? Number.NaN;
    medians.push(median);
    rows.push([path, ...[times[0], median, times.at(-1)].map((ms) => (ms ?? Number.NaN).toFixed(0))]);
  }
  console.log(`from ${APP}, without a network and without a server`);
  printTable([`milliseconds, ${ROUNDS} rounds`, 'least', 'median', 'most'], rows);
  const slowest = Math.max(...medians);
  if (slowest > MOST_MS) {
    console.error(`the slowest page may take ${MOST_MS} ms, and takes ${slowest.toFixed(0)} ms`);
    process.exitCode = 1;
  }
} finally {
  await browser.close();
}

/** In the page: returns the milliseconds from the navigation to the first painted content. */
function firstPicture(): Promise<number> {
  return new Promise((seen) => {
    const look = (entries: readonly PerformanceEntry[]) => {
      const painted = entries.find(({ name }) => name === 'first-contentful-paint');
      if (painted) seen(painted.startTime);
    };
    new PerformanceObserver((list) => look(list.getEntries())).observe({ type: 'paint', buffered: true });
  });
}
