/**
 * Every state of every screen, and the calls above them, in a browser, with nothing behind: the gallery's fakes play
 * the exchange. What needs a real exchange is proven with one.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, type Page, test as base, expect } from '@playwright/test';
import { build, preview } from 'vite';
import { scenes } from '../../src/app/gallery/scenes.ts';

const configFile = fileURLToPath(new URL('../../src/app/gallery/vite.config.ts', import.meta.url));

/** The gallery, built once a worker and served on a port of its own. */
const test = base.extend<{ show: Show }, { gallery: string }>({
  gallery: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
    async ({}, use) => {
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
      await use(`http://127.0.0.1:${address.port}`);
      await server.close();
      await rm(outDir, { recursive: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  show: async ({ gallery, page }, use) => {
    await use(async (scene, options = {}) => {
      const search = new URLSearchParams({ scene, ...options });
      await page.goto(`${gallery}/?${search.toString()}`);
    });
  },
});

type Show = (scene: string, options?: { locale?: 'zh-Hant' | 'en'; theme?: 'dark' | 'light' }) => Promise<void>;

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };

/** A call is up, or a screen has come: whatever the scene is about. */
async function arrived(page: Page, scene: string): Promise<void> {
  if (scene.startsWith('call-')) await page.getByRole('dialog').waitFor();
  else if (scene.startsWith('incoming-')) await page.getByRole('alertdialog').waitFor();
  await page.locator('main').waitFor({ state: 'attached' });
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter((animation) => !isEndless(animation));
    await Promise.allSettled(ending.map((animation) => animation.finished));
    function isEndless(animation: Animation): boolean {
      return animation.effect?.getComputedTiming().iterations === Infinity;
    }
  });
}

/** Scenes share a browser context, and with it what was loaded: each keeps its storage in memory. */
const sceneTest = test.extend<object, { scenery: BrowserContext }>({
  scenery: [
    async ({ browser }, use) => {
      const context = await browser.newContext();
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ scenery }, use) => {
    const page = await scenery.newPage();
    await use(page);
    await page.close();
  },
});

