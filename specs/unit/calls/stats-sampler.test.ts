import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import type { CallStats } from '../../../src/calls/stats/call-stats.ts';
import { clampStatsInterval, StatsSampler } from '../../../src/calls/stats/sampler.ts';
import { qualityOf } from '../../../src/calls/stats/quality.ts';
import type { StatsReport } from '../../../src/calls/stats/stats-report.ts';
import { chromiumReport } from './stats-reports.ts';

/** A connection whose audio flows, 50 packets a poll, `lost` of them lost. */
function flowing({ reported = () => true, lost = () => 0 }: { reported?: () => boolean; lost?: () => number } = {}) {
  let [polls, packetsLost, packetsReceived] = [0, 0, 0];
  return {
    get polls() {
      return polls;
    },
    getStats: () => {
      polls += 1;
      packetsLost += lost();
      packetsReceived += 50 - lost();
      return Promise.resolve(chromiumReport({ packetsReceived, packetsLost }, { reported: reported() }));
    },
  };
}

function setUp({ statsInterval }: { statsInterval?: number } = {}) {
  const clock = new VirtualClock();
  const samples: CallStats[] = [];
  const messages: string[] = [];
  const sampler = new StatsSampler({
    clock,
    log: { debug: (message) => void messages.push(message) },
    onSample: (stats) => void samples.push(stats),
    ...(statsInterval === undefined ? {} : { statsInterval }),
  });
  return { clock, sampler, samples, messages };
}

describe('sampling', () => {
  test('ST-01: statistics are polled every second while started', async () => {
    const { clock, sampler, samples } = setUp();
    const connection = flowing();
    await clock.advance(5000);
    expect(connection.polls).toBe(0);
    sampler.start(connection);
    await clock.advance(999);
    expect(connection.polls).toBe(0);
    await clock.advance(1);
    expect(connection.polls).toBe(1);
    await clock.advance(9000);
    expect(connection.polls).toBe(10);
    expect(samples).toHaveLength(10);
    expect(samples[9]?.at).toBe((samples[0]?.at ?? 0) + 9000);
    sampler.stop();
    await clock.advance(5000);
    expect(connection.polls).toBe(10);
    expect(sampler.latest).toBe(samples[9]);
    expect(clock.pending).toEqual([]);
  });

  test('QM-08: quality is unavailable until the other side has reported', async () => {
    const { clock, sampler } = setUp();
    let reported = false;
    sampler.start(flowing({ reported: () => reported }));
    await clock.advance(4000);
    expect(qualityOf(sampler.latest?.mos ?? null)).toBe('unavailable');
    reported = true;
    await clock.advance(1000);
    expect(qualityOf(sampler.latest?.mos ?? null)).toBe('excellent');
  });

  test('QM-08: at most 15 updates are awaited', async () => {
    const { clock, sampler, samples } = setUp();
    sampler.start(flowing({ reported: () => false }));
    await clock.advance(15_000);
    expect(samples.map(({ mos }) => mos)).toEqual(Array.from({ length: 15 }, () => null));
    expect(qualityOf(sampler.latest?.mos ?? null)).toBe('unavailable');
    await clock.advance(1000);
    expect(qualityOf(sampler.latest?.mos ?? null)).toBe('excellent');
  });

  test('quality describes the last second', async () => {
    const { clock, sampler } = setUp();
    let lost = 0;
    sampler.start(flowing({ lost: () => lost }));
    await clock.advance(3000);
    expect(qualityOf(sampler.latest?.mos ?? null)).toBe('excellent');
    lost = 25;
    await clock.advance(1000);
    expect(qualityOf(sampler.latest?.mos ?? null)).toBe('poor');
  });

  test('the mos list gets the mean of each stats interval', async () => {
    const { clock, sampler } = setUp({ statsInterval: 3 });
    let lost = 0;
    sampler.start(flowing({ lost: () => lost }));
    await clock.advance(5999);
    expect(sampler.mosList).toEqual([4.3]);
    lost = 25;
    await clock.advance(3001);
    expect(sampler.mosList).toHaveLength(3);
    expect(sampler.mosList[2]).toBeLessThan(2);
  });

  test('an interval without a score adds none', async () => {
    const { clock, sampler } = setUp({ statsInterval: 1 });
    sampler.start(flowing({ reported: () => false }));
    await clock.advance(15_000);
    expect(sampler.mosList).toEqual([]);
    await clock.advance(2000);
    expect(sampler.mosList).toEqual([4.4, 4.4]);
  });

  test.each([
    [undefined, 3],
    [Number.NaN, 3],
    [0, 1],
    [-5, 1],
    [2.5, 2.5],
    [61, 60],
    [Number.POSITIVE_INFINITY, 60],
  ])('ST-02: a stats interval of %s s is %s s', (given, kept) => {
    expect(clampStatsInterval(given)).toBe(kept);
    expect(
      new StatsSampler({
        clock: new VirtualClock(),
        log: { debug: () => undefined },
        ...(given === undefined ? {} : { statsInterval: given }),
      }).statsInterval,
    ).toBe(kept);
  });

  test('an engine that does not answer gets no second request, and its late answer after the stop is dropped', async () => {
    const { clock, sampler, samples } = setUp();
    let answer: (report: StatsReport) => void = () => undefined;
    let asked = 0;
    sampler.start({
      getStats: () => {
        asked += 1;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    await clock.advance(5000);
    expect(asked).toBe(1);
    answer(chromiumReport());
    await clock.advance(1000);
    expect([asked, samples.length]).toEqual([2, 1]);
    sampler.stop();
    answer(chromiumReport());
    await clock.advance(1000);
    expect([asked, samples.length]).toEqual([2, 1]);
  });

  test('a failure is logged and the next second is sampled again', async () => {
    const { clock, sampler, samples, messages } = setUp();
    const connection = flowing();
    let fails = true;
    sampler.start({ getStats: () => (fails ? Promise.reject(new Error('busy')) : connection.getStats()) });
    await clock.advance(2000);
    fails = false;
    await clock.advance(1000);
    expect([messages.length, samples.length]).toEqual([2, 1]);
  });

  test('another connection replaces the first, with its own counters', async () => {
    const { clock, sampler } = setUp();
    const first = flowing();
    sampler.start(first);
    await clock.advance(1500);
    sampler.start(first);
    await clock.advance(1500);
    expect(first.polls).toBe(3);
    sampler.start({ getStats: () => Promise.resolve(chromiumReport({ packetsReceived: 1000 })) });
    await clock.advance(1000);
    expect(first.polls).toBe(3);
    expect(sampler.latest?.audio.received?.recent.packets).toBe(1000);
  });
});
