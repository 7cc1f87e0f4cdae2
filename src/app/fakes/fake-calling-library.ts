import type {
  CallingLibrary,
  LibraryCall,
  LibraryCallOption,
  LibraryError,
  LibraryMissingDevice,
  LibraryUser,
} from '../calling/calling-library.ts';

type CallListener = ((call: never) => void) | null;

/** A call whose other side, and whose network, is the test. */
export class FakeCall implements LibraryCall {
  readonly callId: string;
  readonly isVideoCall: boolean;
  readonly caller: LibraryUser | undefined;
  isRemoteAudioEnabled = true;
  isRemoteVideoEnabled: boolean;
  endResult: string | undefined;
  missingDevices: readonly LibraryMissingDevice[] = [];
  durationMs = 0;
  microphoneOn = true;
  cameraOn = true;
  acceptedWith: LibraryCallOption | undefined;
  wasEndedHere = false;
  localView: HTMLMediaElement | null = null;
  remoteView: HTMLMediaElement | null = null;
  /** What the views play, where there is a page to play it. */
  streams: { local?: MediaStream; remote?: MediaStream } = {};

  onEstablished: CallListener = null;
  onConnected: CallListener = null;
  onReconnecting: CallListener = null;
  onReconnected: CallListener = null;
  onEnded: CallListener = null;
  onRemoteAudioSettingsChanged: CallListener = null;
  onRemoteVideoSettingsChanged: CallListener = null;
  onLocalDeviceMissing: CallListener = null;

  constructor(options: { callId: string; isVideoCall: boolean; caller?: LibraryUser }) {
    this.callId = options.callId;
    this.isVideoCall = options.isVideoCall;
    this.caller = options.caller;
    this.isRemoteVideoEnabled = options.isVideoCall;
  }

  getDuration = (): number => this.durationMs;

  accept(params: { callOption: LibraryCallOption }): void {
    this.acceptedWith = params.callOption;
  }

  end(): void {
    this.wasEndedHere = true;
  }

  muteMicrophone(): void {
    this.microphoneOn = false;
  }

  unmuteMicrophone(): void {
    this.microphoneOn = true;
  }

  startVideo(): void {
    this.cameraOn = true;
  }

  stopVideo(): void {
    this.cameraOn = false;
  }

  /** How the camera turns. */
  turn: () => Promise<void> = () => Promise.resolve();

  switchCamera(): Promise<void> {
    return this.turn();
  }

  setLocalMediaView(element: HTMLMediaElement | null): Promise<void> {
    this.localView = element;
    if (element !== null) element.srcObject = this.streams.local ?? null;
    return Promise.resolve();
  }

  setRemoteMediaView(element: HTMLMediaElement | null): Promise<void> {
    this.remoteView = element;
    if (element !== null) element.srcObject = this.streams.remote ?? null;
    return Promise.resolve();
  }

  establish(): void {
    tell(this.onEstablished);
  }

  connect(): void {
    tell(this.onConnected);
  }

  loseConnection(): void {
    tell(this.onReconnecting);
  }

  regainConnection(): void {
    tell(this.onReconnected);
  }

  missDevices(...missing: readonly LibraryMissingDevice[]): void {
    this.missingDevices = missing;
    tell(this.onLocalDeviceMissing);
  }

  setRemote(enabled: { audio?: boolean; video?: boolean }): void {
    if (enabled.audio !== undefined) {
      this.isRemoteAudioEnabled = enabled.audio;
      tell(this.onRemoteAudioSettingsChanged);
    }
    if (enabled.video !== undefined) {
      this.isRemoteVideoEnabled = enabled.video;
      tell(this.onRemoteVideoSettingsChanged);
    }
  }

  finish(endResult: string, durationMs = 0): void {
    this.endResult = endResult;
    this.durationMs = durationMs;
    tell(this.onEnded);
  }
}

/** A listener takes the call; the app never looks at it, and none is given. */
function tell(listener: CallListener): void {
  (listener as (() => void) | null)?.();
}

/** The calling library without calls, until a test makes some. */
export class FakeCallingLibrary implements CallingLibrary {
  /** The names of what was called, in order. */
  readonly steps: string[] = [];
  initArguments: readonly (string | undefined)[] = [];
  authenticatedAs: { userId: string; accessToken?: string } | undefined;
  authenticationError: Error | undefined;
  dialled: FakeCall[] = [];
  dialOptions: { userId: string; isVideoCall: boolean; callOption: LibraryCallOption } | undefined;
  dialCallback: ((call?: LibraryCall, error?: LibraryError) => void) | undefined;
  streams: FakeCall['streams'] = {};
  #listener: { onRinging(call: LibraryCall): void } | undefined;
  #calls = 0;

  init = (appId: string, apiHost?: string, websocketHost?: string): void => {
    this.steps.push('init');
    this.initArguments = [appId, apiHost, websocketHost];
  };

  authenticate = (option: { userId: string; accessToken?: string }): Promise<unknown> => {
    this.steps.push('authenticate');
    this.authenticatedAs = option;
    return this.authenticationError === undefined ? Promise.resolve() : Promise.reject(this.authenticationError);
  };

  deauthenticate = (): void => {
    this.steps.push('deauthenticate');
  };

  connectWebSocket = (): Promise<void> => {
    this.steps.push('connectWebSocket');
    return Promise.resolve();
  };

  addListener = (_id: string, listener: { onRinging(call: LibraryCall): void }): void => {
    this.steps.push('addListener');
    this.#listener = listener;
  };

  removeListener = (): void => {
    this.steps.push('removeListener');
    this.#listener = undefined;
  };

  dial = (
    params: { userId: string; isVideoCall: boolean; callOption: LibraryCallOption },
    callback: (call?: LibraryCall, error?: LibraryError) => void,
  ): LibraryCall => {
    this.steps.push('dial');
    this.dialOptions = params;
    this.dialCallback = callback;
    const call = this.#newCall(params.isVideoCall);
    this.dialled.push(call);
    return call;
  };

  /** Somebody calls. */
  ring(caller: LibraryUser | undefined, isVideoCall: boolean): FakeCall {
    const call = this.#newCall(isVideoCall, caller);
    this.#listener?.onRinging(call);
    return call;
  }

  #newCall(isVideoCall: boolean, caller?: LibraryUser): FakeCall {
    this.#calls += 1;
    const call = new FakeCall({ callId: `call-${this.#calls}`, isVideoCall, ...(caller && { caller }) });
    call.streams = this.streams;
    return call;
  }
}
