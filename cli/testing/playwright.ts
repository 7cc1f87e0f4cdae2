/** Worlds as fixtures of Playwright. `ringback-lab/testing/playwright` has `test`, which replaces that of Playwright. */
import { test as base } from '@playwright/test';
import { OwnWorlds } from './own-worlds.ts';
import type { World, WorldOptions, WorldUsers } from './world.ts';

export { expect } from '@playwright/test';
export * from './testing.ts';

/** The fixtures of a test. */
export interface WorldFixtures {
  /** The users of `world`. Default: alice, bob and carol. Set it with `test.use({ users: ['dave', 'erin'] })`. */
  readonly users: WorldUsers;
  /** The world of the test, with the name of the test. */
  readonly world: World;
  /** Opens a further world, which is closed after the test. */
  readonly openWorld: (options?: WorldOptions) => Promise<World>;
  /** The worlds of the test. */
  readonly ownWorlds: OwnWorlds;
}

/** `test` of Playwright with worlds. A failed test has the ladder of each of its worlds among its attachments. */
export const test = base.extend<WorldFixtures>({
  users: [['alice', 'bob', 'carol'], { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
  ownWorlds: async ({}, use, info) => {
    const worlds = new OwnWorlds(info.titlePath.slice(1).join(' > '));
    await use(worlds);
    try {
      if (info.status === info.expectedStatus) return;
      for (const [at, { text, svg }] of (await worlds.ladders()).entries()) {
        const name = at === 0 ? 'ladder' : `ladder ${at + 1}`;
        await info.attach(`${name}.txt`, { body: text, contentType: 'text/plain' });
        await info.attach(`${name}.svg`, { body: svg, contentType: 'image/svg+xml' });
      }
    } finally {
      await worlds.close();
    }
  },
  openWorld: async ({ ownWorlds }, use) => use(ownWorlds.open),
  world: async ({ ownWorlds, users }, use) => use(await ownWorlds.open({ users })),
});
