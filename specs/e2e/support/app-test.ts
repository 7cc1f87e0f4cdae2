/**
 * `test` with the built app before a real server, and people who are signed in to it. A page that breaks its policy or
 * throws fails it.
 */
import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { watchPages } from './faults-of-pages.ts';
import { signIn, type Site } from './sign-in.ts';
import { test as base } from './worker-test.ts';

interface InTheApp {
  /** The app of this test: the worker's own; a test that wants a world to itself overrides it with a `startStack()`. */
  readonly site: Site;
  /** Opens the home of a signed-in demo user, in a browser context of their own that ends with the test. */
  readonly signedIn: (userId: string, options?: BrowserContextOptions) => Promise<Page>;
  /** What pages did that none may. A test that means one to takes it out. */
  readonly faults: string[];
}

export const test = base.extend<InTheApp>({
  faults: [
    async ({ browser }, use) => {
      const faults: string[] = [];
      const stopWatching = watchPages(browser, faults);
      await use(faults);
      stopWatching();
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
  site: async ({ stack }, use) => use(stack),
  signedIn: async ({ browser, site }, use) => {
    const pages: Page[] = [];
    await use(async (userId, options) => {
      const context = await browser.newContext({ locale: 'zh-TW', ...options });
      const page = await context.newPage();
      pages.push(page);
      await signIn(page, site, userId);
      return page;
    });
    for (const page of pages) await page.context().close();
  },
});
