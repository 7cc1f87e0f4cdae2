import { describe, expect, test } from 'vitest';
import { audioMos, meanMos } from '../../../src/calls/stats/mos.ts';
import { qualityOf } from '../../../src/calls/stats/quality.ts';

const path = (packetLoss = 0, remoteJitter = 0, roundTripTime = 0) => ({ packetLoss, remoteJitter, roundTripTime });

describe('mean opinion score', () => {
  test('QM-06: a clean path is excellent; loss, jitter and round trip each lower the score', () => {
    const clean = audioMos(path());
    expect(qualityOf(clean)).toBe('excellent');
    expect(audioMos(path(0.05))).toBeLessThan(clean);
    expect(audioMos(path(0, 60))).toBeLessThan(clean);
    expect(audioMos(path(0, 0, 500))).toBeLessThan(clean);
  });

  test('QM-06: a worse path never has a higher score', () => {
    for (const worse of [
      (step: number) => path(step / 50),
      (step: number) => path(0, step * 10),
      (step: number) => path(0, 0, step * 50),
      (step: number) => path(step / 50, step * 10, step * 50),
    ]) {
      const scores = Array.from({ length: 51 }, (_, step) => audioMos(worse(step)));
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
    }
  });

  test('QM-06: every score is within 1 to 4.5 and has one decimal, for any values of the engine', () => {
    const values = [Number.NaN, -1, 0, 0.001, 0.5, 1, 2, 150, 1e4, Number.POSITIVE_INFINITY];
    const scores = values.flatMap((loss) =>
      values.flatMap((jitter) => values.map((roundTrip) => audioMos(path(loss, jitter, roundTrip)))),
    );
    for (const mos of scores) {
      expect(mos).toBeGreaterThanOrEqual(1);
      expect(mos).toBeLessThanOrEqual(4.5);
      expect(mos).toBe(Math.round(mos * 10) / 10);
    }
    expect(Math.min(...scores)).toBe(1);
  });

  test('a good, a bad and a very bad path have their known scores', () => {
    expect(audioMos(path(0, 5, 40))).toBe(4.4);
    expect(qualityOf(audioMos(path(0.02, 20, 150)))).toBe('good');
    expect(qualityOf(audioMos(path(0.1, 40, 300)))).toBe('fair');
    expect(audioMos(path(1, 500, 2000))).toBe(1);
  });

  test('the mean of scores is a score', () => {
    expect(meanMos([4.4, 4.1, 3.9])).toBe(4.1);
    expect(meanMos([])).toBeNull();
  });
});

describe('connection quality', () => {
  test('QM-01: unavailable without mos', () => {
    expect(qualityOf(null)).toBe('unavailable');
    expect(qualityOf(Number.NaN)).toBe('unavailable');
  });

  test.each([
    [0, 'poor'],
    [1.9, 'poor'],
    [2, 'fair'],
    [2.9, 'fair'],
    [3, 'average'],
    [3.5, 'average'],
    [3.6, 'good'],
    [4.1, 'good'],
    [4.2, 'excellent'],
    [4.5, 'excellent'],
  ])('QM-02: a score of %s is %s', (mos, quality) => {
    expect(qualityOf(mos)).toBe(quality);
  });
});
