import type { Clock } from '../../../common/clock.ts';
import type { SoundsPort } from '../sounds.ts';
import { Recordings } from './recordings.ts';
import { Synthesiser } from './synthesiser.ts';

/**
 * Returns the sounds of the browser: recordings through audio elements, synthesised sounds through WebAudio. Both are
 * created at first use.
 */
export function browserSounds(clock: Clock): SoundsPort {
  const recordings = new Recordings(clock);
  const synthesiser = new Synthesiser(clock);
  return {
    play(name, { url, looped }) {
      try {
        return url === undefined ? synthesiser.play(name, looped) : recordings.play(url, looped);
      } catch {
        // Without audio, a call continues without its sounds.
        return { stop: () => undefined };
      }
    },
    preload: (url) => recordings.load(url),
    setVolume(volume) {
      recordings.setVolume(volume);
      synthesiser.setVolume(volume);
    },
  };
}
