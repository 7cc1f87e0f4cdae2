import type { LibraryMissingDevice, LibraryUser, QualityBand } from './library-values.ts';
import type { LibraryInvitation, RoomLibrary } from './room-library.ts';

/** An error of the library. */
export interface LibraryError {
  /** The number of the error. Undefined for an error of the browser. */
  readonly code?: number;
  /** The text of the error, for a log. */
  readonly message: string;
}

/** The devices that a call begins with. */
export interface LibraryCallOption {
  /** True sends the microphone. Default: true. */
  audioEnabled?: boolean;
  /** True sends the camera. Default: true in a video call. */
  videoEnabled?: boolean;
}

/** The quality of a call's connection. An unknown value is undefined. */
export interface LibraryMetrics {
  /** The quality as one word. */
  readonly state: QualityBand;
  /** The mean opinion score of the sound, 1 to 4.5. */
  readonly mos: number | undefined;
  /** The lost packets as a share of the expected packets, 0 to 1. */
  readonly packetsLostRate: number | undefined;
  /** The time to the other client and back. Milliseconds. */
  readonly rtt: number | undefined;
  /** The variation of the time between packets. Milliseconds. */
  readonly jitter: number | undefined;
}

/** The options of an accepted call. */
export interface LibraryAcceptParams {
  /** The devices of the call. */
  callOption: LibraryCallOption;
  /** True holds the other calls. False ends them. */
  holdActiveCall?: boolean;
}

/** A direct call of the library. */
export interface LibraryCall {
  /** The id of the call. Empty before the exchange has acknowledged the dial. */
  readonly callId: string;
  /** True for a video call. */
  readonly isVideoCall: boolean;
  /** The caller. Known for an incoming call when it begins to ring. */
  readonly caller: LibraryUser | undefined;
  /** True while the other user sends the microphone. */
  readonly isRemoteAudioEnabled: boolean;
  /** True while the other user sends video. */
  readonly isRemoteVideoEnabled: boolean;
  /** Falsy until the call ends. */
  readonly endResult: string | undefined;
  /** The local devices that could not be opened. */
  readonly missingDevices: readonly LibraryMissingDevice[];
  /** Returns how long the call has been connected. Milliseconds. */
  getDuration(): number;
  /** Accepts the call. */
  accept(params: LibraryAcceptParams): void;
  /** Ends, cancels or declines the call. */
  end(): void;
  /** Sends silence. */
  muteMicrophone(): void;
  /** Sends the microphone. */
  unmuteMicrophone(): void;
  /** Sends local video. */
  startVideo(): void;
  /** Sends a black picture. */
  stopVideo(): void;
  /** Switches between the front and the rear camera. */
  switchCamera(): Promise<void>;
  /** Holds the call. */
  hold(): Promise<void>;
  /** Resumes the call. */
  unhold(): Promise<void>;
  /** Prompts the user for a screen, and sends it. */
  startScreenShare(): Promise<void>;
  /** Sends the camera again. */
  stopScreenShare(): void;
  /** Captures the remote picture as the data URL of a PNG image. */
  captureRemoteVideoView(): Promise<{ readonly data: string }>;
  /** Sets the listener for the quality of the connection. */
  setConnectionQualityListener(mode: 'frequency', listener: (metrics: LibraryMetrics) => void): void;
  /** Removes that listener. */
  removeConnectionQualityListener(): void;
  /** Sets the element with the picture of this user. Null removes it. */
  setLocalMediaView(element: HTMLMediaElement | null): Promise<void>;
  /** Sets the element that plays the other user. Null removes it. */
  setRemoteMediaView(element: HTMLMediaElement | null): Promise<void>;
  /** Runs when the callee has accepted. */
  onEstablished: ((call: never) => void) | null;
  /** Runs when media flows for the first time. */
  onConnected: ((call: never) => void) | null;
  /** Runs when media is lost. */
  onReconnecting: ((call: never) => void) | null;
  /** Runs when media flows again. */
  onReconnected: ((call: never) => void) | null;
  /** Runs once, at the end. */
  onEnded: ((call: never) => void) | null;
  /** Runs when the other user mutes or unmutes the microphone. */
  onRemoteAudioSettingsChanged: ((call: never) => void) | null;
  /** Runs when the other user starts or stops video. */
  onRemoteVideoSettingsChanged: ((call: never) => void) | null;
  /** Runs when the list of missing devices changes. */
  onLocalDeviceMissing: ((call: never) => void) | null;
  /** Runs when the screen share has stopped. */
  onScreenShareStopped: ((call: never) => void) | null;
  /** Runs when a user holds or resumes the call. */
  onUserHoldStatusChanged: ((call: never, isLocalUser: boolean, isOnHold: boolean) => void) | null;
}

