/** Measures which of several known tones are in received audio: a mix of rooms has the tones of all other participants. */
import { goertzelShare, SILENCE_RMS, TONE_WINDOWS_SHARE, windowCutter, type ToneMeter } from './tone-meter.ts';

/** A tone is in a window when it has more than this share of its energy. A mix of ten tones has a tenth of each. */
const PRESENT_SHARE = 0.04;

export interface ChordMeter extends Pick<ToneMeter, 'add'> {
  /** Returns the tones that were in at least 80 % of the windows so far, in hertz. */
  reading(): readonly number[];
}

/** Creates a meter that tests for these tones, in hertz. */
export function createChordMeter(tones: readonly number[]): ChordMeter {
  const counts = new Map(tones.map((tone) => [tone, 0]));
  let windows = 0;
  const judge = (window: Float64Array, sampleRate: number) => {
    windows += 1;
    if (rootMeanSquare(window) < SILENCE_RMS) return;
    for (const [tone, count] of counts)
      if (goertzelShare(window, sampleRate, tone) > PRESENT_SHARE) counts.set(tone, count + 1);
  };
  return {
    add: windowCutter(judge),
    reading: () => tones.filter((tone) => windows > 0 && (counts.get(tone) ?? 0) >= TONE_WINDOWS_SHARE * windows),
  };
}

function rootMeanSquare(window: Float64Array): number {
  let energy = 0;
  for (const sample of window) energy += sample * sample;
  return Math.sqrt(energy / window.length);
}
