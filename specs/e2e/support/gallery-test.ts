/** Defines `test` with the gallery: every state of every screen in a browser, without a server. */
import type { Page } from '@playwright/test';
import { blurNothing } from './blur-nothing.ts';
import { test as base } from './worker-test.ts';

export type Show = (scene: string, options?: { locale?: 'zh-Hant' | 'en'; theme?: 'dark' | 'light' }) => Promise<void>;

interface InTheGallery {
  readonly show: Show;
  /**
   * Whether the test has a separate page, because it changes the page for later tests. Scenes of other tests share a
   * page.
   */
  readonly ownPage: boolean;
  /** Whether the area around a moving picture is blurred, as for users. It needs a separate page. */
  readonly blurs: boolean;
}

interface OfWorker {
  /**
   * The page of the gallery that shows the scenes of tests in turn. Loading the gallery takes longer than most
   * tests.
   */
  readonly sharedPage: { readonly get: () => Promise<Page> };
}

export const test = base.extend<InTheGallery, OfWorker>({
  ownPage: [false, { option: true }],
  blurs: [false, { option: true }],
  sharedPage: [
    async ({ browser, gallery }, use) => {
      let opened: Promise<Page> | undefined;
      const open = async (): Promise<Page> => {
        const page = await browser.newPage();
        await page.addInitScript(blurNothing);
        await page.goto(gallery);
        return page;
      };
      await use({ get: () => (opened ??= open()) });
      await (await opened)?.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ browser, sharedPage, ownPage, blurs }, use) => {
    if (!ownPage) {
      const page = await sharedPage.get();
      await use(page);
      // The next test finds nothing that plays, and no state of this scene.
      await page.evaluate(turnTo, '');
      return;
    }
    const context = await browser.newContext();
    const page = await context.newPage();
    if (!blurs) await page.addInitScript(blurNothing);
    await use(page);
    await context.close();
  },
  show: async ({ gallery, page, ownPage }, use) => {
    await use(async (scene, options = {}) => {
      const asked = new URLSearchParams({ scene, ...options }).toString();
      if (ownPage) await page.goto(`${gallery}?${asked}`);
      else {
        // A scene that was shown before starts again.
        await page.evaluate(turnTo, '');
        await page.evaluate(turnTo, asked);
      }
    });
  },
});

/** In the page: shows the scene of this address, or the list of scenes, and waits until it is stable. */
function turnTo(asked: string): Promise<void> {
  const html = document.documentElement;
  const scene = new URLSearchParams(asked).get('scene') ?? '';
  return new Promise((resolve) => {
    const look = (): void => {
      if (html.dataset['scene'] !== scene) return;
      watcher.disconnect();
      resolve();
    };
    const watcher = new MutationObserver(look);
    watcher.observe(html, { attributeFilter: ['data-scene'] });
    location.hash = asked;
    look();
  });
}
