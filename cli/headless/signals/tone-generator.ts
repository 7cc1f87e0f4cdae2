/**
 * A tone as 16-bit samples, in frames of 10 ms: the shape a WebRTC audio source takes.
 *
 * The phase is carried from frame to frame; a jump would add clicks, which Opus spreads over the whole spectrum and the
 * meter at the far side would count as noise.
 */

/** Samples a second of every tone made here; the rate WebRTC works at, so nothing is resampled. */
export const TONE_SAMPLE_RATE = 48_000;

/** Samples of one 10 ms frame. */
export const TONE_FRAME_SAMPLES = TONE_SAMPLE_RATE / 100;

/** Half of full scale: loud enough to measure, far from clipping in the encoder. */
const AMPLITUDE = 0.5 * 32_767;

export interface ToneGenerator {
  /** The next 10 ms. A fresh array each time: the native source may keep what it is given. */
  next(): Int16Array;
}

/** A generator of a steady sine of `frequency` hertz; 0 makes silence. */
export function createToneGenerator(frequency: number): ToneGenerator {
  const step = (2 * Math.PI * frequency) / TONE_SAMPLE_RATE;
  let phase = 0;
  return {
    next() {
      const samples = new Int16Array(TONE_FRAME_SAMPLES);
      for (let index = 0; index < samples.length; index += 1) {
        samples[index] = Math.round(Math.sin(phase) * AMPLITUDE);
        phase += step;
      }
      // Kept small: a sine of a huge angle loses precision over a long call.
      phase %= 2 * Math.PI;
      return samples;
    },
  };
}
