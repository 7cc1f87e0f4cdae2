/**
 * A tone as 16-bit samples, in frames of 10 ms: the format of a WebRTC audio source.
 *
 * The phase continues from frame to frame. A jump would add clicks, which Opus spreads over the whole spectrum and the
 * meter of the other side would count as noise.
 */

/** Samples per second of every tone. WebRTC works at this rate, so nothing is resampled. */
export const TONE_SAMPLE_RATE = 48_000;

/** Samples of one 10 ms frame. */
export const TONE_FRAME_SAMPLES = TONE_SAMPLE_RATE / 100;

const FULL_SCALE = 32_767;
/** Half of full scale: loud enough to measure, far from clipping in the encoder. */
const VOLUME = 0.5;

export interface ToneGenerator {
  /** Returns the next 10 ms. A new array each time, because the native source may keep it. */
  next(): Int16Array;
}

/**
 * Creates a generator of a steady sine of `frequency` hertz. 0 gives silence.
 *
 * @param volume - the share of full scale, 0 to 1. Default: 0.5.
 */
export function createToneGenerator(frequency: number, volume = VOLUME): ToneGenerator {
  const step = (2 * Math.PI * frequency) / TONE_SAMPLE_RATE;
  let phase = 0;
  return {
    next() {
      const samples = new Int16Array(TONE_FRAME_SAMPLES);
      for (let index = 0; index < samples.length; index += 1) {
        samples[index] = Math.round(Math.sin(phase) * volume * FULL_SCALE);
        phase += step;
      }
      // Kept small, because a sine of a huge angle loses precision in a long call.
      phase %= 2 * Math.PI;
      return samples;
    },
  };
}
