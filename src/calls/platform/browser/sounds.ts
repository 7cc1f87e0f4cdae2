import { lazyPart } from '../../../common/lazy-part.ts';
import type { Clock } from '../../../common/clock.ts';
import type { PlayingSound, SoundName, SoundsPort } from '../sounds.ts';
import { resume } from './after-gesture.ts';
import { Recordings } from './recordings.ts';
import type { Synthesiser } from './synthesiser.ts';

/**
 * The time before a synthesised loop starts, milliseconds. An audio engine that starts takes time from the devices that
 * open then. A call that is answered at once starts none.
 */
const LOOP_DELAY_MS = 200;
/** A sound that plays once is dropped when its part needs longer to load. Milliseconds. */
const STALE_MS = 1_000;
const SILENCE: PlayingSound = { stop: () => undefined };

/**
 * Returns the sounds of the browser: recordings through audio elements, synthesised sounds through WebAudio. Both are
 * created at first use. The synthesiser is loaded by the first sound that it plays.
 */
export function browserSounds(clock: Clock): SoundsPort {
  const recordings = new Recordings(clock);
  let volume = 1;
  const synthesiser = lazyPart(async () => {
    const { Synthesiser } = await import('./synthesiser.ts');
    return new Synthesiser(clock, resume);
  });

  const synthesise = (part: Synthesiser, name: SoundName, looped: boolean): PlayingSound => {
    try {
      part.setVolume(volume);
      return part.play(name, looped);
    } catch {
      // Without audio, a call continues without its sounds.
      return SILENCE;
    }
  };
  const synthesiseLater = (name: SoundName, looped: boolean): PlayingSound => {
    const askedAt = clock.now();
    let sound: PlayingSound | null = SILENCE;
    synthesiser.load().then(
      (part) => {
        if (sound && (looped || clock.now() - askedAt <= STALE_MS)) sound = synthesise(part, name, looped);
      },
      () => undefined,
    );
    return {
      stop: () => {
        sound?.stop();
        sound = null;
      },
    };
  };

  const synthesised = (name: SoundName, looped: boolean): PlayingSound => {
    const { loaded } = synthesiser;
    return loaded ? synthesise(loaded, name, looped) : synthesiseLater(name, looped);
  };
  const synthesisedLoop = (name: SoundName): PlayingSound => {
    let sound = SILENCE;
    const start = clock.after(LOOP_DELAY_MS, () => {
      sound = synthesised(name, true);
    });
    return {
      stop: () => {
        start.cancel();
        sound.stop();
      },
    };
  };

  return {
    play(name, { url, looped }) {
      if (url === undefined) return looped ? synthesisedLoop(name) : synthesised(name, false);
      try {
        return recordings.play(url, looped);
      } catch {
        return SILENCE;
      }
    },
    preload: (url) => recordings.load(url),
    setVolume(wanted) {
      volume = wanted;
      recordings.setVolume(wanted);
      synthesiser.loaded?.setVolume(wanted);
    },
  };
}
