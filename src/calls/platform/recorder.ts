/** Recording of media to a file. */
export interface RecorderPort {
  /** Can media be recorded as this type? Never where there is no media recording. */
  isSupported(mimeType: string): boolean;
  /** Starts to record. Throws what the engine throws when it cannot. */
  start(tracks: RecordedTracks, mimeType: string): RunningRecorder;
  /** Gives the file to the user, as a download. Throws when that is not possible. */
  save(fileName: string, data: Blob): void;
}

export interface RecordedTracks {
  /** Several are mixed to one. */
  readonly audio: readonly MediaStreamTrack[];
  readonly video: MediaStreamTrack | null;
}

export interface RunningRecorder {
  /** The whole recording, once it was stopped. Rejects when the engine failed. */
  readonly data: Promise<Blob>;
  /** Goes on with these sounds, mixed to one, in place of those before. None is silence. */
  useAudio(audio: readonly MediaStreamTrack[]): void;
  /** Stops recording; again it does nothing. */
  stop(): void;
}
