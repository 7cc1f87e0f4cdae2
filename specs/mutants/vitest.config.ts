/** How the tests of a group of mutants run: those that specs/mutants/main.ts names, and nothing is written down. */
import { defineConfig } from 'vitest/config';
import { TESTS_VARIABLE } from './groups.ts';

export default defineConfig({
  test: {
    include: JSON.parse(process.env[TESTS_VARIABLE] ?? '[]') as string[],
    runner: './specs/mutants/test-runner.ts',
    testTimeout: 30_000,
  },
});
