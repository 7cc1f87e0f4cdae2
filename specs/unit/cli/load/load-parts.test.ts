/** The pure parts of `ringback load`: arrivals, mix, histogram, thresholds, tally and the values of its options. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  collectStages,
  collectThresholds,
  parseMix,
  parseNumberedUsers,
  parseRate,
  parseReportFile,
} from '../../../../cli/arguments/load-values.ts';
import { arrivals, lengthOf, peakRateOf, stagesOf } from '../../../../cli/load/arrivals.ts';
import { Durations } from '../../../../cli/load/durations.ts';
import { addWindow, emptySpan } from '../../../../cli/headless/measuring/sound-span.ts';
import { hears } from '../../../../cli/load/hears.ts';
import { kindsOf, mixOf } from '../../../../cli/load/mix.ts';
import { numberedUsers } from '../../../../cli/load/users.ts';
import { sharesOf } from '../../../../cli/load/worker-processes.ts';
import { Tally } from '../../../../cli/load/tally.ts';
import { judged, type Threshold, thresholdOf } from '../../../../cli/load/thresholds.ts';
import { loadReportPage } from '../../../../cli/reporters/load/page.ts';
import { type LoadSummary, summaryJson } from '../../../../cli/reporters/load/summary.ts';
import { summaryText } from '../../../../cli/reporters/load/text.ts';
import { PLAN } from './plan.ts';

describe('the arrivals', () => {
  it('of a rate are evenly spaced', () => {
    expect([...arrivals(stagesOf(4, 1_000, 0))]).toEqual([125, 375, 625, 875]);
  });

  it('of a ramp become denser until its rate, and continue at it', () => {
    const due = [...arrivals(stagesOf(10, 2_000, 10_000))];
    expect(due).toHaveLength(50 + 20);
    const gaps = due.slice(1).map((at, index) => at - (due[index] ?? 0));
    for (const [index, gap] of gaps.slice(0, 49).entries())
      expect(gap).toBeLessThan((gaps[index - 1] ?? Infinity) + 1e-6);
    expect(due[60]).toBeCloseTo(11_050, 6);
  });

  it('are as many as the area below the stages, in order, and within their length', () => {
    const stage = fc.record({ forMs: fc.integer({ min: 1, max: 20_000 }), toRate: fc.integer({ min: 0, max: 50 }) });
    fc.assert(
      fc.property(fc.array(stage, { minLength: 1, maxLength: 5 }), (stages) => {
        const due = [...arrivals(stages)];
        let rate = 0;
        let area = 0;
        for (const { forMs, toRate } of stages) {
          area += (((rate + toRate) / 2) * forMs) / 1_000;
          rate = toRate;
        }
        expect(Math.abs(due.length - area)).toBeLessThanOrEqual(0.5 + 1e-6);
        expect(due).toEqual(due.toSorted((a, b) => a - b));
        expect(due.at(-1) ?? 0).toBeLessThanOrEqual(lengthOf(stages) + 1e-6);
        expect(peakRateOf(stages)).toBe(Math.max(...stages.map(({ toRate }) => toRate)));
      }),
    );
  });
});

describe('the mix', () => {
  it('gives each kind its share after any number of calls', () => {
    const kinds = kindsOf({ complete: 7, decline: 2, cancel: 1 });
    const counts = { complete: 0, decline: 0, cancel: 0 };
    for (let calls = 1; calls <= 100; calls += 1) {
      counts[kinds.next().value] += 1;
      expect(Math.abs(counts.complete - calls * 0.7)).toBeLessThanOrEqual(1);
      expect(Math.abs(counts.cancel - calls * 0.1)).toBeLessThanOrEqual(1);
    }
    expect(counts).toEqual({ complete: 70, decline: 20, cancel: 10 });
  });

  it('is refused without a share, with an unknown kind or without a number', () => {
    expect(mixOf('complete=0')).toBeUndefined();
    expect(mixOf('complete=1,hang=2')).toBeUndefined();
    expect(mixOf('complete')).toBeUndefined();
  });
});

describe('the histogram', () => {
  it('has the percentiles of the sorted values, to three digits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 100_000, noNaN: true }), { minLength: 1, maxLength: 300 }),
        fc.constantFrom(1, 25, 50, 90, 95, 99, 99.9, 100),
        (values, percent) => {
          const durations = new Durations();
          for (const value of values) durations.record(value);
          const sorted = values.toSorted((a, b) => a - b);
          // The rank may fall between two values. Either one is right then.
          const rank = (percent / 100) * values.length;
          const valueAt = (at: number) => sorted[Math.min(values.length, Math.max(1, at)) - 1] ?? 0;
          const found = durations.percentile(percent);
          expect(found).toBeGreaterThanOrEqual(valueAt(Math.floor(rank)) * 0.999 - 0.000_52);
          expect(found).toBeLessThanOrEqual(valueAt(Math.ceil(rank)) * 1.001 + 0.000_52);
        },
      ),
    );
  });

  it('keeps values beyond its bounds at its bounds, and is 0 when it is empty', () => {
    const durations = new Durations();
    expect(durations.summary()).toMatchObject({ count: 0, min: 0, p99: 0, max: 0 });
    durations.record(0);
    durations.record(1e9);
    expect(durations.min).toBe(0.001);
    expect(durations.max / 3_600_000).toBeCloseTo(1, 2);
  });
});

const parsed = (text: string): Threshold => {
  const threshold = thresholdOf(text);
  if (typeof threshold === 'string') throw new Error(threshold);
  return threshold;
};

describe('a threshold', () => {
  const tally = new Tally(10_000);
  for (let ms = 1; ms <= 100; ms += 1) {
    tally.dialled(0, false);
    tally.measured('dial-to-ring', 0, ms);
    tally.finished(ms <= 98 ? 'completed' : 'lost', 10);
  }
  const verdictOf = (text: string) => judged(parsed(text), tally);

  it.each([
    ['dial-to-ring p99 < 99.5ms', true, 99],
    ['dial-to-ring p99<99ms', false, 99],
    ['dial-to-ring p99 <= 0.0991s', true, 99],
    ['dial-to-ring p50 >= 50ms', true, 50],
    ['dial-to-ring max > 200ms', false, 100],
    ['failed < 2%', false, 0.02],
    ['failed <= 2%', true, 0.02],
    ['lost < 3', true, 2],
    ['stuck <= 0', true, 0],
    ['calls > 100', false, 100],
  ])('%s', (text, ok, actual) => {
    const verdict = verdictOf(text);
    expect(verdict.ok).toBe(ok);
    expect(Math.abs((verdict.actual ?? Number.NaN) - actual)).toBeLessThan(0.1);
  });

  it('on a time that was never measured does not hold', () => {
    expect(verdictOf('end-to-ended p99 < 1s')).toMatchObject({ ok: false, actual: null });
    expect(judged(parsed('failed < 1%'), new Tally(1_000))).toMatchObject({ ok: false, actual: null });
  });

  it.each([
    ['', 'is like'],
    ['dial-to-ring p99 10ms', 'is like'],
    ['ring p99 < 10ms', 'The metrics are dial-to-ring'],
    ['dial-to-ring < 10ms', 'names min, mean, max or a percentile'],
    ['dial-to-ring p0 < 10ms', 'names min, mean, max or a percentile'],
    ['dial-to-ring p101 < 10ms', 'names min, mean, max or a percentile'],
    ['dial-to-ring p99 < 10', 'is a time'],
    ['dial-to-ring p99 < 10%', 'is a time'],
    ['failed < 10ms', 'a number of calls or their share'],
    ['failed p99 < 1%', 'a number of calls or their share'],
    ['calls > 10%', 'calls is a number'],
  ])('"%s" is refused in one sentence', (text, reason) => {
    expect(thresholdOf(text)).toContain(reason);
  });
});

describe('a tone', () => {
  const spanOf = (...windows: readonly (number | null)[]) => {
    const span = emptySpan();
    for (const frequency of windows) addWindow(span, frequency === null ? null : { frequency, share: 0.9, power: 0.1 });
    return span;
  };

  it('is heard when it carries most of the time from the first sound to the last', () => {
    expect(hears(spanOf(null, null, 440, 440, 442, 440, null, 440, null), 440)).toBe(true);
  });

  it.each([
    ['in silence', [null, null]],
    ['when another tone is heard', [660, 660, 660]],
    ['when it is often interrupted', [440, null, null, 440, 440, null, 440]],
    ['before any window', []],
  ])('is not heard %s', (_, windows) => {
    expect(hears(spanOf(...windows), 440)).toBe(false);
  });
});

it('gives each process whole pairs of users, and as many as any other', () => {
  const shares = sharesOf(numberedUsers('u', 14), 3).map((users) => users.map(({ userId }) => userId));
  expect(shares).toEqual([
    ['u-1', 'u-2', 'u-7', 'u-8', 'u-13', 'u-14'],
    ['u-3', 'u-4', 'u-9', 'u-10'],
    ['u-5', 'u-6', 'u-11', 'u-12'],
  ]);
});

describe('the tally', () => {
  it('has a slot for each second, with its rate, live calls and percentiles', () => {
    const tally = new Tally(3_000);
    for (const at of [100, 200]) tally.dialled(at, false);
    tally.measured('dial-to-ring', 150, 4);
    tally.measured('dial-to-ring', 250, 8);
    tally.dialled(2_100, false);
    tally.measured('dial-to-ring', 2_150, 1);
    tally.finished('completed', 2_900);
    tally.finished('lost', 3_000, 'closed');
    tally.finished('unsent', 3_000);
    expect(tally.slots()).toEqual([
      { at: 0, dialled: 2, ended: 0, failed: 0, live: 2, p50: 4, p99: 8 },
      { at: 1_000, dialled: 0, ended: 0, failed: 0, live: 2, p50: null, p99: null },
      { at: 2_000, dialled: 1, ended: 1, failed: 0, live: 2, p50: 1, p99: 1 },
      { at: 3_000, dialled: 0, ended: 0, failed: 2, live: 1, p50: null, p99: null },
    ]);
    expect([tally.dialledCalls, tally.live, tally.peak]).toEqual([3, 1, 3]);
    expect([tally.calls('calls'), tally.calls('failed'), tally.calls('lost')]).toEqual([4, 2, 1]);
  });

  it('has at most 300 slots for the planned time', () => {
    expect(new Tally(3_600_000).slotMs).toBe(12_000);
  });
});

describe('the results of a run whose calls waited for free users', () => {
  /** Returns the results of two calls, of which so many waited. */
  const summaryOf = (waited: number): LoadSummary => {
    const tally = new Tally(10_000);
    for (const at of [0, 1]) tally.dialled(100, at < waited);
    return {
      server: 'http://127.0.0.1:7580',
      plan: PLAN,
      ...{ concurrency: 5, elapsedMs: 1_000, tally, interrupted: false, verdicts: [] },
      end: { closedPairs: 0, isCutShort: false },
    };
  };
  const said = 'calls waited, as no two users were free';

  it('say how many, and what to do', () => {
    const summary = summaryOf(1);
    expect(summaryText(summary)).toContain(
      'waited    1 of 2 calls, as no two users were free: raise --concurrency, unless the server was slow',
    );
    expect(loadReportPage(summary)).toContain(`1 of 2 ${said}. Raise --concurrency, unless the server was slow.`);
    expect(summaryJson(summary).calls).toMatchObject({ dialled: 2, waited: 1 });
  });

  it('say nothing about it without such calls', () => {
    const summary = summaryOf(0);
    expect(summaryText(summary)).not.toContain('waited');
    expect(loadReportPage(summary)).not.toContain(said);
    expect(summaryJson(summary).calls).toMatchObject({ waited: 0 });
  });
});

