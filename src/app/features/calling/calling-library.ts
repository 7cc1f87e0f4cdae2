import type { QualityBand } from './call-state.ts';

/**
 * What the app uses of the calling library, written as the app needs it.
 *
 * The library's own module satisfies this by its shape; so does the fake that the gallery and the tests use. The names
 * and their meaning are the library's.
 */
export interface LibraryUser {
  readonly userId: string;
  readonly nickname: string;
  readonly profileUrl: string;
}

export interface LibraryError {
  readonly code?: number;
  readonly message: string;
}

export interface LibraryCallOption {
  audioEnabled?: boolean;
  videoEnabled?: boolean;
}

/** A device of this side that could not be had; the reason is the name of the browser's error. */
export interface LibraryMissingDevice {
  readonly kind: 'audio' | 'video';
  readonly reason: string;
}

/** How good a call's connection is; what is not known is undefined. */
export interface LibraryMetrics {
  readonly state: QualityBand;
  readonly mos: number | undefined;
  readonly packetsLostRate: number | undefined;
  readonly rtt: number | undefined;
  readonly jitter: number | undefined;
}

export interface LibraryAcceptParams {
  callOption: LibraryCallOption;
  /** True holds the other calls, false ends them. */
  holdActiveCall?: boolean;
}

export interface LibraryCall {
  readonly callId: string;
  readonly isVideoCall: boolean;
  /** Who called; known for an incoming call from the first moment. */
  readonly caller: LibraryUser | undefined;
  readonly isRemoteAudioEnabled: boolean;
  readonly isRemoteVideoEnabled: boolean;
  /** Falsy while the call lives. */
  readonly endResult: string | undefined;
  readonly missingDevices: readonly LibraryMissingDevice[];
  getDuration(): number;
  accept(params: LibraryAcceptParams): void;
  end(): void;
  muteMicrophone(): void;
  unmuteMicrophone(): void;
  startVideo(): void;
  stopVideo(): void;
  /** Front to rear and back. */
  switchCamera(): Promise<void>;
  hold(): Promise<void>;
  unhold(): Promise<void>;
  startScreenShare(): Promise<void>;
  stopScreenShare(): void;
  /** The other side's picture as it is shown, as the data URL of a PNG image. */
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

/** A look at the own microphone, and at the camera where it was asked for, outside any call. */
export interface LibraryMediaAccess {
  readonly missingDevices: readonly LibraryMissingDevice[];
  on(event: 'streamChanged', listener: (stream: MediaStream) => void): () => void;
  dispose(): void;
}

export interface LibraryListener {
  onRinging(call: LibraryCall): void;
  /** The exchange takes neither the session nor the sign-in any more, and the library has stopped trying. */
  onSessionLost(): void;
  onAudioInputDeviceChanged(): void;
  onAudioOutputDeviceChanged(): void;
  onVideoInputDeviceChanged(): void;
}

/** The microphones, speakers and cameras. A current one is null where there is none. */
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

export interface CallingLibrary extends LibraryDevices {
  init(appId: string, apiHost?: string, websocketHost?: string): void;
  authenticate(option: { userId: string; accessToken?: string }): Promise<unknown>;
  deauthenticate(): void;
  connectWebSocket(): Promise<void>;
  addListener(id: string, listener: LibraryListener): void;
  removeListener(id: string): void;
  /** From 0, where nothing is heard, to 1. */
  setDirectCallSoundVolume(volume: number): void;
  playDirectCallSound(type: 'RINGING'): void;
  useMedia(constraints: { audio: boolean; video: boolean }): LibraryMediaAccess | undefined;
  dial(
    params: { userId: string; isVideoCall: boolean; callOption: LibraryCallOption },
    callback: (call?: LibraryCall, error?: LibraryError) => void,
  ): LibraryCall;
}
