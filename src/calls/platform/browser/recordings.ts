import type { Clock } from '../../../common/clock.ts';
import { afterGesture } from './after-gesture.ts';
import type { PlayingSound } from '../sounds.ts';

/** The limit to load a recording, milliseconds. Some browsers load nothing before they may play it. */
const LOAD_LIMIT_MS = 10_000;

/** Recordings by address. A loaded one is kept, so that an object url may be revoked. */
export class Recordings {
  readonly #clock: Clock;
  readonly #loaded = new Map<string, HTMLAudioElement>();
  #volume = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves to whether the recording can be played. */
  load(url: string): Promise<boolean> {
    if (this.#loaded.has(url)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const audio = new Audio();
      const settle = (playable: boolean) => {
        limit.cancel();
        if (playable) this.#loaded.set(url, audio);
        resolve(playable);
      };
      const limit = this.#clock.after(LOAD_LIMIT_MS, () => settle(false));
      audio.addEventListener('canplaythrough', () => settle(true), { once: true });
      audio.addEventListener('error', () => settle(false), { once: true });
      audio.preload = 'auto';
      audio.src = url;
    });
  }

  play(url: string, looped: boolean): PlayingSound {
    const audio = this.#loaded.get(url) ?? new Audio(url);
    this.#adjust(audio);
    audio.loop = looped;
    audio.currentTime = 0;
    // The browser refuses before a gesture, and an early stop interrupts. Neither is an error.
    const start = () => audio.play().then(heard, () => undefined);
    // A loop is still wanted at the user's first gesture. A short sound is too late by then.
    const heard = looped ? afterGesture(() => void start()) : () => undefined;
    void start();
    return {
      stop: () => {
        heard();
        audio.pause();
      },
    };
  }

  setVolume(volume: number): void {
    this.#volume = volume;
    for (const audio of this.#loaded.values()) this.#adjust(audio);
  }

  #adjust(audio: HTMLAudioElement): void {
    audio.volume = this.#volume;
    // Browsers of iPhones leave the volume to the buttons of the device, and can only mute.
    audio.muted = this.#volume === 0;
  }
}
