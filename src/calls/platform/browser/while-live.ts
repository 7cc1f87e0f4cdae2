import { TIMES } from '../../../protocol/limits.ts';
import type { Clock } from '../../../common/clock.ts';

/**
 * Runs `work` every second while the track lives, then `release` once. A track has no event for a stop by its owner, so
 * it is polled.
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
