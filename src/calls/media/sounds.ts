import type { PlayingSound, SoundName, SoundsPort } from '../platform/sounds.ts';

/** The voice of one call among the sounds. */
export interface CallVoice {
  /** Starts a sound in place of this call's former sound. A sound that is not `looped` plays once. */
  play(name: SoundName, looped: boolean): void;
  stop(): void;
}

/**
 * The sounds of all calls. At most one plays: that of the call that started its sound last. When it stops, the loop
 * that it covered continues. A sound that plays once does not cover another call's loop.
 */
export class CallSounds {
  readonly #port: SoundsPort;
  readonly #recordings = new Map<SoundName, string>();
  /** The latest choice for a sound. A recording that loads late does not overrule it. */
  readonly #choices = new Map<SoundName, symbol>();
  /** The wanted loops, by call. The last one plays. */
  readonly #loops = new Map<CallVoice, SoundName>();
  #playing: { readonly voice: CallVoice; readonly sound: PlayingSound } | null = null;

  constructor(port: SoundsPort) {
    this.#port = port;
  }

  /**
   * Replaces a sound by a recording, after it has loaded.
   *
   * @returns whether it is in use. False when it cannot be played, or another choice was made meanwhile.
   */
  async add(name: SoundName, url: string): Promise<boolean> {
    const choice = Symbol(url);
    this.#choices.set(name, choice);
    const loaded = await this.#port.preload(url);
    if (!loaded || this.#choices.get(name) !== choice) return false;
    this.#recordings.set(name, url);
    return true;
  }

  /** Restores the synthesised sound. Returns whether there was a recording. */
  remove(name: SoundName): boolean {
    this.#choices.delete(name);
    return this.#recordings.delete(name);
  }

  /** Sets the loudness of sounds from now on, 0 to 1. */
  setVolume(volume: number): void {
    this.#port.setVolume(volume);
  }

  /** Returns a voice for one call. */
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
