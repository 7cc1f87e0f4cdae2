/** `test` with the built app before a real server, and people who are signed in to it. */
import { type BrowserContextOptions, type Page, test as base } from '@playwright/test';
import { signIn, type Site } from './sign-in.ts';
import { startStack, type Stack } from './stack.ts';

interface InTheApp {
  /** The app of this test: the worker's own; a test that wants a world to itself overrides it with a `startStack()`. */
  readonly site: Site;
  /** Somebody of the demo world at their home, signed in, in a browser context of their own that ends with the test. */
  readonly signedIn: (userId: string, options?: BrowserContextOptions) => Promise<Page>;
}
interface Shared {
  /** The demo world with an empty database in memory, and the app before it; one a worker, on ports of its own. */
  readonly stack: Stack;
}

/* oxlint-disable no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none */
export const test = base.extend<InTheApp, Shared>({
  stack: [
    async ({}, use) => {
      const stack = await startStack();
      await use(stack);
      await stack.close();
    },
    { scope: 'worker' },
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
