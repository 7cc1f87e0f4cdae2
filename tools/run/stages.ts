/** The stages of `make test`. Each is a child process. */

export interface Stage {
  readonly name: string;
  readonly command: readonly string[];
  /** The duration on the reference machine of tools/run/machine-factor.ts, for the estimate of the remaining time. */
  readonly seconds: number;
  /** True when it runs tests, and so must leave results. */
  readonly hasTests: boolean;
  /** True when it needs a browser. */
  readonly needsChromium?: true;
  /** True to give parallel stages priority, because none of its tests waits for time to pass. */
  readonly yields?: true;
}

const MINUTE_MS = 60_000;

/**
 * A stage is stopped when no test of it has finished for this long, or, where it runs no tests, when it has printed
 * nothing for this long. There is no other limit on a stage: a slow machine is not a fault.
 */
export const IDLE_LIMIT_MS = 5 * MINUTE_MS;

/** The limit of the whole run. It is far beyond the need of the slowest machine. */
export const RUN_LIMIT_MS = 80 * MINUTE_MS;

const bin = (name: string) => `node_modules/.bin/${name}`;

export const BUILD: Stage = {
  name: 'build',
  command: [bin('tsx'), 'tools/run/build.ts'],
  seconds: 25,
  hasTests: false,
};

/**
 * The lanes that run in parallel after the build. The stages of a lane run one after another. Native media waits for
 * the clock and
 * leaves half of the processors idle, which computing stages use. Browsers leave nothing idle.
 */
export const LANES: readonly (readonly Stage[])[] = [
  [
    { name: 'wrtc', command: [bin('vitest'), 'run', '--project', 'wrtc'], seconds: 150, hasTests: true },
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
