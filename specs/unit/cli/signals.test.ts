import { describe, expect, test } from 'vitest';
import { createChordMeter } from '../../../cli/headless/signals/chord-meter.ts';
import { createFrameMeter } from '../../../cli/headless/signals/frame-meter.ts';
import { goertzelShare, createToneMeter } from '../../../cli/headless/signals/tone-meter.ts';
import {
  MARKER_MODULUS,
  markerBlocks,
  markerChecksum,
  readMarker,
  readMarkerRgba,
} from '../../../cli/headless/signals/marker.ts';
import { createMovingBars } from '../../../cli/headless/signals/moving-bars.ts';
import { createToneGenerator, TONE_FRAME_SAMPLES } from '../../../cli/headless/signals/tone-generator.ts';
import { createMotionSense } from '../../../cli/headless/signals/motion.ts';

/** Deterministic noise in -1..1, so that a failure can be repeated. */
function noise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x8000_0000 - 1;
  };
}

function seconds(frequency: number, length: number): Int16Array[] {
  const tone = createToneGenerator(frequency);
  return Array.from({ length: length * 100 }, () => tone.next());
}

describe('tone generator', () => {
  test('gives frames of 10 ms at 48 kHz', () => {
    expect(createToneGenerator(440).next()).toHaveLength(480);
    expect(TONE_FRAME_SAMPLES).toBe(480);
  });

  test('continues without a jump from frame to frame', () => {
    const [first, second] = seconds(441, 1) as [Int16Array, Int16Array];
    const steepest = 0.5 * 32_767 * 2 * Math.PI * (441 / 48_000);
    expect(Math.abs((second[0] as number) - (first[479] as number))).toBeLessThanOrEqual(steepest + 1);
  });

  test('keeps its pitch for minutes', () => {
    const tone = createToneGenerator(997);
    for (let frame = 0; frame < 18_000; frame += 1) tone.next();
    const window = Array.from({ length: 20 }, () => Array.from(tone.next())).flat();
    expect(goertzelShare(window, 48_000, 997)).toBeGreaterThan(0.99);
  });
});

