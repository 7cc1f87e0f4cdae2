import type { RtcPeerConnection } from '../../../src/calls/platform/rtc.ts';

/** The media that a device receives through one of its peer connections. Each world measures it in its own way. */
export type MediaSights = (connection: RtcPeerConnection) => MediaSight;

/** The content of the media of one call, as its receiver has it. */
export interface MediaSight {
  /** Hertz of the tone that is heard, to the nearest ten; 0 where none is. */
  readonly tone: number;
  /** Pictures a second, of late. */
  readonly fps: number;
  /** Whether the pictures go on: each carries a number that counts up. */
  readonly marker: 'advancing' | 'none';
}

/** What is received where there is no connection. */
export const NO_MEDIA: MediaSight = { tone: 0, fps: 0, marker: 'none' };

const LOWEST_HZ = 440;
const STEP_HZ = 220;

/** The tone that the microphone of the n-th device of a scenario hears, hertz; from 0. */
export const toneOf = (nth: number): number => LOWEST_HZ + STEP_HZ * nth;
