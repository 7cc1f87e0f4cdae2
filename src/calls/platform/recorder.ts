/** Recording of media to a file. */
export interface RecorderPort {
  /** Returns whether media can be recorded as this type. False without media recording. */
  isSupported(mimeType: string): boolean;
  /** Starts a recording. Throws the error of the engine when it cannot. */
  start(tracks: RecordedTracks, mimeType: string): RunningRecorder;
  /** Saves the file for the user, as a download. Throws when that is not possible. */
  save(fileName: string, data: Blob): void;
}

export interface RecordedTracks {
  /** The sounds. Several are mixed to one. */
  readonly audio: readonly MediaStreamTrack[];
  readonly video: MediaStreamTrack | null;
}

export interface RunningRecorder {
  /** The whole recording after the stop. Rejects when the engine failed. */
  readonly data: Promise<Blob>;
  /** Continues with these sounds, mixed to one, in place of the former ones. None is silence. */
  useAudio(audio: readonly MediaStreamTrack[]): void;
  /** Stops the recording. A second call does nothing. */
  stop(): void;
}
