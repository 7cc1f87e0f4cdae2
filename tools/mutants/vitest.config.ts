/** How the tests of a group of mutants run: those that tools/mutants/main.ts names, in that order. */
import { defineConfig } from 'vitest/config';
import { testMessageAlias } from '../run/test-message-alias.ts';
import { scaled } from '../run/machine-factor.ts';
import ListedOrder, { listedTests } from './listed-order.ts';

export default defineConfig({
  resolve: { alias: [testMessageAlias] },
  test: {
    include: [...listedTests],
    sequence: { sequencer: ListedOrder },
    // Files of one run share their modules; each mutant still gets a new worker.
    isolate: false,
    runner: './tools/mutants/test-runner.ts',
    // A mutant that hangs costs this long.
    testTimeout: scaled(8_000),
  },
});
