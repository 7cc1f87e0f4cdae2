/**
 * Defines `test` with the built app, a real server, and users who are signed in. A page that violates its policy or
 * throws fails the test.
 */
import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { watchPages } from './faults-of-pages.ts';
import { signIn, type Site } from './sign-in.ts';
import { test as base } from './worker-test.ts';

interface InTheApp {
  /**
   * The app of this test. Default: the app of the worker. A test that needs a separate world overrides it with
   * `startStack()`.
   */
  readonly site: Site;
  /** Opens the home page of a signed-in demo user in a separate browser context, which ends with the test. */
  readonly signedIn: (userId: string, options?: BrowserContextOptions) => Promise<Page>;
  /** The forbidden actions of pages. A test that expects one removes it. */
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
