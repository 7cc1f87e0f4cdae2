/** How the tests of a group of mutants run: those that specs/mutants/main.ts names, in that order. */
import { defineConfig } from 'vitest/config';
import { testMessageAlias } from '../run/test-message-alias.ts';
import ListedOrder, { listedTests } from './listed-order.ts';

export default defineConfig({
  resolve: { alias: [testMessageAlias] },
  test: {
    include: [...listedTests],
    sequence: { sequencer: ListedOrder },
    runner: './specs/mutants/test-runner.ts',
    testTimeout: 30_000,
  },
});
