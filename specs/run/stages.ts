/** The stages of `make test`: each is a child process with a time limit. */

export interface Stage {
  readonly name: string;
  readonly command: readonly string[];
  readonly limitMinutes: number;
  /** Whether it runs tests, and so must leave results. */
  readonly hasTests: boolean;
  /** Whether it needs a browser. */
  readonly needsChromium?: true;
}

const bin = (name: string) => `node_modules/.bin/${name}`;

export const BUILD: Stage = {
  name: 'build',
  command: [bin('tsx'), 'specs/run/build.ts'],
  limitMinutes: 3,
  hasTests: false,
};

export const TEST_STAGES: readonly Stage[] = [
  { name: 'check', command: [bin('tsx'), 'specs/checks/main.ts'], limitMinutes: 4, hasTests: true },
  { name: 'unit', command: [bin('vitest'), 'run', '--project', 'unit'], limitMinutes: 4, hasTests: true },
  { name: 'scenarios', command: [bin('tsx'), 'specs/run/scenarios.ts'], limitMinutes: 3, hasTests: true },
  { name: 'wrtc', command: [bin('vitest'), 'run', '--project', 'wrtc'], limitMinutes: 8, hasTests: true },
  { name: 'e2e', command: [bin('playwright'), 'test'], limitMinutes: 12, hasTests: true, needsChromium: true },
];

export const COVERAGE: Stage = {
  name: 'coverage',
  command: [bin('tsx'), 'specs/coverage/main.ts', '--summary'],
  limitMinutes: 1,
  hasTests: false,
};
