import type { Clock } from '../../../common/clock.ts';
import { whileLive } from './while-live.ts';

const WIDTH = 640;
const HEIGHT = 360;

/**
 * Returns the track of a canvas that is painted black every second. Without new frames a sender would send nothing
 * (§9).
 */
export function blackPicture(clock: Clock): MediaStreamTrack {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d', { alpha: false });
  const paint = () => context?.fillRect(0, 0, WIDTH, HEIGHT);
  const [track] = canvas.captureStream().getVideoTracks();
  if (!track) throw new Error('a canvas gave no picture');
  paint();
  whileLive(track, clock, { work: paint, release: () => undefined });
  return track;
}
