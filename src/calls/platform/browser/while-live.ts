import { TIMES } from '../../../protocol/limits.ts';
import type { Clock } from '../clock.ts';

/**
 * Does `work` every second while the track lives, and `release` once it does not. A track has no event for a
 * stop by its owner, so it is polled.
 */
export function whileLive(
  track: MediaStreamTrack,
  clock: Clock,
  { work, release }: { work?: () => void; release: () => void },
): void {
  const timer = clock.every(TIMES.blackPictureMs, () => {
    if (track.readyState === 'live') {
      work?.();
      return;
    }
    timer.cancel();
    release();
  });
}
