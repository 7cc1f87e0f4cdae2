import type { QualityBand } from '../call-state.ts';
import type { LibraryMissingDevice, LibraryUser } from './library-values.ts';
import type { LibraryInvitation, RoomLibrary } from './room-library.ts';

/** An error of the library. */
export interface LibraryError {
  readonly code?: number;
  readonly message: string;
}

/** The devices that a call begins with. */
export interface LibraryCallOption {
  audioEnabled?: boolean;
  videoEnabled?: boolean;
}

/** The quality of a call's connection. An unknown value is undefined. */
export interface LibraryMetrics {
  readonly state: QualityBand;
  readonly mos: number | undefined;
  readonly packetsLostRate: number | undefined;
  readonly rtt: number | undefined;
  readonly jitter: number | undefined;
}

/** The options of an accepted call. */
export interface LibraryAcceptParams {
  callOption: LibraryCallOption;
  /** True holds the other calls. False ends them. */
  holdActiveCall?: boolean;
}

/** A direct call of the library. */
export interface LibraryCall {
  readonly callId: string;
  readonly isVideoCall: boolean;
  /** The caller. Known for an incoming call when it begins to ring. */
  readonly caller: LibraryUser | undefined;
  readonly isRemoteAudioEnabled: boolean;
  readonly isRemoteVideoEnabled: boolean;
  /** Falsy until the call ends. */
  readonly endResult: string | undefined;
  readonly missingDevices: readonly LibraryMissingDevice[];
  getDuration(): number;
  accept(params: LibraryAcceptParams): void;
  end(): void;
  muteMicrophone(): void;
  unmuteMicrophone(): void;
  startVideo(): void;
  stopVideo(): void;
  /** Switches between the front and the rear camera. */
  switchCamera(): Promise<void>;
  hold(): Promise<void>;
  unhold(): Promise<void>;
  startScreenShare(): Promise<void>;
  stopScreenShare(): void;
  /** Captures the remote picture as the data URL of a PNG image. */
  captureRemoteVideoView(): Promise<{ readonly data: string }>;
  setConnectionQualityListener(mode: 'frequency', listener: (metrics: LibraryMetrics) => void): void;
  setLocalMediaView(element: HTMLMediaElement | null): Promise<void>;
  setRemoteMediaView(element: HTMLMediaElement | null): Promise<void>;
  onEstablished: ((call: never) => void) | null;
  onConnected: ((call: never) => void) | null;
  onReconnecting: ((call: never) => void) | null;
  onReconnected: ((call: never) => void) | null;
  onEnded: ((call: never) => void) | null;
  onRemoteAudioSettingsChanged: ((call: never) => void) | null;
  onRemoteVideoSettingsChanged: ((call: never) => void) | null;
  onLocalDeviceMissing: ((call: never) => void) | null;
  onScreenShareStopped: ((call: never) => void) | null;
  onUserHoldStatusChanged: ((call: never, isLocalUser: boolean, isOnHold: boolean) => void) | null;
}

/** Access to the user's microphone, and to the camera if requested, outside a call. */
export interface LibraryMediaAccess {
  readonly missingDevices: readonly LibraryMissingDevice[];
  on(event: 'streamChanged', listener: (stream: MediaStream) => void): () => void;
  dispose(): void;
}

/** The listener for events of the library outside a call. */
export interface LibraryListener {
  onRinging(call: LibraryCall): void;
  onInvitationReceived(invitation: LibraryInvitation): void;
  /** Called when the exchange refuses both the session and the credentials. The library has stopped retrying. */
  onSessionLost(): void;
  onAudioInputDeviceChanged(): void;
  onAudioOutputDeviceChanged(): void;
  onVideoInputDeviceChanged(): void;
}

/** The microphones, speakers and cameras. A current device is null when none is available. */
export interface LibraryDevices {
  getAvailableAudioInputDevices(): readonly InputDeviceInfo[];
  getAvailableAudioOutputDevices(): readonly MediaDeviceInfo[];
  getAvailableVideoInputDevices(): readonly InputDeviceInfo[];
  getCurrentAudioInputDevice(): InputDeviceInfo | null;
  getCurrentAudioOutputDevice(): MediaDeviceInfo | null;
  getCurrentVideoInputDevice(): InputDeviceInfo | null;
  selectAudioInputDevice(device: InputDeviceInfo): Promise<void>;
  selectAudioOutputDevice(device: MediaDeviceInfo): Promise<void>;
  selectVideoInputDevice(device: InputDeviceInfo): Promise<void>;
  updateMediaDevices(constraints: { audio: boolean; video: boolean }): void;
}

/**
 * The part of the calling library that the app uses.
 *
 * The library's own module satisfies this interface by its shape. So does the fake of the gallery and the tests.
 * The names and their meaning are the library's.
 */
export interface CallingLibrary extends LibraryDevices, RoomLibrary {
  init(appId: string, apiHost?: string, websocketHost?: string): void;
  authenticate(option: { userId: string; accessToken?: string }): Promise<unknown>;
  deauthenticate(): void;
  connectWebSocket(): Promise<void>;
  addListener(id: string, listener: LibraryListener): void;
  removeListener(id: string): void;
  /** Sets the volume, from 0 (silent) to 1. */
  setDirectCallSoundVolume(volume: number): void;
  playDirectCallSound(type: 'RINGING'): void;
  useMedia(constraints: { audio: boolean; video: boolean }): LibraryMediaAccess | undefined;
  dial(
    params: { userId: string; isVideoCall: boolean; callOption: LibraryCallOption },
    callback: (call?: LibraryCall, error?: LibraryError) => void,
  ): LibraryCall;
}

/** Loads the calling library in a separate chunk after the login. No other file of the app imports the library. */
export async function loadCallingLibrary(): Promise<CallingLibrary> {
  return await import('../../../../calls/index.ts');
}
