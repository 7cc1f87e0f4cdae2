/** The words, the conditions and the reports of soak runs. */
import { describe, expect, it } from 'vitest';
import { fits } from '../../soak/calls/outcome-pairs.ts';
import { readSoakWords, WrongWords } from '../../soak/options.ts';
import { reportJson, reportPage } from '../../soak/report.ts';
import { slopeOf } from '../../soak/slope.ts';
import { holds, performSoak, type Soak, SOAK_IDS, type SoakRun } from '../../soak/soak-run.ts';
import { mostInWindow } from '../../soak/storm/reconnect-storm.ts';
import { listText, resultText } from '../../soak/text.ts';

const runOf = (run: (soak: Soak) => void): SoakRun => ({
  id: 'L1',
  about: 'a run of <the> test',
  minutes: 2,
  shortMs: 300,
  takesServers: true,
  run: (soak) => Promise.resolve(run(soak)),
});

describe('the words of npm run soak', () => {
  it('reads runs in any case, their length and their report', () => {
    const words = ['l1', 'L10', '--minutes', '1.5', '--inputs', '5000', '--seed', '0', '--report', 'soak.html'];
    expect(readSoakWords(words)).toEqual({
      ids: ['L1', 'L10'],
      isList: false,
      isShort: false,
      minutes: 1.5,
      inputs: 5_000,
      seed: 0,
      servers: [],
      report: 'soak.html',
    });
    expect(readSoakWords(['all', '--short'])).toMatchObject({ ids: SOAK_IDS, isShort: true });
    expect(readSoakWords(['--list'])).toMatchObject({ ids: [], isList: true });
    expect(readSoakWords(['L1', '--server', 'http://a:1', '--server', 'https://b']).servers).toEqual([
      'http://a:1',
      'https://b',
    ]);
  });

  it.each<[string[], string]>([
    [[], 'Name a run: L1, L2'],
    [['L11'], 'There is no run L11: the runs are L1, L2'],
    [['L1', '--minutes', '0'], '--minutes 0: a number above 0, up to 1440.'],
    [['L1', '--minutes', 'ten'], '--minutes ten: a number above 0'],
    [['L10', '--inputs', '1.5'], '--inputs 1.5: a whole number above 0'],
    [['L1', '--inputs', '5'], '--inputs is an option of L10 alone.'],
    [['L1', '--seed', '-1'], '--seed'],
    [['L1', '--report', 'soak.txt'], '--report soak.txt: the name of a report ends in .html or .json.'],
    [['L1', '--server', 'localhost'], '--server localhost: a server is a URL without a path'],
    [['L1', '--fast'], "Unknown option '--fast'"],
  ])('refuses %j in one line', (words, message) => {
    const refuse = () => readSoakWords(words);
    expect(refuse).toThrow(WrongWords);
    expect(refuse).toThrow(message);
    expect(() => readSoakWords(words)).not.toThrow(/\n/);
  });
});

describe('a soak run', () => {
  it('has the length of its form, or that of the user', async () => {
    const lengths: number[] = [];
    const run = runOf(({ loadMs }) => void lengths.push(loadMs));
    await performSoak(run, { isShort: true });
    await performSoak(run, { isShort: false });
    await performSoak(run, { isShort: true, minutes: 0.5 });
    expect(lengths).toEqual([300, 120_000, 30_000]);
  });

  it('fails when it has checked nothing, and when one condition does not hold', async () => {
    expect(
      holds(
        await performSoak(
          runOf(() => undefined),
          { isShort: true },
        ),
      ),
    ).toBe(false);
    const good = runOf(({ condition }) => condition('it works', true, 'yes'));
    expect(holds(await performSoak(good, { isShort: true }))).toBe(true);
    const bad = runOf(({ condition }) => {
      condition('it works', true, 'yes');
      condition('it is whole', false, 'half');
    });
    const result = await performSoak(bad, { isShort: true, seed: 7 });
    expect(holds(result)).toBe(false);
    expect(resultText(result)).toContain('FAILED   it is whole  (half)\nL1 does not hold: short form');
    expect(resultText(result)).toContain('seed 7');
  });

  it('is reported as a page with charts that loads nothing, and as JSON', async () => {
    const run = runOf(({ condition, point, figure }) => {
      condition('a < b', true, 'yes');
      for (const value of [1, 4, 2]) point('Calls', 'live', value);
      figure('calls', '3');
    });
    const result = await performSoak(run, { isShort: false });
    const page = reportPage([result]);
    expect(page).toContain('1 soak runs hold');
    expect(page).toContain('a run of &lt;the&gt; test');
    expect(page).toContain('aria-label="Calls over the time of the run"');
    expect(page).not.toMatch(/<script|https?:/);
    expect(JSON.parse(reportJson([result]))).toMatchObject([
      {
        id: 'L1',
        holds: true,
        figures: { calls: '3' },
        charts: { Calls: { live: [{ value: 1 }, { value: 4 }, { value: 2 }] } },
      },
    ]);
  });

  it('is listed with its length', () => {
    expect(listText([runOf(() => undefined)])).toBe('L1   a run of <the> test. Long form: 2 minutes.\n');
  });
});

describe('the figures of soak runs', () => {
  it('measure a slope with three points or more', () => {
    const line = [0, 1, 2, 3].map((x) => ({ x, y: 5 + 2 * x }));
    expect(slopeOf(line)).toBeCloseTo(2);
    expect(slopeOf(line.slice(0, 2))).toBeNull();
    expect(slopeOf([1, 2, 3].map((y) => ({ x: 1, y })))).toBeNull();
  });

  it('count the most moments of any second, also across its borders', () => {
    expect(mostInWindow([0, 900, 1_000, 1_100, 1_899, 5_000])).toBe(4);
    expect(mostInWindow([])).toBe(0);
  });

  it('I9 refuse two results that disagree whether the callee accepted', () => {
    expect(fits('COMPLETED', 'COMPLETED')).toBe(true);
    expect(fits('CANCELED', 'NONE')).toBe(true);
    for (const callee of ['DECLINED', 'NO_ANSWER', 'CANCELED', 'DIAL_FAILED', 'UNKNOWN', 'NONE'] as const) {
      expect(fits('COMPLETED', callee)).toBe(false);
    }
    expect(fits('UNKNOWN', 'UNKNOWN')).toBe(false);
  });
});
