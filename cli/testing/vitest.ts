/** Worlds as fixtures of Vitest. `ringback-lab/testing/vitest` has `test`, which replaces that of Vitest. */
import { recordArtifact, test as base, type TestAttachment } from 'vitest';
import { OwnWorlds } from './own-worlds.ts';
import type { World, WorldOptions } from './world.ts';

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, vi } from 'vitest';
export * from './testing.ts';

declare module 'vitest' {
  interface TestArtifactRegistry {
    /** The picture of the ladder of a failed test. */
    'ringback:ladder': { readonly type: 'ringback:ladder'; attachments: TestAttachment[] };
  }
}

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
          error.message += `\n\n${text}`;
          error.stack = `${error.stack ?? error.message}\n\n${text}`;
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