describe('tone meter', () => {
  test.each([120, 440, 443, 660, 1_000, 2_987])(
    'finds a tone of %i Hz without its frequency as a parameter',
    (frequency) => {
      const meter = createToneMeter();
      for (const frame of seconds(frequency, 1)) meter.add(frame, 48_000);
      const reading = meter.reading();
      expect(reading.frequency).toBeGreaterThanOrEqual(frequency - 1);
      expect(reading.frequency).toBeLessThanOrEqual(frequency + 1);
      expect(reading.share).toBeGreaterThan(0.95);
      expect(reading).toMatchObject({ windows: 5, carried: 5, ok: true });
    },
  );

  test('reads 16 kHz and stereo as it reads 48 kHz mono', () => {
    const meter = createToneMeter();
    const samples = new Int16Array(16_000 * 2);
    for (let index = 0; index < 16_000; index += 1) {
      samples[index * 2] = Math.sin((2 * Math.PI * 440 * index) / 16_000) * 10_000;
    }
    meter.add(samples, 16_000, 2);
    expect(meter.reading()).toMatchObject({ frequency: 440, windows: 5, ok: true });
  });

  test('a chord meter finds the known tones of a mix, and none in noise or silence', () => {
    const heard = (...tones: number[]) => {
      const meter = createChordMeter([440, 660, 880, 1_100]);
      const [one = new Int16Array(0), ...others] = tones.map((tone) =>
        Int16Array.from({ length: 48_000 }, (_, at) => Math.sin((2 * Math.PI * tone * at) / 48_000) * 3_000),
      );
      meter.add(
        one.map((sample, at) => others.reduce((sum, other) => sum + (other[at] ?? 0), sample)),
        48_000,
      );
      return meter.reading();
    };
    expect(heard(440)).toEqual([440]);
    expect(heard(1_100, 440, 880)).toEqual([440, 880, 1_100]);
    expect(heard(500)).toEqual([]);
    expect(heard()).toEqual([]);
    const random = noise(7);
    const meter = createChordMeter([440, 660]);
    meter.add(
      Int16Array.from({ length: 48_000 }, () => random() * 10_000),
      48_000,
    );
    expect(meter.reading()).toEqual([]);
  });

  test('white noise is no tone', () => {
    const random = noise(7);
    const meter = createToneMeter(440);
    for (let frame = 0; frame < 200; frame += 1) {
      meter.add(
        Int16Array.from({ length: 480 }, () => random() * 10_000),
        48_000,
      );
    }
    expect(meter.reading()).toMatchObject({ frequency: null, windows: 10, carried: 0, ok: false });
  });

  test('silence has no tone', () => {
    const meter = createToneMeter();
    for (const frame of seconds(0, 1)) meter.add(frame, 48_000);
    expect(meter.reading()).toMatchObject({ frequency: null, windows: 0, ok: false });
  });

  test('tolerates two silent windows in ten, not three', () => {
    const meter = createToneMeter();
    for (const frame of seconds(440, 1.6)) meter.add(frame, 48_000);
    for (const frame of seconds(0, 0.4)) meter.add(frame, 48_000);
    expect(meter.reading()).toMatchObject({ windows: 10, silent: 2, ok: true });
    for (const frame of seconds(0, 0.2)) meter.add(frame, 48_000);
    expect(meter.reading()).toMatchObject({ windows: 11, silent: 3, ok: false });
  });

  test('returns each window, also silent ones, with its level', () => {
    const windows: unknown[] = [];
    const meter = createToneMeter(undefined, (window) => windows.push(window));
    for (const frame of seconds(0, 0.2)) meter.add(frame, 48_000);
    for (const frame of seconds(440, 0.2)) meter.add(frame, 48_000);
    expect(windows).toHaveLength(2);
    expect(windows[0]).toBeNull();
    expect(windows[1]).toMatchObject({ frequency: 440 });
    const { power } = windows[1] as { power: number };
    expect(10 * Math.log10(power)).toBeGreaterThan(-30);
    expect(10 * Math.log10(power)).toBeLessThan(0);
    const random = noise(3);
    const hiss = Int16Array.from({ length: 9_600 }, () => random() * 10_000);
    meter.add(hiss, 48_000);
    expect(windows[2]).toMatchObject({ frequency: null });
  });

  test('a change of the tone lowers the result', () => {
    const meter = createToneMeter();
    for (const frame of seconds(440, 1)) meter.add(frame, 48_000);
    for (const frame of seconds(660, 0.6)) meter.add(frame, 48_000);
    expect(meter.reading()).toMatchObject({ frequency: 440, windows: 8, carried: 5, ok: false });
  });
});

