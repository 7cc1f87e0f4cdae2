/**
 * How long the app takes to answer a finger, on a phone four times slower than this machine, and how much its screens shift
 * meanwhile: two people of the demo world go through their tabs, lists, sheets and fields in Chromium, before a real server.
 * Prints the interactions to next paint by their percentiles and the layout shift of each screen; exits 1 beyond a limit.
 *
 * Usage: taps.bench.ts, after npm run build
 */
import { type Browser, chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, findChromium, HOW_TO_GET_CHROMIUM } from '../../cli/worlds/browser/chromium.ts';
import { signIn } from '../e2e/support/sign-in.ts';
import { startStack } from '../e2e/support/stack.ts';
import { printTable } from './print-table.ts';

const LIMITS = { p98Ms: 150, mostMs: 200, shift: 0.02 } as const;
const SLOWER = 4;

interface Interaction {
  readonly screen: string;
  readonly type: string;
  readonly ms: number;
}
interface Seen {
  interactions: Map<number, Interaction>;
  shifts: Map<string, number>;
}
declare global {
  /** What the observing script leaves in the page. */
  var seen: Seen;
}

const executablePath = findChromium();
if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);
const stack = await startStack();
const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] });
const interactions: Interaction[] = [];
const shifts = new Map<string, number>();
try {
  for (const [who, goThrough] of [
    ['bob', asMan],
    ['alice', asWoman],
  ] as const) {
    const page = await open(browser, who);
    await goThrough(page);
    await take(page);
    await page.context().close();
  }
} finally {
  await browser.close();
  await stack.close();
}

interactions.sort((one, other) => one.ms - other.ms);
const at = (share: number): Interaction | undefined =>
  interactions[Math.min(interactions.length - 1, Math.ceil(interactions.length * share) - 1)];
printTable(
  [`${interactions.length} interactions, ms`, 'p50', 'p75', 'p98', 'most'],
  [['to next paint', ...[0.5, 0.75, 0.98, 1].map((share) => (at(share)?.ms ?? Number.NaN).toFixed(0))]],
);
console.log('the slowest:');
for (const { screen, type, ms } of interactions.slice(-5).reverse())
  console.log(`  ${ms.toFixed(0)} ms  ${type}  ${screen}`);
console.log();
printTable(
  ['screen', 'shift'],
  [...shifts].map(([screen, shift]) => [screen, shift.toFixed(3)]),
);
const p98 = at(0.98)?.ms ?? Number.NaN;
const most = at(1)?.ms ?? Number.NaN;
const shifting = [...shifts].filter(([, shift]) => shift > LIMITS.shift);
if (!(p98 <= LIMITS.p98Ms && most <= LIMITS.mostMs) || shifting.length > 0) {
  console.error(`may take ${LIMITS.p98Ms} ms (p98), ${LIMITS.mostMs} ms at the most, and shift by ${LIMITS.shift}`);
  process.exitCode = 1;
}

async function open(within: Browser, who: string): Promise<Page> {
  const context = await within.newContext({
    locale: 'zh-TW',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    permissions: ['camera', 'microphone'],
  });
  const page = await context.newPage();
  // The runner of this file marks functions with it, those that travel to a page as well.
  await page.addInitScript('globalThis.__name = (named) => named');
  await page.addInitScript(observe);
  await signIn(page, stack, who);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return page;
}

async function asMan(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Alice，/ }).waitFor();
  for (const name of ['線上', '新加入', '新加入', '線上']) await page.getByRole('button', { name, exact: true }).tap();
  await page.getByRole('button', { name: /^Alice，/ }).tap();
  await page.getByRole('link', { name: '看完整檔案' }).tap();
  await page.getByRole('heading', { name: 'Alice', level: 1 }).waitFor();
  await page.getByRole('button', { name: '更多' }).tap();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '訊息' }).tap();
  const words = page.getByRole('textbox', { name: /^傳訊息給/ });
  await words.tap();
  for (let time = 0; time < 3; time += 1) {
    await words.pressSequentially('晚安，今天好嗎？', { delay: 40 });
    await page.getByRole('button', { name: '傳送', exact: true }).tap();
    await page.getByRole('log').getByText('晚安，今天好嗎？').nth(time).waitFor();
  }
  await go(page, '/man-chat-list');
  await page.getByRole('link', { name: /Alice.*晚安/ }).tap();
  await words.waitFor();
  await go(page, '/purchase/deposit');
  await page.getByRole('radio').first().waitFor();
  for (const radio of (await page.getByRole('radio').all()).slice(0, 6)) await radio.press('Space');
  for (const path of [
    '/deposit-record',
    '/transactions-record/all',
    '/transactions-chat-record',
    '/man-info',
    '/settings',
  ]) {
    await go(page, path);
  }
}

async function asWoman(page: Page): Promise<void> {
  const takes = page.getByRole('switch', { name: '接聽中' });
  await takes.waitFor();
  for (let time = 0; time < 4; time += 1) await takes.press('Space');
  for (const path of ['/woman-edit', '/chat-list', '/current-points', '/income-details']) await go(page, path);
  for (const name of ['自訂', '今日']) await page.getByRole('radio', { name }).press('Space');
  for (const path of ['/redemption-records', '/identity-verification', '/home-woman']) await go(page, path);
}

/** Opens an address anew, and waits until it stands still. */
async function go(page: Page, path: string): Promise<void> {
  await take(page);
  await page.goto(`${stack.appUrl}${path}`);
  await page.locator('#root h1').first().waitFor();
  await page.waitForLoadState('networkidle');
}

async function take(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    interactions: [...seen.interactions.values()],
    shifts: [...seen.shifts],
  }));
  interactions.push(...found.interactions);
  for (const [screen, shift] of found.shifts) shifts.set(screen, Math.max(shift, shifts.get(screen) ?? 0));
}

/** In the page, before anything of it runs. */
function observe(): void {
  const screen = (): string => location.pathname.replace(/[0-9a-f-]{16,}/, '{id}');
  globalThis.seen = { interactions: new Map(), shifts: new Map() };
  const { interactions: byId, shifts: byScreen } = globalThis.seen;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { interactionId, duration, name } = entry as PerformanceEventTiming & { interactionId: number };
      if (!interactionId || duration <= (byId.get(interactionId)?.ms ?? 0)) continue;
      byId.set(interactionId, { screen: screen(), type: name, ms: duration });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
      if (!hadRecentInput) byScreen.set(screen(), (byScreen.get(screen()) ?? 0) + value);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
