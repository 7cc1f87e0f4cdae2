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
  accept(params: { callOption: LibraryCallOption }): void;
  end(): void;
  muteMicrophone(): void;
  unmuteMicrophone(): void;
  startVideo(): void;
  stopVideo(): void;
  /** Front to rear and back. */
  switchCamera(): Promise<void>;
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
}

export interface CallingLibrary {
  init(appId: string, apiHost?: string, websocketHost?: string): void;
  authenticate(option: { userId: string; accessToken?: string }): Promise<unknown>;
  deauthenticate(): void;
  connectWebSocket(): Promise<void>;
  addListener(id: string, listener: { onRinging(call: LibraryCall): void }): void;
  removeListener(id: string): void;
  dial(
    params: { userId: string; isVideoCall: boolean; callOption: LibraryCallOption },
    callback: (call?: LibraryCall, error?: LibraryError) => void,
  ): LibraryCall;
}