describe('marker', () => {
  test('every number is read from its picture', () => {
    const bars = createMovingBars(320, 240);
    for (let counter = 0; counter < MARKER_MODULUS; counter += 101) {
      expect(readMarker(bars.draw(counter).data, 320, 240)).toBe(counter);
    }
    expect(readMarker(bars.draw(MARKER_MODULUS + 5).data, 320, 240)).toBe(5);
  });

  test.each([
    [64, 48],
    [160, 120],
    [320, 180],
    [480, 270],
    [640, 360],
    [1280, 720],
  ])('survives being scaled from 320x240 to %ix%i', (width, height) => {
    const bars = createMovingBars(320, 240);
    for (const counter of [1, 255, 21_845, 43_690, 65_535]) {
      expect(readMarker(scale(bars.draw(counter).data, 320, 240, width, height), width, height)).toBe(counter);
    }
  });

  test('survives blur, noise and flattened contrast', () => {
    const random = noise(3);
    const bars = createMovingBars(320, 240);
    const worn = Float64Array.from(bars.draw(54_321).data.subarray(0, 320 * 240), (luma) => {
      return 70 + luma * 0.5 + random() * 25;
    });
    expect(readMarker(blur(worn, 320, 240), 320, 240)).toBe(54_321);
  });

  test('is read from RGBA pixels as from luma', () => {
    const luma = createMovingBars(320, 240).draw(12_345).data;
    const pixels = new Uint8ClampedArray(320 * 240 * 4);
    for (let at = 0; at < 320 * 240; at += 1) pixels.fill(luma[at] as number, at * 4, at * 4 + 3);
    expect(readMarkerRgba(pixels, 320, 240)).toBe(12_345);
  });

  test('is read from a plane with padded rows', () => {
    const luma = createMovingBars(320, 240).draw(77).data;
    const padded = new Uint8Array(352 * 240);
    for (let y = 0; y < 240; y += 1) padded.set(luma.subarray(y * 320, (y + 1) * 320), y * 352);
    expect(readMarker(padded, 320, 240, 352)).toBe(77);
  });

  test('black, white, grey and noise have no marker', () => {
    for (const level of [0, 16, 128, 235, 255]) {
      expect(readMarker(new Uint8Array(320 * 240).fill(level), 320, 240)).toBeNull();
    }
    const random = noise(11);
    for (let picture = 0; picture < 200; picture += 1) {
      const blocks = Array.from({ length: 32 }, () => random() > 0);
      expect(readMarker(paint(blocks, 320, 240), 320, 240)).toBeNull();
    }
  });

  test('a marker that is too faint is not read', () => {
    const faint = createMovingBars(320, 240)
      .draw(54_321)
      .data.map((luma) => 100 + luma / 8);
    expect(readMarker(faint, 320, 240)).toBeNull();
  });

  test('one, two or three wrong blocks are detected', () => {
    const random = noise(5);
    for (let round = 0; round < 500; round += 1) {
      const blocks = markerBlocks(Math.floor((random() + 1) * 32_768));
      for (let wrong = 0; wrong <= round % 3; wrong += 1) {
        const at = Math.floor(((random() + 1) / 2) * 10) + wrong * 10;
        blocks[at] = !blocks[at];
      }
      expect(readMarker(paint(blocks, 320, 240), 320, 240)).toBeNull();
    }
  });

  test('a picture that is too small for the blocks has no marker, and cannot be drawn', () => {
    expect(readMarker(new Uint8Array(16 * 16), 16, 16)).toBeNull();
    expect(() => createMovingBars(31, 20)).toThrow('cannot carry the marker');
  });

  test('the checksum is that of the standard: CRC-16/CCITT over two bytes', () => {
    expect(markerChecksum(0x3132)).toBe(referenceCrc([0x31, 0x32]));
    expect(markerChecksum(0)).toBe(referenceCrc([0, 0]));
  });
});

describe('moving bars', () => {
  test('move, so that the encoder has work', () => {
    const bars = createMovingBars(320, 240);
    const [first, second] = [bars.draw(1).data, bars.draw(2).data];
    expect(first.length).toBe((320 * 240 * 3) / 2);
    let changed = 0;
    for (let at = 320 * 60; at < 320 * 240; at += 1) if (first[at] !== second[at]) changed += 1;
    expect(changed).toBeGreaterThan(1_000);
  });
});

