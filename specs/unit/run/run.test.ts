import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findChromium } from '../../../cli/worlds/browser/chromium.ts';
import { readAllResults, readResults, type TestResult, writeResults } from '../../../tools/run/results.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { runCommand, stopAfter } from '../../../tools/run/run-command.ts';
import { BUILD, LANES } from '../../../tools/run/stages.ts';
import { closingLines, stageResults, timeLines } from '../../../tools/run/summary.ts';
import { forgeTree } from '../checks/forged-tree.ts';

const passed: TestResult = { file: 'a.test.ts', title: 'one', state: 'passed' };
const failed: TestResult = { file: 'a.test.ts', title: 'two', state: 'failed', reason: 'no' };
const skipped: TestResult = { file: 'b.test.ts', title: 'three', state: 'skipped', reason: 'no camera here' };

/** Returns whether a process runs. An ended process that was not reaped is a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the end of a test run', () => {
  test('the count is alone on the last line, after the failures and the skipped tests', () => {
    expect(closingLines([passed, failed, skipped, { ...skipped, title: 'four', reason: '' }])).toEqual([
      'Failed:',
      '  a.test.ts: two\n      no',
      'Skipped:',
      '  b.test.ts: three: no camera here',
      '  b.test.ts: four: no reason given',
      '',
      '1 passed, 1 failed, 2 skipped',
    ]);
  });

  test('a test that passed only in a retry is passed, and reported', () => {
    expect(closingLines([passed, { ...passed, title: 'slow', atFirst: 'late' }])).toEqual([
      'Passed only when tried again:',
      '  a.test.ts: slow\n      late',
      '',
      '2 passed, 0 failed, 0 skipped',
    ]);
  });

  test('many tests that were skipped for one reason are counted, not listed', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((title) => ({ ...skipped, title }));
    expect(closingLines([...many, { ...skipped, title: 'g', file: 'c.test.ts' }])).toEqual([
      'Skipped:',
      '  7 tests in 2 files: no camera here',
      '',
      '0 passed, 0 failed, 7 skipped',
    ]);
  });

  test('the times show the start and the end of each stage, and the stages that ran beside it', () => {
    const stage = (name: string, began: number, ended: number) => ({ name, began, ended });
    const times = [stage('build', 500, 8_500), stage('unit', 8_500, 60_500), stage('wrtc', 8_500, 128_500)];
    expect(timeLines([...times, stage('e2e', 128_500, 500_000)].toReversed())).toEqual([
      'Times:',
      '  build   0:00 to  0:08     8.0 s',
      '  wrtc    0:08 to  2:08   120.0 s  beside unit',
      '  unit    0:08 to  1:00    52.0 s  beside wrtc',
      '  e2e     2:08 to  8:20   371.5 s',
      '  all     0:00 to  8:20   499.5 s',
      '',
    ]);
  });

  test('a stage that ran no test has failed', () => {
    const failure = { file: 'tools/run', title: 'stage unit', state: 'failed', reason: 'ran no tests' };
    expect(stageResults('unit', [], undefined)).toEqual([failure]);
    expect(stageResults('unit', [skipped], undefined)).toEqual([skipped, failure]);
  });

  test('a stage with an error exit has failed, unless its own tests give the cause', () => {
    expect(stageResults('unit', [passed], 'exited with 139')).toEqual([
      passed,
      { file: 'tools/run', title: 'stage unit', state: 'failed', reason: 'exited with 139' },
    ]);
    expect(stageResults('unit', [passed, failed], 'exited with 1')).toEqual([passed, failed]);
  });

  test('a stage that was stopped has failed, whatever its tests report', () => {
    expect(stageResults('unit', [passed, failed], 'was stopped after 9 s')).toHaveLength(3);
  });
});

describe('results', () => {
  test('are equal after they were written and read, without a line that a crash cut', () => {
    const folder = forgeTree({});
    const path = join(folder, 'unit.jsonl');
    writeResults(path, [passed]);
    writeResults(path, [failed, skipped]);
    writeResults(path, [
      { event: 'start', file: 'a.test.ts', title: 'one' },
      { event: 'total', tests: 3 },
    ]);
    writeFileSync(path, '{"file":"c.test', { flag: 'a' });
    expect(readResults(path)).toEqual([passed, failed, skipped]);
    expect(readAllResults(folder)).toEqual([passed, failed, skipped]);
  });

  test('are empty before a run', () => {
    expect(readAllResults(join(forgeTree({}), '.results'))).toBeUndefined();
    expect(readAllResults(forgeTree({}))).toBeUndefined();
    expect(readResults('/nowhere/unit.jsonl')).toEqual([]);
  });

  test('without results, coverage:spec prints what to do in one line and exits with 2', () => {
    const main = resolve('tools/coverage/main.ts');
    const { status, stdout, stderr } = spawnSync(resolve('node_modules/.bin/tsx'), [main, '--json'], {
      cwd: forgeTree({}),
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: 'there are no test results to read: run make test first\n',
    });
  });
});

/** The kernel ends a killed process a little later. */
const GONE = { timeout: scaled(5_000), interval: 10 };

