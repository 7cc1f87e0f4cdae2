import type { SoundName } from '../sounds.ts';

/** A step of a sound: simultaneous tones, or silence. */
export interface CadenceStep {
  /** The frequencies, hertz. Empty for a pause. */
  readonly tones: readonly number[];
  /** The length of the step, milliseconds. */
  readonly length: number;
}

/** One period of a sound. */
export interface Cadence {
  /** The loudness of the sound, 0 to 1. */
  readonly level: number;
  readonly steps: readonly CadenceStep[];
}

const C5 = 523.25;
const E5 = 659.25;
const G5 = 783.99;

const ringOnMs = 1_000;
const ringOffMs = 2_000;
const warbleMs = 125;

/** The bell: two alternating tones, as of an electronic telephone. */
const warble: CadenceStep[] = Array.from({ length: ringOnMs / warbleMs }, (_, at) => ({
  tones: [at % 2 === 0 ? C5 : E5],
  length: warbleMs,
}));

/**
 * The synthesised sounds of a call. The ringing tone of a caller is Taiwan's: 440 and 480 Hz together, 1 s on, 2 s off
 * (ITU-T E.180, supplement 2). The bell has the same cadence. The two others are not telephone tones: a soft beep every
 * 2 s while media is lost, and a rising pair when it is back.
 */
export const CADENCES: Readonly<Record<SoundName, Cadence>> = {
  DIALING: {
    level: 0.2,
    steps: [
      { tones: [440, 480], length: ringOnMs },
      { tones: [], length: ringOffMs },
    ],
  },
  RINGING: { level: 0.4, steps: [...warble, { tones: [], length: ringOffMs }] },
  RECONNECTING: {
    level: 0.1,
    steps: [
      { tones: [440], length: 150 },
      { tones: [], length: 1_850 },
    ],
  },
  RECONNECTED: {
    level: 0.15,
    steps: [
      { tones: [C5], length: 120 },
      { tones: [G5], length: 160 },
    ],
  },
};

/** Returns the length of one period, milliseconds. */
export const periodOf = (cadence: Cadence): number => cadence.steps.reduce((sum, { length }) => sum + length, 0);

/** The fade of each tone, milliseconds. Without it every edge clicks. */
const EDGE_MS = 8;

/** Returns one period of a cadence as samples from -1 to 1, to be played once or in a loop. */
export function renderCadence(cadence: Cadence, sampleRate: number): Float32Array<ArrayBuffer> {
  const at = (ms: number) => Math.round((ms / 1000) * sampleRate);
  const samples = new Float32Array(at(periodOf(cadence)));
  const edge = at(EDGE_MS);
  let startMs = 0;
  for (const { tones, length } of cadence.steps) {
    const start = at(startMs);
    const count = at(startMs + length) - start;
    if (tones.length > 0) {
      for (let n = 0; n < count; n += 1) {
        const swell = Math.min(1, n / edge, (count - 1 - n) / edge);
        const wave = tones.reduce((sum, hz) => sum + Math.sin((2 * Math.PI * hz * n) / sampleRate), 0);
        samples[start + n] = (cadence.level * swell * wave) / tones.length;
      }
    }
    startMs += length;
  }
  return samples;
}
