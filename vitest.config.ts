/**
 * Three projects: `unit` is everything that runs in one process, `unit-isolated` its few files that replace modules, `wrtc`
 * what needs native media or child processes. All run in forks, since a process that has loaded wrtc can crash at its exit. Two
 * files at a time: what `wrtc` waits for leaves most of a core idle.
 */
import { configDefaults, defineConfig } from 'vitest/config';
import { scaled } from './tools/run/machine-factor.ts';
import { testMessageAlias } from './tools/run/test-message-alias.ts';

/** Replacing a module reaches every file that runs in the same process afterwards: each of these has a process of its own. */
const ISOLATED = ['specs/unit/calls/hosts.test.ts', 'specs/unit/app/service-worker.test.ts'];

export default defineConfig({
  resolve: { alias: [testMessageAlias] },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // A test that needs another file to run first fails there; the seed is printed, and `--sequence.seed` repeats the order.
    sequence: { shuffle: { files: Boolean(process.env['CI']) } },
    reporters: ['default', './tools/run/vitest-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['specs/{unit,contract}/**/*.test.{ts,tsx}'],
          globalSetup: './specs/contract/store/postgres-schema.ts',
          exclude: [...configDefaults.exclude, ...ISOLATED],
          // The files of a process share their modules, which are then loaded once (docs/adr/0011-test-cost.md).
          isolate: false,
          setupFiles: './specs/unit/support/each-file.ts',
          // None of them waits for time to pass; a machine with other work may still be slow.
          testTimeout: scaled(30_000),
        },
      },
      {
        extends: true,
        test: {
          name: 'unit-isolated',
          include: ISOLATED,
          testTimeout: scaled(30_000),
          // After the others: between them they would end the processes that the others share.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'wrtc',
          include: ['specs/wrtc/**/*.test.ts'],
          // Real media on the wall clock: a machine that starves it once is told of at the close, and is no failure.
          retry: 1,
          testTimeout: scaled(180_000),
          hookTimeout: scaled(60_000),
        },
      },
    ],
  },
});
