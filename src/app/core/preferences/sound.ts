import * as v from 'valibot';
import { type ReadableStore, createStore } from '../../../common/store.ts';
import type { CookieJar } from './cookie-jar.ts';

/** The ringing volume of this device, in percent. A muted volume is kept, so that unmuting restores it. */
interface SoundChoice {
  readonly percent: number;
  readonly isMuted: boolean;
}

/** The setting of the ringing volume. */
export interface SoundPreference {
  readonly choice: ReadableStore<SoundChoice>;
  /** The resulting volume, from 0 (silent) to 1. */
  readonly volume: ReadableStore<number>;
  /** Sets the volume and unmutes: a user who chooses a volume wants to hear it. */
  setPercent(percent: number): void;
  setMuted(isMuted: boolean): void;
}

const COOKIE = 'ringback_sound';
const storedChoice = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ percent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)), isMuted: v.boolean() }),
);

/** Creates the setting from its cookie. Default: 100 percent, unmuted. */
export function createSoundPreference(jar: CookieJar): SoundPreference {
  const stored = v.safeParse(storedChoice, jar.read(COOKIE));
  const choice = createStore<SoundChoice>(stored.success ? stored.output : { percent: 100, isMuted: false });

  function choose(chosen: SoundChoice): void {
    jar.write(COOKIE, JSON.stringify(chosen));
    choice.set(chosen);
  }

  return {
    choice,
    volume: { get: () => volumeOf(choice.get()), subscribe: choice.subscribe },
    setPercent: (percent) => choose({ percent, isMuted: false }),
    setMuted: (isMuted) => choose({ ...choice.get(), isMuted }),
  };
}

function volumeOf({ percent, isMuted }: SoundChoice): number {
  return isMuted ? 0 : percent / 100;
}
