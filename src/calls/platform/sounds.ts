/** The sounds of a call (§3, call-leg states). */
export type SoundName = 'DIALING' | 'RINGING' | 'RECONNECTING' | 'RECONNECTED';

export interface SoundsPort {
  /**
   * Starts a sound: the recording at `url`, else the synthesised tone with its cadence. A sound that is not `looped`
   * plays once. Never throws: without permission for sound, it is silent.
   */
  play(name: SoundName, options: { url?: string; looped: boolean }): PlayingSound;
  /** Loads a recording. Resolves to false when it cannot be played. */
  preload(url: string): Promise<boolean>;
  /** Sets the loudness of sounds, 0 to 1: those that play, and later ones. Default: 1. */
  setVolume(volume: number): void;
}

export interface PlayingSound {
  stop(): void;
}
