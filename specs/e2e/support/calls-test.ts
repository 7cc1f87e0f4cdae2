/** `test` with people who can call each other. */
import { expect, test as base } from '@playwright/test';
import { bundleForPage } from './bundle-for-page.ts';
import { type Person, signIn, type SignInOptions, type UserName } from './person.ts';
import { startStack, type Stack } from './stack.ts';

interface Together {
  /** Where people sign in; a test with a stack of its own overrides it. */
  readonly appUrl: string;
  /** Signs somebody in, in a browser context of their own. */
  readonly person: (userId: UserName, options?: Pick<SignInOptions, 'viewport' | 'cameraFails'>) => Promise<Person>;
}
interface Shared {
  readonly stack: Stack;
  readonly pageMedia: string;
}

/* oxlint-disable no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none */
export const test = base.extend<Together, Shared>({
  pageMedia: [
    async ({}, use) => use(await bundleForPage(new URL('page-media.ts', import.meta.url), 'pageMedia')),
    { scope: 'worker' },
  ],
  stack: [
    async ({}, use) => {
      const stack = await startStack();
      await use(stack);
      await stack.close();
    },
    { scope: 'worker' },
  ],
  appUrl: async ({ stack }, use) => use(stack.appUrl),
  person: async ({ browser, appUrl, pageMedia }, use, info) => {
    const people: Person[] = [];
    await use(async (userId, options) => {
      const person = await signIn(browser, userId, { appUrl, pageMedia, ...options });
      people.push(person);
      return person;
    });
    // Of a test that failed half way there is always something left, and that is not why it failed.
    if (info.status === info.expectedStatus) for (const person of people) await leavesNothing(person);
    for (const { page } of people) await page.context().close();
  },
});

/** A page whose call is over holds no connection and no device any more. */
async function leavesNothing({ page, call, nickname }: Person): Promise<void> {
  if (page.isClosed() || (await call.count()) > 0) return;
  await expect.poll(() => page.evaluate(() => pageMedia.leftovers()), `left with ${nickname}`).toEqual([]);
}
