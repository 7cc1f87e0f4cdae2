import type { PlayingSound, SoundName, SoundsPort } from '../platform/sounds.ts';

/** What one call lets be heard. */
export interface CallVoice {
  /** Starts a sound in place of the one this call had. A sound that is not `looped` plays once. */
  play(name: SoundName, looped: boolean): void;
  stop(): void;
}

/**
 * The sounds of all calls. At most one plays: the call that asked last is heard, and when it falls silent the loop it
 * covered is heard again. A sound that plays once does not cover another call's loop.
 */
export class CallSounds {
  readonly #port: SoundsPort;
  readonly #recordings = new Map<SoundName, string>();
  /** The latest choice for a sound; a recording that loads late does not overrule it. */
  readonly #choices = new Map<SoundName, symbol>();
  /** Loops wanted, by call; the last is heard. */
  readonly #loops = new Map<CallVoice, SoundName>();
  #playing: { readonly voice: CallVoice; readonly sound: PlayingSound } | null = null;

  constructor(port: SoundsPort) {
    this.#port = port;
  }

  /**
   * Replaces a sound by a recording, once it is loaded.
   *
   * @returns whether it is in use: false when it cannot be played, or another choice was made meanwhile.
   */
  async add(name: SoundName, url: string): Promise<boolean> {
    const choice = Symbol(url);
    this.#choices.set(name, choice);
    const loaded = await this.#port.preload(url);
    if (!loaded || this.#choices.get(name) !== choice) return false;
    this.#recordings.set(name, url);
    return true;
  }

  /** Goes back to the synthesised sound. @returns whether there was a recording. */
  remove(name: SoundName): boolean {
    this.#choices.delete(name);
    return this.#recordings.delete(name);
  }

  /** How loud sounds are from now on, 0 to 1. */
  setVolume(volume: number): void {
    this.#port.setVolume(volume);
  }

  /** A voice for one call. */
  voice(): CallVoice {
    const voice: CallVoice = {
      play: (name, looped) => this.#play(voice, name, looped),
      stop: () => this.#silence(voice),
    };
    return voice;
  }

  /** Stops every sound of every call. */
  stop(): void {
    this.#loops.clear();
    this.#stopPlaying();
  }

  #play(voice: CallVoice, name: SoundName, looped: boolean): void {
    this.#loops.delete(voice);
    if (looped) this.#loops.set(voice, name);
    else if (this.#loops.size > 0) return this.#silence(voice);
    this.#start(voice, name, looped);
  }

  #silence(voice: CallVoice): void {
    this.#loops.delete(voice);
    if (this.#playing?.voice !== voice) return;
    this.#stopPlaying();
    const covered = [...this.#loops].at(-1);
    if (covered) this.#start(covered[0], covered[1], true);
  }

  #start(voice: CallVoice, name: SoundName, looped: boolean): void {
    this.#stopPlaying();
    const url = this.#recordings.get(name);
    const sound = this.#port.play(name, url === undefined ? { looped } : { url, looped });
    this.#playing = { voice, sound };
  }

  #stopPlaying(): void {
    this.#playing?.sound.stop();
    this.#playing = null;
  }
}
