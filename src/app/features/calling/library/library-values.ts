/** The values that direct calls and rooms of the library share. */
export interface LibraryUser {
  readonly userId: string;
  readonly nickname: string;
  readonly profileUrl: string;
}

/** A device of this client that is unavailable. The reason is the name of the browser's error. */
export interface LibraryMissingDevice {
  readonly kind: 'audio' | 'video';
  readonly reason: string;
}
