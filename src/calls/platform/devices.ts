/** Microphones, cameras, speakers, and the screen. */
export interface DevicesPort {
  /**
   * Opens devices. Rejects as getUserMedia does, with a DOMException-like error whose `name` states why
   * (NotAllowedError, NotFoundError, NotReadableError, OverconstrainedError).
   */
  getUserMedia(constraints: MediaStreamConstraints): Promise<MediaStream>;
  /** True when the screen can be captured here. */
  readonly canCaptureDisplay: boolean;
  /** Lets the user choose a screen, a window or a tab. Rejects as getDisplayMedia does, with a named error as above. */
  getDisplayMedia(constraints: DisplayMediaStreamOptions): Promise<MediaStream>;
  enumerate(): Promise<MediaDeviceInfo[]>;
  /** Calls `changed` when devices come or go. Returns the function that ends this. */
  onChange(changed: () => void): () => void;
  /** Creates a live audio track without sound, for a missing microphone. */
  silence(): MediaStreamTrack;
  /** Creates a live, black video track, redrawn every second, for a missing camera (§9). */
  blackPicture(): MediaStreamTrack;
}