test.describe('every scene is accessible and fits', () => {
  for (const scene of Object.keys(scenes)) {
    sceneTest(scene, async ({ page, show }) => {
      for (const [size, theme, locale] of [
        [phone, 'dark', 'zh-Hant'],
        [desktop, 'light', 'en'],
      ] as const) {
        await page.setViewportSize(size);
        await show(scene, { theme, locale });
        await arrived(page, scene);
        // Without frames to look into, the page alone can be asked, which takes half as long.
        expect(page.frames()).toHaveLength(1);
        const found = await new AxeBuilder({ page }).setLegacyMode().analyze();
        expect(found.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      }
    });
  }
});

test('SCR-01: a screen loads behind a placeholder with the text "Loading..." in a polite status', async ({
  page,
  show,
}) => {
  let letThrough = (): void => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(/\/home-[\w-]+\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await show('home');
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toHaveText('Loading...');
  letThrough();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Loading...')).toHaveCount(0);
});

test('OVL-01, OVL-02: the card of a caller without a picture or a nickname shows the placeholder and the user id', async ({
  page,
  show,
}) => {
  await show('incoming-voice');
  const card = page.getByRole('alertdialog', { name: 'user-20391' });
  await expect(card.locator('[data-placeholder]')).toBeVisible();
  await expect(card.getByText('語音通話來電')).toBeVisible();
});

test('OVL-01, OVL-02: the card of a caller with both shows both', async ({ page, show }) => {
  await show('incoming-video');
  const card = page.getByRole('alertdialog', { name: '予安' });
  await expect(card.locator('img')).toHaveAttribute('src', /portraits\/yu-an\.svg$/);
});

test('OVL-03: 接聽 moves to the active call and the card disappears', async ({ page, show }) => {
  await show('incoming-video');
  await page.getByRole('button', { name: '接聽' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('dialog', { name: '與予安的視訊通話' })).toBeVisible();
});

test('OVL-04: 拒絕 hides the card', async ({ page, show }) => {
  await show('incoming-video');
  await page.getByRole('button', { name: '拒絕' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the card takes the focus, answers to Alt+A, and Escape does not decline', async ({ page, show }) => {
  await show('incoming-video');
  await expect(page.getByRole('button', { name: '接聽' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Alt+KeyA');
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('OVL-05: a video call shows the remote and the local video playing', async ({ page, show }) => {
  await show('call-video');
  const videos = page.getByRole('dialog').locator('video');
  await expect(videos).toHaveCount(2);
  for (const index of [0, 1]) {
    await expect
      .poll(() => videos.nth(index).evaluate((video: HTMLVideoElement) => video.videoWidth))
      .toBeGreaterThan(0);
  }
});

test('OVL-05, OVL-06: a voice call shows avatar and nickname, and has no camera, switch and fullscreen', async ({
  page,
  show,
}) => {
  await show('call-voice');
  const call = page.getByRole('dialog', { name: '與予安的語音通話' });
  await expect(call.locator('img').last()).toBeVisible();
  await expect(call.getByText('予安', { exact: true })).toBeVisible();
  await expect(call.getByRole('toolbar').getByRole('button')).toHaveCount(2);
  await expect(call.getByRole('button', { name: '麥克風' })).toBeVisible();
  await expect(call.getByRole('button', { name: '結束通話' })).toBeVisible();
});

test('OVL-06, OVL-07: microphone and camera start on and toggle, by button and by key', async ({ page, show }) => {
  await show('call-outgoing-video');
  const microphone = page.getByRole('button', { name: '麥克風' });
  const camera = page.getByRole('button', { name: '鏡頭', exact: true });
  await expect(microphone).toHaveAttribute('aria-pressed', 'true');
  await expect(camera).toHaveAttribute('aria-pressed', 'true');
  await microphone.click();
  await page.keyboard.press('v');
  await expect(microphone).toHaveAttribute('aria-pressed', 'false');
  await expect(camera).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('m');
  await expect(microphone).toHaveAttribute('aria-pressed', 'true');
});

test('OVL-09: fullscreen toggles', async ({ page, show }) => {
  await show('call-outgoing-video');
  const isFullscreen = (): Promise<boolean> => page.evaluate(() => document.fullscreenElement !== null);
  await page.getByRole('button', { name: '全螢幕' }).click();
  await expect.poll(isFullscreen).toBe(true);
  await page.getByRole('button', { name: '結束全螢幕' }).click();
  await expect.poll(isFullscreen).toBe(false);
});

test('OVL-11: the end button hides the view and gives the focus back to the screen', async ({ page, show }) => {
  await show('home');
  const card = page.getByRole('button', { name: /^沛涵/ });
  await card.click();
  await page.getByRole('button', { name: '語音通話' }).click();
  await expect(page.getByRole('dialog', { name: '與沛涵的語音通話' })).toBeVisible();
  await page.getByRole('button', { name: '結束通話' }).click();
  await expect(page.getByRole('dialog', { name: '與沛涵的語音通話' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: '語音通話' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(card).toBeFocused();
});

test('OVL-12: a call rings above an open sheet, and can be answered there', async ({ page, show }) => {
  await show('incoming-in-call');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.getByRole('button', { name: '接聽' }).click();
  await expect(page.getByRole('dialog', { name: '與user-20391的視訊通話' })).toBeVisible();
});

test('controls leave a moving picture after a while, and come back with a touch', async ({ page, show }) => {
  await page.clock.install();
  await show('call-video');
  await page.clock.runFor(500);
  const stage = page.getByRole('dialog');
  await expect(stage).toHaveAttribute('data-controls', 'shown');
  await page.clock.runFor(3_100);
  await expect(stage).toHaveAttribute('data-controls', 'hidden');
  await page.mouse.move(200, 200);
  await expect(stage).toHaveAttribute('data-controls', 'shown');
});

test('a camera that cannot be had is said, with the way out, and cannot be turned on', async ({ page, show }) => {
  await show('call-no-camera', { locale: 'en' });
  const said = page.getByRole('dialog').getByText('No camera was found, so they cannot see you.');
  await expect(said).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'No camera was found' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Camera', exact: true })).toBeDisabled();
});

test('the language and the appearance change at once', async ({ page, show }) => {
  await show('home');
  await page.getByRole('button', { name: '我的' }).click();
  await page.getByRole('radio', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.locator('h1')).toHaveText('Who to talk to tonight');
  await page.getByRole('radio', { name: 'Light' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});