/** Access to the user's microphone, and to the camera if requested, outside a call. */
export interface LibraryMediaAccess {
  /** The devices that could not be opened. */
  readonly missingDevices: readonly LibraryMissingDevice[];
  /** Registers a listener for the stream. Returns the function that removes it. */
  on(event: 'streamChanged', listener: (stream: MediaStream) => void): () => void;
  /** Closes the devices. */
  dispose(): void;
}

/** The listener for events of the library outside a call. */
export interface LibraryListener {
  /** Runs when an incoming call rings. */
  onRinging(call: LibraryCall): void;
  /** Runs when another user invites this user into a room. */
  onInvitationReceived(invitation: LibraryInvitation): void;
  /** Called when the exchange refuses both the session and the credentials. The library has stopped retrying. */
  onSessionLost(): void;
  /** Runs when the microphones change. */
  onAudioInputDeviceChanged(): void;
  /** Runs when the speakers change. */
  onAudioOutputDeviceChanged(): void;
  /** Runs when the cameras change. */
  onVideoInputDeviceChanged(): void;
}

/** The microphones, speakers and cameras. A current device is null when none is available. */
export interface LibraryDevices {
  /** Returns the microphones. */
  getAvailableAudioInputDevices(): readonly InputDeviceInfo[];
  /** Returns the speakers. */
  getAvailableAudioOutputDevices(): readonly MediaDeviceInfo[];
  /** Returns the cameras. */
  getAvailableVideoInputDevices(): readonly InputDeviceInfo[];
  /** Returns the microphone in use. */
  getCurrentAudioInputDevice(): InputDeviceInfo | null;
  /** Returns the speaker in use. */
  getCurrentAudioOutputDevice(): MediaDeviceInfo | null;
  /** Returns the camera in use. */
  getCurrentVideoInputDevice(): InputDeviceInfo | null;
  /** Switches to a microphone. */
  selectAudioInputDevice(device: InputDeviceInfo): Promise<void>;
  /** Switches to a speaker. */
  selectAudioOutputDevice(device: MediaDeviceInfo): Promise<void>;
  /** Switches to a camera. */
  selectVideoInputDevice(device: InputDeviceInfo): Promise<void>;
  /** Reads the devices again. */
  updateMediaDevices(constraints: { audio: boolean; video: boolean }): void;
}

/**
 * The part of the calling library that the binding uses. The module `ringback` satisfies it by its shape, and so does a
 * fake in a test. The names and their meaning are the library's.
 */
export interface CallingLibrary extends LibraryDevices, RoomLibrary {
  /** Sets the application and the addresses of the calling service. */
  init(appId: string, apiHost?: string, websocketHost?: string): void;
  /** Signs a user in. */
  authenticate(option: { userId: string; accessToken?: string }): Promise<unknown>;
  /** Signs the user out, which ends every call. */
  deauthenticate(): void;
  /** Opens the channel, or resolves when it is open. */
  connectWebSocket(): Promise<void>;
  /** Adds a listener under an id. */
  addListener(id: string, listener: LibraryListener): void;
  /** Removes the listener with this id. */
  removeListener(id: string): void;
  /** Sets the volume, from 0 (silent) to 1. */
  setDirectCallSoundVolume(volume: number): void;
  /** Plays a sound once. */
  playDirectCallSound(type: 'RINGING'): void;
  /** Opens devices outside of calls. */
  useMedia(constraints: { audio: boolean; video: boolean }): LibraryMediaAccess | undefined;
  /** Dials a user. */
  dial(
    params: { userId: string; isVideoCall: boolean; callOption: LibraryCallOption },
    callback: (call?: LibraryCall, error?: LibraryError) => void,
  ): LibraryCall;
}
