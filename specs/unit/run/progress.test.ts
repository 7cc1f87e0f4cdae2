import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDisplay, failureLines, stageLine, testLine } from '../../../tools/run/display.ts';
import { followFile } from '../../../tools/run/follow-file.ts';
import { FACTOR_VARIABLE, machineFactor, scaled } from '../../../tools/run/machine-factor.ts';
import { StageProgress } from '../../../tools/run/progress.ts';
import { RunProgress } from '../../../tools/run/run-progress.ts';
import type { TestResult } from '../../../tools/run/results.ts';
import type { Stage } from '../../../tools/run/stages.ts';
import { forgeTree } from '../checks/forged-tree.ts';

const MINUTE = 60_000;
const start = (title: string) => ({ event: 'start', file: 'a.test.ts', title }) as const;
const passed = (title: string): TestResult => ({ file: 'a.test.ts', title, state: 'passed', ms: 7 });

describe('the progress of a stage', () => {
  test('counts the ended tests and the number that the runner found, an estimate until every file is read', () => {
    const progress = new StageProgress(0, true);
    expect(progress.text).toBe('');
    progress.take({ event: 'total', tests: 3_700, isEstimate: true }, 0);
    progress.take(passed('one'), 10);
    expect(progress.text).toBe('1 of about 3,700 tests');
    progress.take({ event: 'total', tests: 3 }, 20);
    progress.take({ ...passed('two'), state: 'skipped' }, 30);
    progress.take({ ...passed('three'), state: 'failed' }, 40);
    expect(progress.text).toBe('3 of 3 tests');
    expect(progress.counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
  });

  test('never shows more tests done than exist', () => {
    const progress = new StageProgress(0, true);
    progress.take({ event: 'total', tests: 1 }, 0);
    progress.take(passed('one'), 1);
    progress.take(passed('found late'), 2);
    expect(progress.text).toBe('2 of 2 tests');
  });

  test('estimates the time left once a tenth of the tests is done', () => {
    const progress = new StageProgress(1_000, true);
    progress.take({ event: 'total', tests: 10 }, 1_000);
    expect(progress.left(2_000)).toBeUndefined();
    for (const title of ['a', 'b']) progress.take(passed(title), 3_000);
    expect(progress.left(5_000)).toBe(16_000);
  });

  test('a stage hangs when no test has ended for the limit, and the running tests are named', () => {
    const progress = new StageProgress(0, true);
    progress.take(start('ends'), 0);
    progress.take(start('hangs'), MINUTE);
    progress.take(passed('ends'), 2 * MINUTE);
    expect(progress.hanging(7 * MINUTE - 1, 5 * MINUTE)).toBeUndefined();
    expect(progress.hanging(7 * MINUTE, 5 * MINUTE)).toBe(
      'no test has finished for 5 minutes; still running: a.test.ts: hangs (for 360 s)',
    );
  });

  test('a stage hangs also when no test runs, for any output', () => {
    const progress = new StageProgress(0, true);
    progress.printed(MINUTE);
    expect(progress.hanging(5 * MINUTE, 5 * MINUTE)).toBe('no test has finished for 5 minutes; no test was running');
  });

  test('a stage without tests hangs when it prints nothing', () => {
    const progress = new StageProgress(0, false);
    progress.printed(MINUTE);
    expect(progress.hanging(5 * MINUTE, 5 * MINUTE)).toBeUndefined();
    expect(progress.hanging(6 * MINUTE, 5 * MINUTE)).toBe('it has printed nothing for 5 minutes');
  });
});

describe('the progress of a run', () => {
  const stage = (name: string, seconds: number): Stage => ({ name, seconds, command: [], hasTests: true });
  const [build, wrtc, unit, check, coverage] = [
    stage('build', 20),
    stage('wrtc', 100),
    stage('unit', 80),
    stage('check', 60),
    stage('coverage', 1),
  ];

  test('adds the stages of a lane, and uses the longest of several lanes', () => {
    const progress = new RunProgress([[build], [wrtc, unit], [check], [coverage]], 2, 0);
    expect(progress.left(0)).toBe(2 * (20 + 180 + 1) * 1_000);
    progress.start({ stage: build, began: 0, progress: new StageProgress(0, true) });
    expect(progress.left(10_000)).toBe(2 * (20 + 180 + 1) * 1_000 - 10_000);
    expect(progress.end(build)).toBe(0);
    expect(progress.left(50_000)).toBe(2 * (180 + 1) * 1_000);
  });

  test('names the running stages, their tests and the time left', () => {
    const progress = new RunProgress([[build], [wrtc, unit], [check], [coverage]], 1, 0);
    progress.end(build);
    const ofWrtc = new StageProgress(20_000, true);
    progress.start({ stage: wrtc, began: 20_000, progress: ofWrtc });
    progress.start({ stage: check, began: 20_000, progress: new StageProgress(20_000, true) });
    ofWrtc.take({ event: 'total', tests: 31 }, 21_000);
    expect(progress.text(65_000)).toBe(' 1:05  wrtc 0 of 31 tests, check; about 2 min left');
  });
});

describe('the display', () => {
  const screen = (isTerminal: boolean) => {
    const written: string[] = [];
    return { written, screen: { isTerminal, columns: 20, write: (text: string) => void written.push(text) } };
  };

  test('on a terminal keeps one line of progress below the output, cut to its width', () => {
    const { written, screen: terminal } = screen(true);
    const display = createDisplay(terminal, 0);
    display.progress('1 of 3 tests; about 4 min left', 0);
    display.progress('1 of 3 tests; about 4 min left', 500);
    display.print(['done']);
    display.progress('', 1_000);
    expect(written).toEqual([
      '\r\u001B[K1 of 3 tests; about',
      '\r\u001B[Kdone\n',
      '\r\u001B[K1 of 3 tests; about',
      '\r\u001B[K',
    ]);
  });

  test('without a terminal prints the progress once a minute', () => {
    const { written, screen: pipe } = screen(false);
    const display = createDisplay(pipe, 0);
    display.progress('early', 59_999);
    display.progress('one minute', MINUTE);
    display.progress('soon after', MINUTE + 1);
    display.print(['done']);
    expect(written).toEqual(['one minute\n', 'done\n']);
  });

  test('a failure is shown in full, a stage and a test in a line each', () => {
    const failed: TestResult = { ...passed('two'), state: 'failed', reason: 'no', details: 'no\n- 1\n+ 2' };
    expect(failureLines(failed)).toEqual(['FAILED  a.test.ts: two', '        no', '        - 1', '        + 2']);
    expect(testLine(passed('one'))).toBe('passed  a.test.ts: one (7 ms)');
    expect(testLine({ file: 'a', title: 'b', state: 'skipped', reason: 'no camera' })).toBe('skipped a: b: no camera');
    expect(stageLine('unit', 65_000, [passed('one'), failed])).toBe(
      'FAILED  unit       1:05  1 passed, 1 failed, 0 skipped',
    );
    expect(stageLine('build', 5_000, [])).toBe('passed  build      0:05');
  });
});

test('a followed file emits each whole line once, and none before it exists', () => {
  const path = join(forgeTree({}), 'lines');
  const file = followFile(path);
  expect(file.read()).toEqual([]);
  writeFileSync(path, 'one\ntw');
  expect(file.read()).toEqual(['one']);
  appendFileSync(path, `o\n${'x'.repeat(100_000)}\n三`);
  expect(file.read()).toEqual(['two', 'x'.repeat(100_000)]);
  appendFileSync(path, '\n');
  expect(file.read()).toEqual(['三']);
  expect(file.read()).toEqual([]);
});

describe('the machine factor', () => {
  let before: string | undefined;
  beforeEach(() => (before = process.env[FACTOR_VARIABLE]));
  afterEach(() => {
    if (before === undefined) delete process.env[FACTOR_VARIABLE];
    else process.env[FACTOR_VARIABLE] = before;
  });

  test('is read from the environment, and deadlines are multiplied by it', () => {
    process.env[FACTOR_VARIABLE] = '2.5';
    expect(machineFactor()).toBe(2.5);
    expect(scaled(1_001)).toBe(2_503);
  });

  test.each(['fast', '1000'])('is measured when the environment has %j, and passed on', (wrong) => {
    process.env[FACTOR_VARIABLE] = wrong;
    const factor = machineFactor();
    expect(factor).toBeGreaterThanOrEqual(1);
    expect(factor).toBeLessThanOrEqual(12);
    expect(process.env[FACTOR_VARIABLE]).toBe(String(factor));
  });
});
