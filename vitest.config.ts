/**
 * Three projects: `unit` runs in one process, `unit-isolated` has the few files that replace modules, `wrtc` needs
 * native media or child processes. All run in forks, because a process that has loaded wrtc can crash at its exit. Two
 * files run at a time, because `wrtc` mostly waits and leaves a core idle.
 */
import { configDefaults, defineConfig } from 'vitest/config';
import { scaled } from './tools/run/machine-factor.ts';
import { testMessageAlias } from './tools/run/test-message-alias.ts';

/**
 * Files that replace modules. A replacement affects all later files of the process, so each of these has its own
 * process.
 */
const ISOLATED = ['specs/unit/calls/hosts.test.ts', 'specs/unit/app/service-worker.test.ts'];

export default defineConfig({
  resolve: { alias: [testMessageAlias] },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // A test that depends on another file fails in a random order. The seed is printed, and `--sequence.seed` repeats
    // the order.
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
          // None of these tests waits for time to pass, but a busy machine may be slow.
          testTimeout: scaled(30_000),
        },
      },
      {
        extends: true,
        test: {
          name: 'unit-isolated',
          include: ISOLATED,
          testTimeout: scaled(30_000),
          // After the other projects: in parallel, they would end the processes that the others share.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'wrtc',
          include: ['specs/wrtc/**/*.test.ts'],
          // Real media on the wall clock: a retry on a busy machine is reported at the end, and is no failure.
          retry: 1,
          testTimeout: scaled(180_000),
          hookTimeout: scaled(60_000),
        },
      },
    ],
  },
});
