/** What comes in of the other side's media, by its content. Each world has its own way to tell; the words are the same. */
export interface MediaSight {
  /** Hertz of the tone that is heard, to the nearest ten; 0 where none is. */
  readonly tone: number;
  /** Pictures a second, of late. */
  readonly fps: number;
  /** Whether the pictures go on: each carries a number that counts up. */
  readonly marker: 'advancing' | 'none';
}

const LOWEST_HZ = 440;
const STEP_HZ = 220;

/** The tone that the microphone of the n-th device of a scenario hears, hertz; from 0. */
export const toneOf = (nth: number): number => LOWEST_HZ + STEP_HZ * nth;
