/** The sounds of a call (§3, call-leg states). */
export type SoundName = 'DIALING' | 'RINGING' | 'RECONNECTING' | 'RECONNECTED';

export interface SoundsPort {
  /**
   * Starts a sound: the recording at `url` in a loop, or, without one, the synthesised tone with its cadence; a sound
   * that is not `looped` plays once. Never throws: where sound is not allowed yet, nothing is heard.
   */
  play(name: SoundName, options: { url?: string; looped: boolean }): PlayingSound;
  /** Loads a recording. Resolves to false when it cannot be played. */
  preload(url: string): Promise<boolean>;
  /** How loud sounds are, 0 to 1: those that play, and those to come. At first they are as loud as they can be. */
  setVolume(volume: number): void;
}

export interface PlayingSound {
  stop(): void;
}