describe('the values of the options', () => {
  it('are rates, stages, mixes, users and files', () => {
    expect(parseRate('2.5')).toBe(2.5);
    expect(collectStages('30s:100', collectStages('0s:50'))).toEqual([
      { forMs: 0, toRate: 50 },
      { forMs: 30_000, toRate: 100 },
    ]);
    expect(parseMix('complete=9, decline=1')).toEqual({ complete: 9, decline: 1, cancel: 0 });
    expect(parseNumberedUsers('load/400')).toEqual({ prefix: 'load', count: 400 });
    expect(collectThresholds('failed < 1%')).toHaveLength(1);
    expect(parseReportFile('a/load.html')).toBe('a/load.html');
  });

  it.each([
    [() => parseRate('0'), 'above 0'],
    [() => parseRate('1e3'), 'above 0'],
    [() => parseRate('10001'), 'up to 10000'],
    [() => collectStages('30s'), 'like 30s:100'],
    [() => collectStages('30s:1:2'), 'like 30s:100'],
    [() => collectStages('30:5'), 'needs a number and a unit'],
    [() => parseMix('all'), 'A mix has'],
    [() => parseNumberedUsers('load'), 'like load/400'],
    [() => parseNumberedUsers('load/1'), 'from 2'],
    [() => collectThresholds('failed'), 'is like'],
    [() => parseReportFile('load.txt'), 'HTML file'],
  ])('are refused in one line %#', (parse, reason) => {
    expect(parse).toThrow(reason);
  });
});
