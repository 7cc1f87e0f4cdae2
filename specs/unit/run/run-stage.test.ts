import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { scaled } from '../../../tools/run/machine-factor.ts';
import type { TestResult } from '../../../tools/run/results.ts';
import { runStage } from '../../../tools/run/run-stage.ts';
import type { Stage } from '../../../tools/run/stages.ts';
import { forgeTree } from '../checks/forged-tree.ts';

/** Runs a shell script as a stage, and returns its results and those that were shown while it ran. */
async function stageOf(
  script: string,
  { idleLimitMs = 60_000, hasTests = true, stop = new AbortController().signal } = {},
) {
  const stage: Stage = { name: 'forged', command: ['sh', '-c', script], seconds: 1, hasTests };
  const folder = forgeTree({});
  const shown: TestResult[] = [];
  const { results } = await runStage(stage, {
    folder,
    idleLimitMs,
    stop,
    started: () => undefined,
    result: (result) => shown.push(result),
  });
  return { results, shown };
}

const line = (value: object) => `echo '${JSON.stringify(value)}' >> $RINGBACK_RESULTS;`;
const passed: TestResult = { file: 'a.test.ts', title: 'one', state: 'passed' };
const start = { event: 'start', file: 'a.test.ts', title: 'hangs' };

describe('a stage', () => {
  test('has the results that its runner wrote, to the last line', async () => {
    const { results, shown } = await stageOf(`${line(start)}${line(passed)}${line({ ...passed, title: 'last' })}`);
    expect(results).toEqual([passed, { ...passed, title: 'last' }]);
    expect(shown).toEqual(results);
  });

  test('that exits with an error without a failed test fails, and shows the end of its output', async () => {
    const { results, shown } = await stageOf(`${line(passed)} echo the engine crashed >&2; exit 139`);
    const failure = { file: 'tools/run', title: 'stage forged', state: 'failed', reason: 'exited with 139' };
    expect(results).toEqual([passed, failure]);
    expect(shown.at(-1)).toEqual({
      ...failure,
      details: expect.stringMatching(/^exited with 139\nthe end of .*forged\.log:\nthe engine crashed$/),
    });
  });

  test('is stopped when no test ends for the limit, with its children, and names the hanging test', async () => {
    const { results } = await stageOf(`${line(start)} sleep 60`, { idleLimitMs: 1_000 });
    expect(results.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(
        /^was stopped: no test has finished for .*; still running: a\.test\.ts: hangs \(for \d+ s\)$/,
      ),
    ]);
  });

  test('without tests counts only when it fails', async () => {
    expect((await stageOf('exit 0', { hasTests: false })).results).toEqual([]);
    const { results } = await stageOf('sleep 60', { hasTests: false, idleLimitMs: 500 });
    expect(results.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('was stopped: it has printed nothing for'),
    ]);
  });

  test('without tests is kept alive by its output', async () => {
    const folder = forgeTree({});
    const script = `echo printed; until [ -e ${folder}/go ]; do sleep 0.05; done`;
    const stage: Stage = { name: 'forged', command: ['sh', '-c', script], seconds: 1, hasTests: false };
    let now = 0;
    const clock = vi.fn(() => now);
    const end = runStage(stage, {
      folder,
      idleLimitMs: 1_000,
      now: clock,
      stop: new AbortController().signal,
      started: () => (now = 600),
      result: () => undefined,
    });
    const output = join(folder, 'forged.log');
    const soon = { timeout: scaled(20_000) };
    await vi.waitFor(() => expect(existsSync(output) && readFileSync(output, 'utf8')).toBe('printed\n'), soon);
    // Longer than the limit since the start, and shorter since its last output.
    now = 1_500;
    clock.mockClear();
    await vi.waitFor(() => expect(clock).toHaveBeenCalled(), soon);
    writeFileSync(join(folder, 'go'), '');
    expect((await end).results).toEqual([]);
  });

  test('is stopped from outside, with the reason', async () => {
    const { results } = await stageOf(line(passed), { stop: AbortSignal.abort('the whole run took too long') });
    expect(results.at(-1)?.reason).toBe('was stopped: the whole run took too long');
  });
});