describe('a command', () => {
  test('is stopped after a time, with the reason', async () => {
    expect(await runCommand(['sleep', '60'], { stop: stopAfter(50, 'its time is up') })).toEqual({
      trouble: 'was stopped: its time is up',
    });
  });

  test('reports how it ended', async () => {
    expect(await runCommand(['true'])).toEqual({});
    expect(await runCommand(['sh', '-c', 'exit 3'])).toEqual({ trouble: 'exited with 3' });
    expect(await runCommand(['sh', '-c', 'kill -SEGV $$'])).toEqual({ trouble: 'was ended by SIGSEGV' });
    expect(await runCommand(['no-such-command'])).toEqual({ trouble: expect.stringContaining('did not start') });
  });

  test('emits its whole output, also when a remaining child process holds its pipes open', async () => {
    let said = '';
    const say = (text: string) => (said += text);
    const script = 'echo out; echo err >&2; setsid sleep 60 & echo left $!; printf last';
    expect(await runCommand(['sh', '-c', script], { say })).toEqual({});
    process.kill(Number(/left (\d+)/.exec(said)?.[1]));
    // The two streams are two pipes: their order is not checked.
    expect(['out\n', 'err\n', 'last'].filter((word) => !said.includes(word))).toEqual([]);
  });

  test('that yields runs with a low priority, also its children, and ends like others', async () => {
    let said = '';
    const say = (text: string) => (said += text);
    const script = 'sh -c nice; cat /proc/self/autogroup 2>&-; exit 3';
    expect(await runCommand(['sh', '-c', script], { say, yields: true })).toEqual({ trouble: 'exited with 3' });
    // In `make test` the test itself yields, and niceness adds up.
    const niceness = Math.min(getPriority() + 3, 19);
    expect(said.trim()).toMatch(new RegExp(`^${niceness}(?:\\n\\S+ nice 3)?$`));
  });

  test('is ended with its children after its time', async () => {
    const pidFile = join(forgeTree({}), 'pid');
    const script = `sleep 60 & echo $! > ${pidFile}; echo ready; wait`;
    const stop = new AbortController();
    const say = () => stop.abort('its time is up');
    expect(await runCommand(['sh', '-c', script], { say, stop: stop.signal })).toEqual({
      trouble: 'was stopped: its time is up',
    });
    const pid = Number(readFileSync(pidFile, 'utf8'));
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isRunning(pid), GONE).toBe(false);
  });

  test(
    'is ended with the process that runs it, on Ctrl-C',
    async () => {
      const tree = forgeTree({
        'specs/bench/long.bench.ts': '',
        'node_modules/.bin/tsx': '#!/bin/sh\necho $$\nsleep 60\n',
      });
      chmodSync(join(tree, 'node_modules/.bin/tsx'), 0o755);
      const bench = spawn(resolve('node_modules/.bin/tsx'), [resolve('tools/run/bench.ts')], { cwd: tree });
      const [, child = ''] = await new Promise<RegExpExecArray>((found) => {
        let out = '';
        bench.stdout.on('data', (text) => {
          out += String(text);
          const pid = /^(\d+)$/m.exec(out);
          if (pid) found(pid);
        });
      });
      bench.kill('SIGINT');
      const [code] = await once(bench, 'close');
      expect(code).toBe(130);
      await expect.poll(() => isRunning(Number(child)), GONE).toBe(false);
    },
    scaled(30_000),
  );
});

describe('stages that run side by side', () => {
  test('are one lane of real media, and one of the stages that yield to it', () => {
    const [media = [], rest = []] = LANES;
    expect(LANES).toHaveLength(2);
    expect(media.filter(({ yields }) => yields)).toEqual([]);
    expect(rest.filter(({ yields }) => !yields)).toEqual([]);
    expect([BUILD, ...media, ...rest].map(({ name }) => name).toSorted()).toEqual([
      'build',
      'check',
      'e2e',
      'scenarios',
      'unit',
      'wrtc',
    ]);
  });
});

describe('the Chromium of the browser tests', () => {
  const EXECUTABLE = process.execPath;

  test('is the one of $CHROMIUM_PATH, and is missing when that path is missing', () => {
    expect(findChromium({ CHROMIUM_PATH: EXECUTABLE, PATH: '' })).toBe(EXECUTABLE);
    expect(findChromium({ CHROMIUM_PATH: '/nowhere/chromium', PATH: process.env['PATH'] })).toBeUndefined();
  });

  test('is otherwise found on $PATH', () => {
    expect(findChromium({ PATH: forgeTree({}) })).toBeUndefined();
    const folder = forgeTree({});
    writeFileSync(join(folder, 'google-chrome'), '', { mode: 0o755 });
    expect(findChromium({ PATH: `/nowhere:${folder}` })).toBe(join(folder, 'google-chrome'));
  });
});
