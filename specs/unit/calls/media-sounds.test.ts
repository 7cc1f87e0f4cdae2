import { describe, expect, test } from 'vitest';
import { CADENCES, periodOf, renderCadence } from '../../../src/calls/platform/browser/cadences.ts';
import { CallSounds } from '../../../src/calls/media/sounds.ts';
import type { SoundsPort } from '../../../src/calls/platform/sounds.ts';

function setUp({ loads = true }: { loads?: boolean | ((url: string) => Promise<boolean>) } = {}) {
  const playing: string[] = [];
  let started = 0;
  const port: SoundsPort = {
    play: (name, { url, looped }) => {
      started += 1;
      const entry = `${url ?? name}${looped ? '' : ' once'} #${started}`;
      playing.push(entry);
      return {
        stop: () => {
          const at = playing.indexOf(entry);
          if (at >= 0) playing.splice(at, 1);
        },
      };
    },
    preload: typeof loads === 'function' ? loads : () => Promise.resolve(loads),
    setVolume: () => undefined,
  };
  const heard = () => playing.map((entry) => entry.replace(/ #\d+$/, ''));
  return { sounds: new CallSounds(port), heard, starts: () => started };
}

describe('sounds of calls', () => {
  test('at most one plays over all calls, and the last one started is audible (I2)', () => {
    const { sounds, heard } = setUp();
    const [one, other] = [sounds.voice(), sounds.voice()];
    one.play('DIALING', true);
    one.play('RECONNECTING', true);
    expect(heard()).toEqual(['RECONNECTING']);
    other.play('RINGING', true);
    expect(heard()).toEqual(['RINGING']);
  });

  test('a call that falls silent does not silence another, and makes a covered loop audible again', () => {
    const { sounds, heard } = setUp();
    const [one, other] = [sounds.voice(), sounds.voice()];
    one.play('RECONNECTING', true);
    other.play('RINGING', true);
    other.stop();
    expect(heard()).toEqual(['RECONNECTING']);
    other.stop();
    expect(heard()).toEqual(['RECONNECTING']);
    one.stop();
    expect(heard()).toEqual([]);
  });

  test('an inaudible call stops without a break in the sound of the other', () => {
    const { sounds, heard, starts } = setUp();
    const [one, other] = [sounds.voice(), sounds.voice()];
    one.play('RECONNECTING', true);
    other.play('RINGING', true);
    one.stop();
    expect(heard()).toEqual(['RINGING']);
    expect(starts()).toBe(2);
  });

  test('a covered call that stops is not played again', () => {
    const { sounds, heard } = setUp();
    const [one, other] = [sounds.voice(), sounds.voice()];
    one.play('RECONNECTING', true);
    other.play('RINGING', true);
    one.stop();
    other.stop();
    expect(heard()).toEqual([]);
  });

  test('a sound that plays once ends the loop of its call, and the loop of another call replaces it', () => {
    const { sounds, heard } = setUp();
    const [one, other] = [sounds.voice(), sounds.voice()];
    one.play('RECONNECTING', true);
    one.play('RECONNECTED', false);
    expect(heard()).toEqual(['RECONNECTED once']);
    other.play('RINGING', true);
    one.play('RECONNECTING', true);
    one.play('RECONNECTED', false);
    expect(heard()).toEqual(['RINGING']);
  });

  test('stop silences every call', () => {
    const { sounds, heard } = setUp();
    const [one, other] = [sounds.voice(), sounds.voice()];
    one.play('DIALING', true);
    other.play('RINGING', true);
    sounds.stop();
    other.stop();
    expect(heard()).toEqual([]);
    sounds.voice().play('RECONNECTED', false);
    expect(heard()).toEqual(['RECONNECTED once']);
  });

  test('a loaded recording replaces the synthesised sound, until it is removed', async () => {
    const { sounds, heard } = setUp();
    const voice = sounds.voice();
    expect(sounds.remove('RINGING')).toBe(false);
    expect(await sounds.add('RINGING', '/ring.mp3')).toBe(true);
    voice.play('RINGING', true);
    expect(heard()).toEqual(['/ring.mp3']);
    expect(sounds.remove('RINGING')).toBe(true);
    voice.play('RINGING', true);
    expect(heard()).toEqual(['RINGING']);
  });

  test('a recording that does not load changes nothing', async () => {
    const { sounds, heard } = setUp({ loads: false });
    expect(await sounds.add('DIALING', '/missing.mp3')).toBe(false);
    sounds.voice().play('DIALING', true);
    expect(heard()).toEqual(['DIALING']);
  });

  test('the last choice is used, also when an earlier one loads later', async () => {
    const loaded = new Map<string, (ok: boolean) => void>();
    const { sounds, heard } = setUp({ loads: (url) => new Promise((done) => loaded.set(url, done)) });
    const slow = sounds.add('DIALING', '/slow.mp3');
    const quick = sounds.add('DIALING', '/quick.mp3');
    loaded.get('/quick.mp3')?.(true);
    expect(await quick).toBe(true);
    loaded.get('/slow.mp3')?.(true);
    expect(await slow).toBe(false);
    sounds.voice().play('DIALING', true);
    expect(heard()).toEqual(['/quick.mp3']);
  });
});

describe('cadences', () => {
  test('the ringing tone is 440 and 480 Hz, 1 s on and 2 s off (ITU-T E.180 supplement 2, Taiwan)', () => {
    expect(CADENCES.DIALING.steps).toEqual([
      { tones: [440, 480], length: 1000 },
      { tones: [], length: 2000 },
    ]);
  });

  test('the bell rings in the same cadence', () => {
    const { steps } = CADENCES.RINGING;
    const on = steps.filter(({ tones }) => tones.length > 0);
    expect(on.reduce((sum, { length }) => sum + length, 0)).toBe(1000);
    expect(new Set(on.map(({ tones }) => tones[0])).size).toBe(2);
    expect(steps.at(-1)).toEqual({ tones: [], length: 2000 });
  });

  test('the reconnecting beep is the softest sound, and the two reconnected tones rise and are short', () => {
    const levels = Object.values(CADENCES).map(({ level }) => level);
    expect(CADENCES.RECONNECTING.level).toBe(Math.min(...levels));
    const [low, high] = CADENCES.RECONNECTED.steps.map(({ tones }) => tones[0] ?? 0);
    expect(high).toBeGreaterThan(low ?? 0);
    expect(periodOf(CADENCES.RECONNECTED)).toBeLessThan(500);
  });

  const RATE = 48_000;
  /** The level of a tone in samples: its amplitude, by correlation. */
  const amplitude = (samples: Float32Array, hz: number) => {
    let [real, imaginary] = [0, 0];
    samples.forEach((sample, n) => {
      real += sample * Math.cos((2 * Math.PI * hz * n) / RATE);
      imaginary += sample * Math.sin((2 * Math.PI * hz * n) / RATE);
    });
    return (2 * Math.hypot(real, imaginary)) / samples.length;
  };

  test('the rendered tones sound while they are on, and the pause is silent', () => {
    const samples = renderCadence(CADENCES.DIALING, RATE);
    expect(samples).toHaveLength(3 * RATE);
    const on = samples.subarray(0, RATE);
    const { level } = CADENCES.DIALING;
    expect(amplitude(on, 440)).toBeCloseTo(level / 2, 2);
    expect(amplitude(on, 480)).toBeCloseTo(level / 2, 2);
    expect(amplitude(on, 620)).toBeLessThan(level / 100);
    expect(samples.subarray(RATE).every((sample) => sample === 0)).toBe(true);
  });

  test.each(Object.entries(CADENCES))(
    '%s is never louder than its level and begins and ends without a click',
    (_, cadence) => {
      const samples = renderCadence(cadence, RATE);
      const loudest = samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
      expect(loudest).toBeGreaterThan(cadence.level / 2);
      expect(loudest).toBeLessThanOrEqual(Math.fround(cadence.level));
      let start = 0;
      for (const { length } of cadence.steps) {
        const end = start + (length / 1000) * RATE;
        expect(Math.abs(samples[start] ?? 1)).toBeLessThan(0.001);
        expect(Math.abs(samples[end - 1] ?? 1)).toBeLessThan(0.001);
        start = end;
      }
    },
  );
});
