/** The configuration for the tests of a group of mutants: those that tools/mutants/main.ts names, in that order. */
import { defineConfig } from 'vitest/config';
import { testMessageAlias } from '../run/test-message-alias.ts';
import { scaled } from '../run/machine-factor.ts';
import ListedOrder, { listedTests } from './listed-order.ts';

export default defineConfig({
  resolve: { alias: [testMessageAlias] },
  test: {
    include: [...listedTests],
    sequence: { sequencer: ListedOrder },
    // The files of one run share their modules. Each mutant still gets a new worker.
    isolate: false,
    runner: './tools/mutants/test-runner.ts',
    // The limit for a mutant that hangs. Far above the slowest test: on a busy machine, all tests must still pass without a mutant.
    testTimeout: scaled(20_000),
  },
});
