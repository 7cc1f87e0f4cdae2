import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  readResultLine,
  readResults,
  RESULTS_FILE_VARIABLE,
  type ResultLine,
  type TestResult,
} from '../../../tools/run/results.ts';
import { forgeTree } from '../checks/forged-tree.ts';

interface Report {
  /** The results by file and title, without their times and details. */
  readonly results: Omit<TestResult, 'ms' | 'details'>[];
  /** Everything that the reporter wrote, in order. */
  readonly lines: ResultLine[];
}

/** Runs a real runner on generated tests, and returns what the reporter wrote. */
function report(command: readonly string[], files: Readonly<Record<string, string>>): Report {
  const root = forgeTree({ 'package.json': '{ "type": "module" }', ...files });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  const results = join(root, 'results.jsonl');
  const [tool = '', ...args] = command;
  spawnSync(resolve('node_modules/.bin', tool), args, {
    cwd: root,
    encoding: 'utf8',
    timeout: 110_000,
    env: { ...process.env, [RESULTS_FILE_VARIABLE]: results, NODE_OPTIONS: '' },
  });
  return {
    results: readResults(results)
      .map(({ ms: _, details: _details, ...result }) => result)
      .toSorted((a, b) => (a.file + a.title < b.file + b.title ? -1 : 1)),
    lines: readFileSync(results, 'utf8')
      .split('\n')
      .map(readResultLine)
      .filter((line) => line !== undefined),
  };
}

/** Results are those of one file of tests, or of errors outside any test. */
const of = ({ results }: Report, ...files: readonly string[]) => results.filter(({ file }) => files.includes(file));

/** The lines of one test, by their kinds. */
const linesOf = ({ lines }: Report, title: string) =>
  lines.flatMap((line) => ('title' in line && line.title === title ? ['state' in line ? line.state : line.event] : []));

const detailsOf = ({ lines }: Report, title: string) =>
  lines.flatMap((line) => ('state' in line && line.title === title ? [line.details] : []));

const totalsOf = ({ lines }: Report) => lines.filter((line) => 'event' in line && line.event === 'total');

