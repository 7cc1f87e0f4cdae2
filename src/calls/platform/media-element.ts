/** The part of an HTMLMediaElement that the library uses. */
export interface MediaElement {
  srcObject: MediaProvider | null;
  muted?: boolean;
  play?(): Promise<void> | void;
  /** Sets the speaker. Undefined in a browser without a choice of speakers. */
  setSinkId?(deviceId: string): Promise<void>;
}
