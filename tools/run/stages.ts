/** The stages of `make test`: each is a child process. */

export interface Stage {
  readonly name: string;
  readonly command: readonly string[];
  /** How long it takes on the reference machine of tools/run/machine-factor.ts, for the time that is shown as left. */
  readonly seconds: number;
  /** Whether it runs tests, and so must leave results. */
  readonly hasTests: boolean;
  /** Whether it needs a browser. */
  readonly needsChromium?: true;
  /** Whether it lets the stages beside it go first: none of its tests waits for time to pass. */
  readonly yields?: true;
}

const MINUTE_MS = 60_000;

/**
 * A stage is stopped when no test of it has finished for this long, or, where it runs no tests, when it has printed
 * nothing for this long. There is no other limit on a stage: a slow machine is not a fault.
 */
export const IDLE_LIMIT_MS = 5 * MINUTE_MS;

/** Everything is stopped after this long. It is far beyond what the slowest machine needs, and ends what never would. */
export const RUN_LIMIT_MS = 80 * MINUTE_MS;

const bin = (name: string) => `node_modules/.bin/${name}`;

export const BUILD: Stage = {
  name: 'build',
  command: [bin('tsx'), 'tools/run/build.ts'],
  seconds: 25,
  hasTests: false,
};

/**
 * What runs side by side once all is built; the stages of a lane follow each other. Native media waits for the clock, and
 * leaves half of the processors idle: what only computes uses that. Browsers leave nothing idle.
 */
export const LANES: readonly (readonly Stage[])[] = [
  [
    { name: 'wrtc', command: [bin('vitest'), 'run', '--project', 'wrtc'], seconds: 110, hasTests: true },
    { name: 'unit', command: [bin('vitest'), 'run', '--project', 'unit*'], seconds: 80, hasTests: true },
    { name: 'e2e', command: [bin('playwright'), 'test'], seconds: 200, hasTests: true, needsChromium: true },
  ],
  [
    { name: 'check', command: [bin('tsx'), 'tools/checks/main.ts'], seconds: 60, hasTests: true, yields: true },
    { name: 'scenarios', command: [bin('tsx'), 'tools/run/scenarios.ts'], seconds: 50, hasTests: true, yields: true },
  ],
];

export const COVERAGE: Stage = {
  name: 'coverage',
  command: [bin('tsx'), 'tools/coverage/main.ts', '--summary'],
  seconds: 1,
  hasTests: false,
};