describe('the reports of the runners', { timeout: 120_000 }, () => {
  // A run of each runner is enough for several tests.
  let ofVitest: ReturnType<typeof report> | undefined;
  let ofPlaywright: ReturnType<typeof report> | undefined;

  function vitest() {
    const reporter = JSON.stringify(resolve('tools/run/vitest-reporter.ts'));
    ofVitest ??= report(['vitest', 'run', '--root', '.'], {
      'vitest.config.js': `export default { test: { maxWorkers: 1, reporters: [${reporter}] } };`,
      'a.test.js': `
        import { describe, expect, test } from 'vitest';
        describe('group', () => {
          test('a passes', () => {});
          test('b fails', () => expect(1).toBe(2));
          test('c is skipped', (context) => context.skip('no camera'));
          test.skip('d is skipped', () => {});
        });`,
      'b.test.js': "import './gone.js';",
      'c.test.js': `
        import { test } from 'vitest';
        test('passes', () => {
          setTimeout(() => { throw new Error('late'); }, 1);
          return new Promise((resolve) => setTimeout(resolve, 50));
        });`,
      'again.test.js': `
        import { describe, expect, test } from 'vitest';
        describe('again', { retry: 1 }, () => {
          let tries = 0;
          test('a passes the second time', () => expect((tries += 1)).toBe(2));
          test('b fails', () => expect(1).toBe(2));
        });`,
    });
    return ofVitest;
  }

  function playwright() {
    const reporter = JSON.stringify(resolve('tools/run/playwright-reporter.ts'));
    ofPlaywright ??= report(['playwright', 'test'], {
      'playwright.config.js': `export default { workers: 1, reporter: [[${reporter}]] };`,
      'a.spec.js': `
        import { expect, test } from '@playwright/test';
        test.describe('group', () => {
          test('a passes', () => {});
          test('b is skipped', () => test.skip(true, 'no camera'));
          test.skip('c is skipped', () => {});
          test.fail('d fails, as it should', () => expect(1).toBe(2));
        });
        test.describe.serial('series', () => {
          test('a fails', () => expect(1).toBe(2));
          test('b never runs', () => {});
        });`,
      'again.spec.js': `
        import { expect, test } from '@playwright/test';
        test.describe.configure({ retries: 1 });
        test('a passes the second time', ({}, { retry }) => expect(retry).toBe(1));
        test('c passes', () => {});
        test.describe.serial('series', () => {
          test('a passes', () => {});
          test('b passes the second time', ({}, { retry }) => expect(retry).toBe(1));
          test('c passes', () => {});
        });
        test.describe.serial('series two', () => {
          test('a fails', () => expect(1).toBe(2));
          test('b never runs', () => {});
        });`,
    });
    return ofPlaywright;
  }

  test('vitest: have each test, files that do not load, and errors outside any test', () => {
    expect(of(vitest(), 'a.test.js', 'b.test.js', 'c.test.js', 'vitest')).toEqual([
      { file: 'a.test.js', title: 'group > a passes', state: 'passed' },
      {
        file: 'a.test.js',
        title: 'group > b fails',
        state: 'failed',
        reason: expect.stringContaining('expected 1 to be 2'),
      },
      { file: 'a.test.js', title: 'group > c is skipped', state: 'skipped', reason: 'no camera' },
      { file: 'a.test.js', title: 'group > d is skipped', state: 'skipped' },
      { file: 'b.test.js', title: 'outside any test', state: 'failed', reason: expect.stringContaining('gone.js') },
      { file: 'c.test.js', title: 'passes', state: 'passed' },
      { file: 'vitest', title: 'outside any test', state: 'failed', reason: 'late' },
    ]);
  });

  test('Playwright: have each test, also tests that did not run', () => {
    expect(of(playwright(), 'a.spec.js')).toEqual([
      { file: 'a.spec.js', title: 'group > a passes', state: 'passed' },
      { file: 'a.spec.js', title: 'group > b is skipped', state: 'skipped', reason: 'no camera' },
      { file: 'a.spec.js', title: 'group > c is skipped', state: 'skipped' },
      { file: 'a.spec.js', title: 'group > d fails, as it should', state: 'passed' },
      { file: 'a.spec.js', title: 'series > a fails', state: 'failed', reason: expect.stringContaining('toBe') },
      {
        file: 'a.spec.js',
        title: 'series > b never runs',
        state: 'skipped',
        reason: 'did not run, since an earlier test or set-up of its group failed',
      },
    ]);
  });

  test('Playwright: have a test that passed only in a retry once, with its failure', () => {
    expect(of(playwright(), 'again.spec.js').map(({ title, state, atFirst }) => [title, state, atFirst])).toEqual([
      ['a passes the second time', 'passed', expect.stringContaining('toBe')],
      ['c passes', 'passed', undefined],
      ['series > a passes', 'passed', undefined],
      ['series > b passes the second time', 'passed', expect.stringContaining('toBe')],
      ['series > c passes', 'passed', undefined],
      ['series two > a fails', 'failed', undefined],
      ['series two > b never runs', 'skipped', undefined],
    ]);
  });

  test('vitest: have a test that passed only in a retry with its failure', () => {
    expect(of(vitest(), 'again.test.js')).toEqual([
      {
        file: 'again.test.js',
        title: 'again > a passes the second time',
        state: 'passed',
        atFirst: 'expected 1 to be 2 // Object.is equality',
      },
      {
        file: 'again.test.js',
        title: 'again > b fails',
        state: 'failed',
        reason: expect.stringContaining('expected 1 to be 2'),
      },
    ]);
  });

  test('each runner: have the start of a test before its end, and a failure with the difference and its place', () => {
    const runs: [Report, string, string][] = [
      [vitest(), 'group > b fails', 'a.test.js:5'],
      [playwright(), 'series > a fails', 'a.spec.js:10'],
    ];
    for (const [run, title, place] of runs) {
      expect(linesOf(run, title)).toEqual(['start', 'failed']);
      expect(detailsOf(run, title)).toEqual([expect.stringContaining(place)]);
      expect(detailsOf(run, title)).toEqual([expect.stringMatching(/Expected:? .*2|- 2/)]);
      expect(detailsOf(run, title)).toEqual([expect.not.stringContaining('\u001B')]);
    }
  });

  test('each runner: have the number of tests, which Vitest estimates until it has read every file', () => {
    expect(totalsOf(vitest()).at(0)).toEqual({ event: 'total', tests: expect.any(Number), isEstimate: true });
    expect(totalsOf(vitest()).at(-1)).toEqual({ event: 'total', tests: 7 });
    expect(totalsOf(playwright())).toEqual([{ event: 'total', tests: 13 }]);
  });

  // Playwright runs no test at all when a file does not load.
  test('Playwright: have a file that does not load', () => {
    const reporter = JSON.stringify(resolve('tools/run/playwright-reporter.ts'));
    const { results } = report(['playwright', 'test'], {
      'playwright.config.js': `export default { reporter: [[${reporter}]] };`,
      'b.spec.js': "import './gone.js';",
    });
    expect(results).toContainEqual({
      file: 'specs/e2e',
      title: 'outside any test',
      state: 'failed',
      reason: expect.stringContaining('gone.js'),
    });
  });
});