describe('frame meter', () => {
  test('counts frames, their rate and rising markers', () => {
    const meter = createFrameMeter();
    for (let frame = 0; frame <= 48; frame += 1) meter.add(frame * (1000 / 24), frame, 320, 240);
    const reading = meter.reading();
    expect(reading).toMatchObject({ frames: 49, markers: 49, steps: 48, rising: 48, missed: 0, freezes: 0, ok: true });
    expect(reading.fps).toBeCloseTo(24, 5);
    expect(reading).toMatchObject({ width: 320, height: 240 });
  });

  test('continues over the maximum number without a step back', () => {
    const meter = createFrameMeter();
    for (const [at, marker] of [65_534, 65_535, 0, 1].entries()) meter.add(at * 40, marker, 320, 240);
    expect(meter.reading()).toMatchObject({ steps: 3, rising: 3, missed: 0, ok: true });
  });

  test('a picture that repeats or goes back is not rising', () => {
    const still = createFrameMeter();
    for (let at = 0; at < 10; at += 1) still.add(at * 40, 7, 320, 240);
    expect(still.reading()).toMatchObject({ frames: 10, steps: 0, ok: false });
    const back = createFrameMeter();
    for (let at = 0; at < 10; at += 1) back.add(at * 40, 100 - at, 320, 240);
    expect(back.reading()).toMatchObject({ steps: 9, rising: 0, ok: false });
  });

  test('one step in twenty may go back, no more', () => {
    const withStepsBack = (back: number) => {
      const meter = createFrameMeter();
      // Each step back is followed by a step up from there.
      let marker = 1_000;
      for (let frame = 0; frame <= 40; frame += 1) {
        meter.add(frame * 40, marker, 320, 240);
        marker += frame < back * 2 && frame % 2 === 0 ? -1 : 1;
      }
      return meter.reading();
    };
    expect(withStepsBack(2)).toMatchObject({ steps: 40, rising: 38, ok: true });
    expect(withStepsBack(3)).toMatchObject({ steps: 40, rising: 37, ok: false });
  });

  test('frames without a marker fail it, skipped numbers are counted', () => {
    const blank = createFrameMeter();
    for (let at = 0; at < 10; at += 1) blank.add(at * 40, at < 7 ? at : null, 320, 240);
    expect(blank.reading()).toMatchObject({ frames: 10, markers: 7, ok: false });
    const skipped = createFrameMeter();
    for (const [at, marker] of [1, 2, 5, 6].entries()) skipped.add(at * 40, marker, 320, 240);
    expect(skipped.reading()).toMatchObject({ missed: 2, ok: true });
  });

  test('a pause is a freeze, an uneven rhythm is not', () => {
    const meter = createFrameMeter();
    let at = 0;
    for (let frame = 0; frame < 50; frame += 1) meter.add((at += frame % 2 ? 30 : 54), frame, 320, 240);
    // More than three times the mean, but too short to be visible as a freeze.
    meter.add((at += 140), 50, 320, 240);
    expect(meter.reading().freezes).toBe(0);
    meter.add((at += 1_000), 51, 320, 240);
    expect(meter.reading()).toMatchObject({ freezes: 1, longestGapMs: 1_000 });
  });

  test('a new interval resets the counts, and keeps the rhythm: a gap across it is one gap, and one freeze', () => {
    const meter = createFrameMeter();
    for (let frame = 0; frame < 24; frame += 1) meter.add(frame * 40, frame, 320, 240);
    expect(meter.turn(1_000)).toMatchObject({ frames: 24, steps: 23, freezes: 0, sinceLastMs: 80, ok: true });
    expect(meter.turn(2_000)).toMatchObject({ frames: 0, freezes: 1, longestGapMs: 1_080, sinceLastMs: 1_080 });
    expect(meter.turn(3_000)).toMatchObject({ frames: 0, freezes: 0, longestGapMs: 2_080 });
    meter.add(3_100, 24, 320, 240);
    // The number continues.
    expect(meter.turn(3_200)).toMatchObject({ frames: 1, steps: 1, freezes: 0, longestGapMs: 2_180, sinceLastMs: 100 });
  });

  test('before the first frame the gap starts with the first interval, and is no freeze', () => {
    const meter = createFrameMeter();
    expect(meter.turn(500)).toMatchObject({ sinceLastMs: 0, longestGapMs: 0 });
    expect(meter.turn(1_500)).toMatchObject({ frames: 0, sinceLastMs: 1_000, longestGapMs: 1_000, freezes: 0 });
    meter.add(1_700, 0, 320, 240);
    meter.add(1_740, 1, 320, 240);
    expect(meter.turn(1_750)).toMatchObject({ frames: 2, longestGapMs: 1_200, freezes: 0 });
    // The wait for the first frame does not count in the rhythm of later gaps.
    for (const at of [1_780, 1_820, 2_220]) meter.add(at, at, 320, 240);
    expect(meter.turn(2_230)).toMatchObject({ freezes: 1 });
  });

  test('after a rest the gap and the numbers start anew', () => {
    const meter = createFrameMeter();
    for (let frame = 0; frame < 24; frame += 1) meter.add(frame * 40, frame, 320, 240);
    meter.turn(1_000);
    meter.rest(9_000);
    meter.add(9_040, 300, 320, 240);
    expect(meter.turn(9_050)).toMatchObject({ frames: 1, steps: 0, missed: 0, longestGapMs: 40, freezes: 0 });
  });

  test('pictures without a marker move where they differ', () => {
    const meter = createFrameMeter();
    const hasMoved = createMotionSense();
    const picture = (bar: number) => new Uint8Array(64 * 48).fill(100).fill(140, 64 * bar, 64 * (bar + 8));
    for (const [at, bar] of [0, 0, 8, 16, 16].entries())
      meter.add(at * 40, null, 64, 48, hasMoved(picture(bar), 64, 48));
    expect(meter.reading()).toMatchObject({ frames: 5, markers: 0, moved: 2, ok: false });
    // The noise of an encoder is no movement.
    const still = createMotionSense();
    expect([100, 104, 99].map((luma) => still(new Uint8Array(64 * 48).fill(luma), 64, 48))).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('nothing received is not ok', () => {
    expect(createFrameMeter().reading()).toMatchObject({ frames: 0, fps: 0, ok: false });
  });
});

/** The textbook form, over bytes, to compare with. */
function referenceCrc(bytes: number[]): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

function paint(blocks: boolean[], width: number, height: number): Uint8Array {
  const luma = new Uint8Array(width * height);
  for (let y = 0; y < height / 6; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const index = Math.floor(y / (height / 12)) * 16 + Math.floor(x / (width / 16));
      luma[y * width + x] = blocks[index] ? 235 : 16;
    }
  }
  return luma;
}

/** Bilinear, as a decoder's or a canvas's scaler does it. */
function scale(luma: ArrayLike<number>, width: number, height: number, toWidth: number, toHeight: number): Uint8Array {
  const result = new Uint8Array(toWidth * toHeight);
  const at = (x: number, y: number) => luma[Math.min(height - 1, y) * width + Math.min(width - 1, x)] as number;
  for (let y = 0; y < toHeight; y += 1) {
    for (let x = 0; x < toWidth; x += 1) {
      const sourceX = Math.max(0, ((x + 0.5) * width) / toWidth - 0.5);
      const sourceY = Math.max(0, ((y + 0.5) * height) / toHeight - 0.5);
      const [left, top] = [Math.floor(sourceX), Math.floor(sourceY)];
      const [partX, partY] = [sourceX - left, sourceY - top];
      const upper = at(left, top) * (1 - partX) + at(left + 1, top) * partX;
      const lower = at(left, top + 1) * (1 - partX) + at(left + 1, top + 1) * partX;
      result[y * toWidth + x] = upper * (1 - partY) + lower * partY;
    }
  }
  return result;
}

function blur(luma: Float64Array, width: number, height: number): Float64Array {
  return luma.map((_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    let sum = 0;
    let count = 0;
    for (let dy = -2; dy <= 2; dy += 1) {
      for (let dx = -2; dx <= 2; dx += 1) {
        if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
        sum += luma[(y + dy) * width + x + dx] as number;
        count += 1;
      }
    }
    return sum / count;
  });
}
