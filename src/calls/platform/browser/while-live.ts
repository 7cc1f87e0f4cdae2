import { TIMES } from '../../../protocol/limits.ts';
import type { Clock } from '../clock.ts';

/**
 * Does `work` every second while the track lives, and `release` once it does not. A track tells nobody that its owner
 * stopped it, so it has to be looked at.
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
