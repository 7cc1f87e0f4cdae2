/**
 * Measures how long the app takes to respond to a press of a key, on a simulated phone four times slower than this
 * machine, and the layout shift of its screens. On every route it uses some controls that select, switch, open or
 * accept text, in Chromium with a real server. Prints for each route the number of interactions, the slowest one and
 * the layout shift, and the percentiles of all. The browser does not report interactions below 16 ms. Exits 1 above
 * a limit.
 *
 * Usage: taps.bench.ts [part of a path], after npm run build
 */
import { type Browser, chromium, type ElementHandle, type Page } from '@playwright/test';
import { CHROMIUM_ARGUMENTS } from '../../cli/worlds/browser/chromium.ts';
import { signIn } from '../e2e/support/sign-in.ts';
import { openRoutes } from './app-routes.ts';
import { printTable } from './print-table.ts';

const LIMITS = { p98Ms: 150, mostMs: 200, shift: 0.02 } as const;
const SLOWER = 4;
/** The number of controls of each kind on a route. */
const MOST_OF_A_KIND = 6;
/** The controls that react to a press without navigation. A key reaches one also when only its label is visible. */
const CHOICES = ['input[type=radio]', 'input[type=checkbox]', '[role=switch]', '[role=tab]', '[aria-pressed]'];
const OPENERS = '[aria-haspopup], [aria-expanded], summary';
const FIELDS = 'input[type=text], input[type=search], textarea';

interface Interaction {
  readonly path: string;
  /** The event, and the pressed element. */
  readonly what: string;
  readonly ms: number;
}
interface Seen {
  /** The interactions, by the number that the browser assigns. A press has several events. */
  interactions: Map<number, { what: string; ms: number }>;
  /** The sum of the shifts, and the largest part of each. */
  shift: number;
  moved: string[];
}
/** The types that the DOM library of TypeScript lacks. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}
declare global {
  /** The measurements of the observing script in the page. */
  var seen: Seen;
}

const { stack, executablePath, journeys, addressOf } = await openRoutes(process.argv[2]);
const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] });
const interactions: Interaction[] = [];
const shifts = new Map<string, number>();
try {
  for (const { who, paths } of journeys) {
    const page = await open(browser, who);
    for (const path of paths) await goThrough(page, path);
    await page.context().close();
  }
} finally {
  await browser.close();
  await stack.close();
}

printTable(
  ['route', 'interactions', 'slowest, ms', 'shift'],
  [...shifts].map(([path, shift]) => {
    const here = interactions.filter((interaction) => interaction.path === path);
    return [path, String(here.length), String(Math.max(0, ...here.map(({ ms }) => ms))), shift.toFixed(3)];
  }),
);
interactions.sort((one, other) => one.ms - other.ms);
const at = (share: number): Interaction | undefined => interactions[Math.ceil(interactions.length * share) - 1];
console.log();
printTable(
  [`${interactions.length} interactions, ms`, 'p50', 'p75', 'p98', 'most'],
  [['to the next paint', ...[0.5, 0.75, 0.98, 1].map((share) => String(at(share)?.ms))]],
);
for (const { path, what, ms } of interactions.slice(-5).toReversed()) console.log(`${ms} ms  ${path}  ${what}`);
const shifting = [...shifts].filter(([, shift]) => shift > LIMITS.shift);
for (const [path, shift] of shifting)
  console.error(`${path}: it shifts by ${shift.toFixed(3)}, and may by ${LIMITS.shift}`);
const p98 = at(0.98)?.ms ?? Number.NaN;
const most = at(1)?.ms ?? Number.NaN;
const isSlow = !(p98 <= LIMITS.p98Ms && most <= LIMITS.mostMs);
if (isSlow) console.error(`an interaction may take ${LIMITS.p98Ms} ms (p98), and ${LIMITS.mostMs} ms at the most`);
if (isSlow || shifting.length > 0) process.exitCode = 1;

async function open(within: Browser, who: string | null): Promise<Page> {
  const context = await within.newContext({
    locale: 'zh-TW',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  // tsx adds a helper to functions, also to those that run in a page.
  await page.addInitScript('globalThis.__name = (named) => named');
  await page.addInitScript(observe);
  if (who !== null) {
    await signIn(page, stack, who);
    await rest(page);
  }
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return page;
}

async function goThrough(page: Page, path: string): Promise<void> {
  await page.goto(addressOf(path));
  await rest(page);
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight }));
  await frames(page);
  await page.evaluate(() => scrollTo({ top: 0 }));
  for (const kind of CHOICES) {
    for (const choice of await usable(page, kind)) {
      if (await choice.isVisible()) await choice.press('Space');
    }
  }
  for (const field of await usable(page, FIELDS)) if (await field.isVisible()) await field.type('你好嗎 hi');
  for (const opener of await usable(page, OPENERS)) {
    // An earlier choice may have removed it.
    if (!(await opener.isVisible())) continue;
    await opener.press('Enter');
    await frames(page);
    await page.keyboard.press('Escape');
  }
  await frames(page);
  const { found, shift, moved } = await page.evaluate(() => ({
    found: [...seen.interactions.values()],
    shift: seen.shift,
    moved: seen.moved,
  }));
  interactions.push(...found.map((interaction) => ({ path, ...interaction })));
  shifts.set(path, shift);
  console.error(`${path}: ${found.length} interactions`);
  if (shift > LIMITS.shift) for (const move of moved) console.error(`  ${move}`);
}

/** Returns the first ones that can be used now. */
async function usable(page: Page, selector: string): Promise<ElementHandle[]> {
  const found: ElementHandle[] = [];
  for (const one of await page.locator('#root').locator(selector).elementHandles()) {
    if (found.length < MOST_OF_A_KIND && (await one.isVisible()) && (await one.isEnabled())) found.push(one);
  }
  return found;
}

/** Waits until the screen has loaded its content. */
async function rest(page: Page): Promise<void> {
  await page.locator('#root h1').first().waitFor();
  await page.waitForFunction(
    () => document.querySelector('#root [role=status] :is([aria-hidden=true], [inert])') === null,
  );
  // Content further down is loaded when it becomes visible.
  await page.evaluate(() =>
    Promise.all(
      Array.from(document.images)
        .filter(({ loading }) => loading !== 'lazy')
        .map((image) => image.decode().catch(() => {})),
    ),
  );
  await frames(page);
}

/** Waits until the effect has been painted and reported. */
async function frames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  });
}

/** In the page, before its own scripts run. */
function observe(): void {
  globalThis.seen = { interactions: new Map(), shift: 0, moved: [] };
  const { interactions: byId } = globalThis.seen;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { interactionId, duration, name, target } = entry as PerformanceEventTiming & { interactionId: number };
      if (!interactionId || duration <= (byId.get(interactionId)?.ms ?? 0)) continue;
      const pressed = target instanceof Element ? target.outerHTML.slice(0, 80) : 'what is gone';
      byId.set(interactionId, { what: `${name} on ${pressed}`, ms: duration });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources } = entry as LayoutShift;
      if (hadRecentInput) continue;
      globalThis.seen.shift += value;
      const [largest] = sources;
      const node = largest?.node instanceof Element ? largest.node : largest?.node?.parentElement;
      const { y: from = 0 } = largest?.previousRect ?? {};
      const { y: to = 0 } = largest?.currentRect ?? {};
      globalThis.seen.moved.push(
        `${value.toFixed(3)} after ${entry.startTime.toFixed(0)} ms: ${node?.outerHTML.slice(0, 60) ?? 'what is gone'} from ${from} to ${to}`,
      );
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
