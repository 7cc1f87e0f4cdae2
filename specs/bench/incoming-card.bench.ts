/**
 * Measures the time from the event of an incoming call to its card on the screen, and the cost of a connected video
 * call for the page. It runs in Chromium, with the fakes of the gallery in place of the exchange. Exits 1 above a
 * limit. TIMES is the number of cards.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import { build, preview } from 'vite';
import { CHROMIUM_ARGUMENTS, findChromium } from '../../cli/worlds/browser/chromium.ts';
import { printTable } from './print-table.ts';

const TIMES = Number(process.env['TIMES'] ?? 10);
const WATCHED_MS = 20_000;
const LIMITS = { cardMs: 100, longTaskMs: 50, commitsPerSecond: 2 };

interface Observed {
  cardMs?: number;
  commits: number;
  longTasks: number[];
}

declare global {
  /** The measurements of the observing script in the page. */
  var observed: Observed;
}

const configFile = fileURLToPath(new URL('../../src/app/testing/gallery/vite.config.ts', import.meta.url));
const outDir = await mkdtemp(join(tmpdir(), 'ringback-gallery-'));
await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true, target: 'esnext' } });
const server = await preview({
  configFile,
  logLevel: 'error',
  build: { outDir },
  preview: { port: 0, host: '127.0.0.1' },
});
const address = server.httpServer.address();
if (address === null || typeof address === 'string') throw new Error('The gallery has no port');
const site = `http://127.0.0.1:${address.port}`;
const executablePath = findChromium();
const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: [...CHROMIUM_ARGUMENTS] });

try {
  const cards: number[] = [];
  for (let time = 0; time < TIMES; time += 1) cards.push(await cardTime(browser));
  cards.sort((one, other) => one - other);
  const median = cards[Math.floor(cards.length / 2)] ?? Number.NaN;
  const slowest = cards.at(-1) ?? Number.NaN;
  const { commits, longTasks } = await connectedCall(browser);
  const perSecond = commits / (WATCHED_MS / 1000);
  const longest = Math.max(0, ...longTasks);

  const row = (name: string, value: number, limit: number, unit: string) =>
    [name, `${value.toFixed(1)}${unit}`, `${limit}${unit}`, (value / limit).toFixed(2)] as const;
  const rows = [
    row('incoming event to card painted, median', median, LIMITS.cardMs, ' ms'),
    row('incoming event to card painted, slowest', slowest, LIMITS.cardMs, ' ms'),
    row('longest task in 20 s of a video call', longest, LIMITS.longTaskMs, ' ms'),
    row('React commits a second in that call', perSecond, LIMITS.commitsPerSecond, ''),
  ];
  printTable(['measure', 'value', 'limit', 'ratio'], rows);
  // The slowest card depends on the machine as much as on the page, so the limit applies to the median.
  if (median > LIMITS.cardMs || longest > LIMITS.longTaskMs || perSecond > LIMITS.commitsPerSecond)
    process.exitCode = 1;
} finally {
  await browser.close();
  await server.close();
  await rm(outDir, { recursive: true });
}

async function cardTime(page: Browser): Promise<number> {
  const opened = await open(page, 'incoming-video');
  await opened.waitForFunction(() => observed.cardMs !== undefined);
  const taken = await opened.evaluate(() => observed.cardMs);
  await opened.context().close();
  return taken ?? Number.NaN;
}

async function connectedCall(page: Browser): Promise<Observed> {
  const opened = await open(page, 'call-video');
  await opened.locator('[data-phase=connected]').waitFor();
  // The start-up work of the page is over.
  await opened.waitForTimeout(2_000);
  await opened.evaluate(() => {
    observed.commits = 0;
    observed.longTasks = [];
  });
  await opened.waitForTimeout(WATCHED_MS);
  const seen = await opened.evaluate(() => observed);
  await opened.context().close();
  return seen;
}

async function open(within: Browser, scene: string) {
  const context = await within.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  // The compiler adds a helper to functions, which the page does not have.
  await page.addInitScript({ content: 'globalThis.__name = (named) => named' });
  await page.addInitScript(observe);
  await page.goto(`${site}/?scene=${scene}`);
  return page;
}

/** In the page, before its own scripts run. */
function observe(): void {
  globalThis.observed = { commits: 0, longTasks: [] };
  // React reports each commit to developer tools, in production too.
  Object.assign(globalThis, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: () => void (observed.commits += 1),
      onCommitFiberUnmount: () => {},
    },
  });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) observed.longTasks.push(duration);
  }).observe({ type: 'longtask' });
  new MutationObserver((_changes, observer) => {
    if (document.querySelector('[role=alertdialog]') === null) return;
    observer.disconnect();
    // The frame after the drawing frame has begun, so the card was painted.
    requestAnimationFrame(() =>
      requestAnimationFrame((now) => {
        const [rung] = performance.getEntriesByName('scene-played');
        if (rung !== undefined) observed.cardMs = now - rung.startTime;
      }),
    );
  }).observe(document, { childList: true, subtree: true });
}
