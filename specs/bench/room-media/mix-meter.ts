/** Measures each of several tones in a mix of them. Pure. */
import { goertzelShare, windowCutter } from '../../../cli/headless/signals/tone-meter.ts';

/** A tone is in the mix from this share of the mean power of the others on. */
const HEARD_SHARE = 0.1;

/** The mix since the last turn. */
export interface MixReading {
  /** The number of windows of 200 ms, and of those without sound. */
  readonly windows: number;
  readonly silent: number;
  /** The mean power of each tone, in squares of 16-bit steps. */
  readonly powers: readonly number[];
}

export interface MixMeter {
  /** Adds received samples. With several channels, only the first one counts. */
  add(samples: Int16Array, sampleRate: number, channels?: number): void;
  /** Returns the reading since the last turn, and begins the next one. */
  turn(): MixReading;
}

/** @param tones - hertz. Multiples of 5, so that none is in the bin of another one. */
export function createMixMeter(tones: readonly number[]): MixMeter {
  let windows = 0;
  let silent = 0;
  let sums = tones.map(() => 0);
  const add = windowCutter((window, sampleRate) => {
    windows += 1;
    const power = window.reduce((sum, sample) => sum + sample * sample, 0) / window.length;
    if (power < 1) silent += 1;
    sums = sums.map((sum, at) => sum + power * goertzelShare(window, sampleRate, tones[at] ?? 0));
  });
  return {
    add,
    turn() {
      const reading = { windows, silent, powers: sums.map((sum) => sum / Math.max(1, windows)) };
      windows = 0;
      silent = 0;
      sums = tones.map(() => 0);
      return reading;
    },
  };
}

/** The tones of a mix, from the view of the participant with the tone `own`. */
export interface MixVerdict {
  /** The number of other tones in the mix. */
  readonly heard: number;
  /** The power of the own tone over the mean of the others, decibels. Null without the others. */
  readonly own: number | null;
  /** The power of the weakest of the others over their mean, decibels. Null without the others. */
  readonly weakest: number | null;
  /** True when the own tone is in the mix. */
  readonly hearsItself: boolean;
}

export function mixVerdict({ powers }: Pick<MixReading, 'powers'>, own: number): MixVerdict {
  const others = powers.filter((_, at) => at !== own);
  const mean = others.reduce((sum, power) => sum + power, 0) / Math.max(1, others.length);
  if (mean === 0) return { heard: 0, own: null, weakest: null, hearsItself: (powers[own] ?? 0) > 0 };
  const decibels = (power: number) => 10 * Math.log10(power / mean);
  return {
    heard: others.filter((power) => power >= HEARD_SHARE * mean).length,
    own: decibels(powers[own] ?? 0),
    weakest: decibels(Math.min(...others)),
    hearsItself: (powers[own] ?? 0) >= HEARD_SHARE * mean,
  };
}
