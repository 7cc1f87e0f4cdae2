/** `test` with people who can call each other. */
import { expect } from '@playwright/test';
import { test as base } from './app-test.ts';
import { openPerson, openVisitor, type Person, type PersonOptions, type UserName } from './person.ts';

interface Together {
  /** Opens a signed-in user in a browser context of their own. */
  readonly person: (userId: UserName, options?: Omit<PersonOptions, 'pageMedia'>) => Promise<Person>;
  /** Opens a visitor in a browser context of their own. */
  readonly visitor: (who: Pick<Person, 'nickname' | 'tone'>) => Promise<Person>;
  /** All users of the test. They leave at its end. */
  readonly everybody: Person[];
}

export const test = base.extend<Together>({
  person: async ({ browser, site, pageMedia, everybody }, use) =>
    use(async (userId, options) => {
      const person = await openPerson(browser, site, userId, { pageMedia, ...options });
      everybody.push(person);
      return person;
    }),
  visitor: async ({ browser, site, pageMedia, everybody }, use) =>
    use(async (who) => {
      const person = await openVisitor(browser, site, who, pageMedia);
      everybody.push(person);
      return person;
    }),
  // The site is asked for so that it goes after them.
  everybody: async ({ site: _ }, use, info) => {
    const people: Person[] = [];
    await use(people);
    // Of a test that failed half way there is always something left, and that is not why it failed.
    if (info.status === info.expectedStatus) for (const person of people) await expectNothingLeft(person);
    for (const { page } of people) await page.context().close();
  },
});

/** Waits until a page whose call is over holds no connection and no device any more. */
export async function expectNothingLeft({ page, call, nickname }: Person): Promise<void> {
  if (page.isClosed() || (await call.count()) > 0) return;
  await expect.poll(() => page.evaluate(() => pageMedia.leftovers()), `left with ${nickname}`).toEqual([]);
}
