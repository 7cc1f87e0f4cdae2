/** Defines `test` with users who can call each other. */
import { expect } from '@playwright/test';
import { test as base } from './app-test.ts';
import { openPerson, openVisitor, type Person, type PersonOptions, type UserName } from './person.ts';

interface Together {
  /** Opens a signed-in user in a separate browser context. */
  readonly person: (userId: UserName, options?: Omit<PersonOptions, 'pageMedia'>) => Promise<Person>;
  /** Opens a visitor in a separate browser context. */
  readonly visitor: (who: Pick<Person, 'nickname' | 'tone'>) => Promise<Person>;
  /** All users of the test. Their pages close at its end. */
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
  // The test depends on the site, so that the site closes after the users.
  everybody: async ({ site: _ }, use, info) => {
    const people: Person[] = [];
    await use(people);
    // A failed test always leaves connections behind, and that is not the reason of its failure.
    if (info.status === info.expectedStatus) for (const person of people) await expectNothingLeft(person);
    for (const { page } of people) await page.context().close();
  },
});

/** Waits until a page without a call holds no connection and no device. */
export async function expectNothingLeft({ page, call, nickname }: Person): Promise<void> {
  if (page.isClosed() || (await call.count()) > 0) return;
  await expect.poll(() => page.evaluate(() => pageMedia.leftovers()), `left with ${nickname}`).toEqual([]);
}
