/** Worlds as fixtures of Vitest. `ringback-lab/testing/vitest` has `test`, which replaces that of Vitest. */
import { recordArtifact, test as base, type TestAttachment } from 'vitest';
import { OwnWorlds } from './own-worlds.ts';
import { shortLadder } from './short-ladder.ts';
import type { World, WorldOptions } from './world.ts';

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, vi } from 'vitest';
export * from './testing.ts';

declare module 'vitest' {
  interface TestArtifactRegistry {
    /** The picture of the ladder of a failed test. */
    'ringback:ladder': { readonly type: 'ringback:ladder'; attachments: TestAttachment[] };
  }
}

/** The shortest time limit of a test that leaves time for a wait of five seconds, and for the first world. Milliseconds. */
const SHORTEST_LIMIT_MS = 10_000;

/** Returns the advice for a test whose time limit may end it before the error of its wait. Empty for any other test. */
const tooShort = (limitMs: number): string =>
  limitMs >= SHORTEST_LIMIT_MS
    ? ''
    : `\n\nThis test may take ${limitMs} ms. A wait of a world takes five seconds: set testTimeout to 30_000 in vitest.config.ts`;

/** The fixtures of a test. */
export interface WorldFixtures {
  /** The world of the test, with the name of the test, and the users alice, bob and carol. */
  readonly world: World;
  /** Opens a world with other users, which is closed after the test. */
  readonly openWorld: (options?: WorldOptions) => Promise<World>;
  /** The worlds of the test. */
  readonly ownWorlds: OwnWorlds;
}

/** `test` of Vitest with worlds. The error of a failed test has the ladder of each of its worlds. The pictures are artifacts of the test. */
export const test = base.extend<WorldFixtures>({
  ownWorlds: async ({ task }, use) => {
    const worlds = new OwnWorlds(task.name);
    await use(worlds);
    try {
      if (task.result?.state !== 'fail') return;
      for (const { text, svg } of await worlds.ladders()) {
        // An annotation is refused after the failure of a test. Every reporter shows the error.
        const error = task.result.errors?.at(-1);
        if (error) {
          const told = `${tooShort(task.timeout)}\n\n${shortLadder(text)}`;
          error.message += told;
          error.stack = `${error.stack ?? error.message}${told}`;
        }
        const picture: TestAttachment = { contentType: 'image/svg+xml', body: new TextEncoder().encode(svg) };
        await recordArtifact(task, { type: 'ringback:ladder', attachments: [picture] });
      }
    } finally {
      await worlds.close();
    }
  },
  openWorld: async ({ ownWorlds }, use) => use(ownWorlds.open),
  world: async ({ ownWorlds }, use) => use(await ownWorlds.open()),
});
export { test as it };
