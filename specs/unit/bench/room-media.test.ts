/** The pure parts of the bench of rooms: what a mix contains, and what participants missed. */
import { describe, expect, test } from 'vitest';
import { createToneGenerator, TONE_SAMPLE_RATE } from '../../../cli/headless/signals/tone-generator.ts';
import { type Arrived, arrivalRows, missingArrivals } from '../../bench/room-media/arrivals.ts';
import { createMixMeter, mixVerdict } from '../../bench/room-media/mix-meter.ts';

const TONES = [305, 380, 455, 530, 605, 680];

/** Plays a second of some of the tones, each with a volume, and returns the reading of a meter of all tones. */
function readingOf(volumes: readonly number[]) {
  const meter = createMixMeter(TONES);
  const generators = TONES.map((tone, at) => createToneGenerator(tone, volumes[at] ?? 0));
  for (let frame = 0; frame < 100; frame += 1) {
    const parts = generators.map((generator) => generator.next());
    const mixed = Int16Array.from({ length: 480 }, (_, at) => parts.reduce((sum, part) => sum + (part[at] ?? 0), 0));
    meter.add(mixed, TONE_SAMPLE_RATE);
  }
  return meter.turn();
}

describe('meter of a mix', () => {
  test('finds each of several tones, and not the own tone that is left out', () => {
    const reading = readingOf([0.1, 0.1, 0, 0.1, 0.1, 0.1]);
    expect(reading).toMatchObject({ windows: 5, silent: 0 });
    const verdict = mixVerdict(reading, 2);
    expect(verdict).toMatchObject({ heard: 5, hearsItself: false });
    expect(verdict.own).toBeLessThan(-40);
    expect(verdict.weakest).toBeGreaterThan(-1);
  });

  test('finds the own tone, and a missing other one', () => {
    const verdict = mixVerdict(readingOf([0.1, 0.1, 0.1, 0, 0.1, 0.1]), 2);
    expect(verdict).toMatchObject({ heard: 4, hearsItself: true });
    expect(verdict.own).toBeCloseTo(10 * Math.log10(5 / 4), 0);
  });

  test('finds a tone with a third of the volume of the others, and not one with a tenth', () => {
    expect(mixVerdict(readingOf([0.1, 0.1, 0, 0.1, 0.1, 0.035]), 2).heard).toBe(5);
    expect(mixVerdict(readingOf([0.1, 0.1, 0, 0.1, 0.1, 0.01]), 2).heard).toBe(4);
  });

  test('finds nothing in silence', () => {
    const reading = readingOf([]);
    expect(reading).toMatchObject({ windows: 5, silent: 5 });
    expect(mixVerdict(reading, 0)).toEqual({ heard: 0, own: null, weakest: null, hearsItself: false });
  });
});

describe('table of arrivals', () => {
  const users = [
    { userId: 'alice', tone: 440 },
    { userId: 'bob', tone: 550 },
  ];
  const whole: Arrived = {
    tone: 550,
    carried: 9,
    windows: 10,
    frames: 20,
    fps: 9.96,
    markers: 20,
    rising: 19,
    steps: 19,
  };
  const arrivals = (ofBob: Arrived | null, ofAlice: Arrived) =>
    new Map([
      ['alice', new Map(ofBob ? [['bob', ofBob]] : [])],
      ['bob', new Map([['alice', ofAlice]])],
    ]);
  const ofAlice = { ...whole, tone: 441 };

  test('has a cell for each pair, and names nothing when everything arrived', () => {
    const received = arrivals(whole, ofAlice);
    expect(arrivalRows(users, received)).toEqual([
      ['alice', '-', '90 % 10.0 19'],
      ['bob', '90 % 10.0 19', '-'],
    ]);
    expect(missingArrivals(users, received)).toEqual([]);
  });

  test.each([
    ['another tone', { ...whole, tone: 440 }, ['alice did not hear bob']],
    ['a tone that was cut', { ...whole, carried: 7 }, ['alice did not hear bob']],
    ['a picture that stands still', { ...whole, steps: 0, rising: 0 }, ['alice did not see bob']],
    ['markers that cannot be read', { ...whole, markers: 9 }, ['alice did not see bob']],
    ['nothing', null, ['alice received nothing of bob']],
  ])('names the participants for %s', (_what, ofBob, missing) => {
    expect(missingArrivals(users, arrivals(ofBob, ofAlice))).toEqual(missing);
  });
});
