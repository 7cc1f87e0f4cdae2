import type { Clock } from '../clock.ts';
import type { SoundsPort } from '../sounds.ts';
import { Recordings } from './recordings.ts';
import { Synthesiser } from './synthesiser.ts';

/** Recordings through audio elements, the sounds of our own through WebAudio; both are made when first needed. */
export function browserSounds(clock: Clock): SoundsPort {
  const recordings = new Recordings(clock);
  const synthesiser = new Synthesiser(clock);
  return {
    play(name, { url, looped }) {
      try {
        return url === undefined ? synthesiser.play(name, looped) : recordings.play(url, looped);
      } catch {
        // No audio at all, or no more of it: a call goes on without its sounds.
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
