/** A user of the library. */
export interface LibraryUser {
  /** The id of the user. */
  readonly userId: string;
  /** The name of the user. Empty without one. */
  readonly nickname: string;
  /** The address of the picture. Empty without one. */
  readonly profileUrl: string;
}

/** A device of this client that is unavailable. The reason is the name of the browser's error. */
export interface LibraryMissingDevice {
  /** The kind of the device. */
  readonly kind: 'audio' | 'video';
  /** The name of the error. */
  readonly reason: string;
}

/** The reason why a microphone or camera is unavailable. Each reason has its own remedy. */
export type DeviceFault = 'denied' | 'absent' | 'busy' | 'broken';

/** The devices of this client that are unavailable. The other user receives silence or a black picture instead. */
export interface MissingDevices {
  /** The reason for the microphone. Undefined while it is available. */
  readonly microphone?: DeviceFault;
  /** The reason for the camera. Undefined while it is available. */
  readonly camera?: DeviceFault;
}

/** The quality of a connection as one word. */
export type QualityBand = 'unavailable' | 'poor' | 'fair' | 'average' | 'good' | 'excellent';

/** The type of a room, which decides its media. */
export type RoomType =
  | 'small_room_for_video'
  | 'small_room_for_audio_only'
  | 'large_room_for_video'
  | 'large_room_for_audio_only';
