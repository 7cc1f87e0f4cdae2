import type { Clock } from '../../src/common/clock.ts';
import type { PlayingSound, SoundName, SoundsPort } from '../../src/calls/platform/sounds.ts';

export interface SoundRecord {
  /** The time, by the clock's `now`. */
  readonly at: number;
  readonly action: 'play' | 'stop';
  readonly name: SoundName;
  readonly url: string | undefined;
  readonly looped: boolean;
}

/** Sounds without output: what is played and stopped, and when. */
export class VirtualSounds implements SoundsPort {
  /** Every start and stop, in order. */
  readonly record: SoundRecord[] = [];
  /** URLs that cannot be played. */
  readonly broken = new Set<string>();
  volume = 1;
  readonly #clock: Clock;
  readonly #looping = new Set<SoundRecord>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The names of the looped sounds that have not been stopped. A sound that plays once ends without a stop. */
  get playing(): readonly SoundName[] {
    return [...this.#looping].map(({ name }) => name);
  }

  play(name: SoundName, { url, looped }: { url?: string; looped: boolean }): PlayingSound {
    const started: SoundRecord = { at: this.#clock.now(), action: 'play', name, url, looped };
    this.record.push(started);
    if (looped) this.#looping.add(started);
    let stopped = false;
    return {
      stop: () => {
        if (stopped) return;
        stopped = true;
        this.#looping.delete(started);
        this.record.push({ ...started, at: this.#clock.now(), action: 'stop' });
      },
    };
  }

  preload(url: string): Promise<boolean> {
    return Promise.resolve(!this.broken.has(url));
  }

  setVolume(volume: number): void {
    this.volume = volume;
  }
}
