/**
 * Two projects: `unit` is everything that runs in one process, `wrtc` is what needs native media or child processes.
 * Both run in forks, since a process that has loaded wrtc can crash at its exit. Two files at a time: what `wrtc` waits
 * for leaves most of a core idle.
 */
import { defineConfig } from 'vitest/config';
import { scaled } from './specs/run/machine-factor.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', './specs/run/vitest-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['specs/{unit,contract}/**/*.test.{ts,tsx}'],
          // None of them waits for time to pass; a machine with other work may still be slow.
          testTimeout: 30_000,
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
