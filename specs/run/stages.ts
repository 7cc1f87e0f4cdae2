/** The stages of `make test`: each is a child process with a time limit. */

export interface Stage {
  readonly name: string;
  readonly command: readonly string[];
  readonly limitMinutes: number;
  /** Whether it runs tests, and so must leave results. */
  readonly hasTests: boolean;
  /** Whether it needs a browser. */
  readonly needsChromium?: true;
  /** Whether it lets the stages beside it go first: none of its tests waits for time to pass. */
  readonly yields?: true;
}

const bin = (name: string) => `node_modules/.bin/${name}`;

export const BUILD: Stage = {
  name: 'build',
  command: [bin('tsx'), 'specs/run/build.ts'],
  limitMinutes: 3,
  hasTests: false,
};

/**
 * What runs side by side once all is built; the stages of a lane follow each other. Native media waits for the clock, and
 * leaves half of the processors idle: what only computes uses that. Browsers leave nothing idle, and have all to themselves.
 */
export const LANES: readonly (readonly Stage[])[] = [
  [
    { name: 'wrtc', command: [bin('vitest'), 'run', '--project', 'wrtc'], limitMinutes: 8, hasTests: true },
    { name: 'unit', command: [bin('vitest'), 'run', '--project', 'unit*'], limitMinutes: 4, hasTests: true },
    { name: 'e2e', command: [bin('playwright'), 'test'], limitMinutes: 12, hasTests: true, needsChromium: true },
  ],
  [
    { name: 'check', command: [bin('tsx'), 'specs/checks/main.ts'], limitMinutes: 4, hasTests: true, yields: true },
    {
      name: 'scenarios',
      command: [bin('tsx'), 'specs/run/scenarios.ts'],
      limitMinutes: 3,
      hasTests: true,
      yields: true,
    },
  ],
];

export const COVERAGE: Stage = {
  name: 'coverage',
  command: [bin('tsx'), 'specs/coverage/main.ts', '--summary'],
  limitMinutes: 1,
  hasTests: false,
};
