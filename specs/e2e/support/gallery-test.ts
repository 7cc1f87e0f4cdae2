/** `test` with the gallery: every state of every screen in a browser, with nothing behind. */
import type { Page } from '@playwright/test';
import { blurNothing } from './blur-nothing.ts';
import { test as base } from './worker-test.ts';

export type Show = (scene: string, options?: { locale?: 'zh-Hant' | 'en'; theme?: 'dark' | 'light' }) => Promise<void>;

interface InTheGallery {
  readonly show: Show;
  /** Whether the test has a page to itself, because it changes what a later test would find. Scenes of other tests share a page. */
  readonly ownPage: boolean;
  /** Whether what lies around a moving picture is blurred, as it is for users. It needs a page of the test. */
  readonly blurs: boolean;
}

interface OfWorker {
  /** The page of the gallery in which the scenes of tests take turns. To load the gallery takes longer than most tests do. */
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
      // Nothing of this scene plays on, and the next test finds none of its state.
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
        // A scene that was shown before is shown anew.
        await page.evaluate(turnTo, '');
        await page.evaluate(turnTo, asked);
      }
    });
  },
});

/** In the page: shows the scene of these words of an address, or the list of scenes, and waits until it is at rest. */
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
