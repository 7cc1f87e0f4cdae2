import { WORLDS } from '../worlds/worlds.ts';

/** The defaults of a suite. */
export const SUITE_DEFAULTS = {
  world: WORLDS.virtual,
  jobs: 1,
  retries: 0,
  timeScale: 10,
  longestMs: 45_000,
  repeat: 1,
  checkDeterminism: false,
  skipped: 0,
} as const;
