import { invalidValue } from '../../protocol/errors.ts';
import { requireFraction, requireText } from '../host/checks.ts';
import { SoundType } from '../host/public-enumerations.ts';
import type { CallSounds } from '../media/sounds.ts';

/** The functions of a host about the sounds of calls. */
export interface SoundFunctions {
  /**
   * Sets the audio file at `url` as one of the sounds of a call, in place of the built-in sound. Resolves to true when
   * the browser can play the file.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `type` or `url`.
   */
  addDirectCallSound(type: SoundType, url: string): Promise<boolean>;
  /** Restores the built-in sound of a type. Returns true when a file was set. */
  removeDirectCallSound(type: SoundType): boolean;
  /**
   * Sets the volume of all sounds of calls, from 0 (silent) to 1. Default: 1. A sound that plays changes at once.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `volume`.
   */
  setDirectCallSoundVolume(volume: number): void;
  /**
   * Plays a sound of a call once, so that a user can hear it in the settings. The sounds of a live call continue.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `type`.
   */
  playDirectCallSound(type: SoundType): void;
}

/**
 * Checks the type of a sound.
 * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE`.
 */
function checkType(type: SoundType): void {
  if (!Object.hasOwn(SoundType, requireText(type, 'type'))) throw invalidValue('type');
}

/** Returns the functions about the sounds of all calls. */
export function soundFunctions(sounds: CallSounds): SoundFunctions {
  /** The voice of `playDirectCallSound`, which belongs to no call. */
  const sample = sounds.voice();
  return {
    addDirectCallSound: async (type, url) => {
      checkType(type);
      return sounds.add(type, requireText(url, 'url'));
    },
    removeDirectCallSound: (type) => sounds.remove(type),
    setDirectCallSoundVolume: (volume) => sounds.setVolume(requireFraction(volume, 'volume')),
    playDirectCallSound: (type) => {
      checkType(type);
      sample.play(type, false);
    },
  };
}
