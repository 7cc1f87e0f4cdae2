import type {
  CallingLibrary,
  LibraryAcceptParams,
  LibraryCall,
  LibraryCallOption,
  LibraryError,
  LibraryListener,
  LibraryMediaAccess,
  LibraryMetrics,
  LibraryMissingDevice,
  LibraryUser,
} from '../../features/calling/calling-library.ts';

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
  acceptedWith: LibraryAcceptParams | undefined;
  isConnected = false;
  isHeldHere = false;
  isSharing = false;
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
  onScreenShareStopped: CallListener = null;
  onUserHoldStatusChanged: ((call: never, isLocalUser: boolean, isOnHold: boolean) => void) | null = null;
  #measured: ((metrics: LibraryMetrics) => void) | undefined;

  constructor(options: { callId: string; isVideoCall: boolean; caller?: LibraryUser }) {
    this.callId = options.callId;
    this.isVideoCall = options.isVideoCall;
    this.caller = options.caller;
    this.isRemoteVideoEnabled = options.isVideoCall;
  }

  getDuration = (): number => this.durationMs;

  accept(params: LibraryAcceptParams): void {
    this.acceptedWith = params;
    this.whenAccepted(params);
  }

  /** What else the library does at an accept: it holds the other calls. */
  whenAccepted: (params: LibraryAcceptParams) => void = () => {};

  end(): void {
    this.wasEndedHere = true;
    this.isConnected = false;
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

  /** How a change of hold is answered by the other side. */
  answerHold: () => Promise<void> = () => Promise.resolve();

  async hold(): Promise<void> {
    await this.#setHold(true);
  }

  async unhold(): Promise<void> {
    await this.#setHold(false);
  }

  async #setHold(isOnHold: boolean): Promise<void> {
    await this.answerHold();
    this.isHeldHere = isOnHold;
    this.setHold(true, isOnHold);
  }

  /** What the user chooses to share. */
  chooseScreen: () => Promise<void> = () => Promise.resolve();

  async startScreenShare(): Promise<void> {
    await this.chooseScreen();
    this.isSharing = true;
  }

  stopScreenShare(): void {
    this.isSharing = false;
    tell(this.onScreenShareStopped);
  }

  /** What a capture gives. */
  takePicture: () => Promise<{ data: string }> = () => Promise.resolve({ data: 'data:image/png;base64,' });

  captureRemoteVideoView(): Promise<{ data: string }> {
    return this.takePicture();
  }

  setConnectionQualityListener(_mode: 'frequency', listener: (metrics: LibraryMetrics) => void): void {
    this.#measured = listener;
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
    this.isConnected = true;
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

  /** One side holds the call, or takes it from hold. */
  setHold(isLocalUser: boolean, isOnHold: boolean): void {
    (this.onUserHoldStatusChanged as ((call: unknown, isLocal: boolean, onHold: boolean) => void) | null)?.(
      this,
      isLocalUser,
      isOnHold,
    );
  }

  measure(metrics: Partial<LibraryMetrics> & Pick<LibraryMetrics, 'state'>): void {
    this.#measured?.({ mos: undefined, packetsLostRate: undefined, rtt: undefined, jitter: undefined, ...metrics });
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
    this.isConnected = false;
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
  /** Why the next sign-ins, or the next openings of the channel, fail; the first one is taken first. */
  readonly authenticationErrors: Error[] = [];
  readonly connectionErrors: Error[] = [];
  dialled: FakeCall[] = [];
  dialOptions: { userId: string; isVideoCall: boolean; callOption: LibraryCallOption } | undefined;
  dialCallback: ((call?: LibraryCall, error?: LibraryError) => void) | undefined;
  streams: FakeCall['streams'] = {};
  /** The devices there are, and which of each kind is used. */
  readonly devices: Record<'audioinput' | 'audiooutput' | 'videoinput', FakeDevices> = {
    audioinput: new FakeDevices('audioinput', ['內建麥克風', '藍牙耳機']),
    audiooutput: new FakeDevices('audiooutput', ['喇叭', '藍牙耳機']),
    videoinput: new FakeDevices('videoinput', ['FaceTime HD']),
  };
  /** What is heard and seen of the own devices outside of calls, and which of them cannot be had. */
  ownStream: MediaStream | undefined;
  ownMissing: readonly LibraryMissingDevice[] = [];
  /** What was asked to be looked at, and not let go yet. */
  readonly looks: { audio: boolean; video: boolean }[] = [];
  volume = 1;
  listener: LibraryListener | undefined;
  readonly #made: FakeCall[] = [];

  init = (appId: string, apiHost?: string, websocketHost?: string): void => {
    this.steps.push('init');
    this.initArguments = [appId, apiHost, websocketHost];
  };

  authenticate = (option: { userId: string; accessToken?: string }): Promise<unknown> => {
    this.steps.push('authenticate');
    this.authenticatedAs = option;
    return outcome(this.authenticationErrors.shift());
  };

  deauthenticate = (): void => {
    this.steps.push('deauthenticate');
  };

  connectWebSocket = (): Promise<void> => {
    this.steps.push('connectWebSocket');
    return outcome(this.connectionErrors.shift());
  };

  addListener = (_id: string, listener: LibraryListener): void => {
    this.steps.push('addListener');
    this.listener = listener;
  };

  removeListener = (): void => {
    this.steps.push('removeListener');
    this.listener = undefined;
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

  setDirectCallSoundVolume = (volume: number): void => {
    this.volume = volume;
  };

  playDirectCallSound = (type: string): void => {
    this.steps.push(`play ${type}`);
  };

  /** Somebody calls. */
  ring(caller: LibraryUser | undefined, isVideoCall: boolean): FakeCall {
    const call = this.#newCall(isVideoCall, caller);
    this.listener?.onRinging(call);
    return call;
  }

  /** The exchange does not take the session any more. */
  loseSession(): void {
    this.listener?.onSessionLost();
  }

  useMedia = (wanted: { audio: boolean; video: boolean }): LibraryMediaAccess => {
    this.looks.push(wanted);
    return {
      missingDevices: this.ownMissing,
      on: (_event, listener) => {
        if (this.ownStream !== undefined) listener(this.ownStream);
        return () => {};
      },
      dispose: () => void this.looks.splice(this.looks.indexOf(wanted), 1),
    };
  };

  getAvailableAudioInputDevices = (): readonly InputDeviceInfo[] => this.devices.audioinput.available;
  getAvailableAudioOutputDevices = (): readonly MediaDeviceInfo[] => this.devices.audiooutput.available;
  getAvailableVideoInputDevices = (): readonly InputDeviceInfo[] => this.devices.videoinput.available;
  getCurrentAudioInputDevice = (): InputDeviceInfo | null => this.devices.audioinput.current;
  getCurrentAudioOutputDevice = (): MediaDeviceInfo | null => this.devices.audiooutput.current;
  getCurrentVideoInputDevice = (): InputDeviceInfo | null => this.devices.videoinput.current;
  selectAudioInputDevice = (device: InputDeviceInfo): Promise<void> => this.#select('audioinput', device);
  selectAudioOutputDevice = (device: MediaDeviceInfo): Promise<void> => this.#select('audiooutput', device);
  selectVideoInputDevice = (device: InputDeviceInfo): Promise<void> => this.#select('videoinput', device);

  updateMediaDevices = (): void => {
    this.steps.push('updateMediaDevices');
  };

  async #select(kind: keyof FakeCallingLibrary['devices'], device: MediaDeviceInfo): Promise<void> {
    this.steps.push(`select ${device.label}`);
    await this.devices[kind].use(device);
  }

  #newCall(isVideoCall: boolean, caller?: LibraryUser): FakeCall {
    const call = new FakeCall({ callId: `call-${this.#made.length + 1}`, isVideoCall, ...(caller && { caller }) });
    call.streams = this.streams;
    call.whenAccepted = ({ holdActiveCall }) => {
      for (const other of this.#made) {
        if (holdActiveCall && other !== call && other.isConnected && !other.isHeldHere) void other.hold();
      }
    };
    this.#made.push(call);
    return call;
  }
}

const outcome = (failure: Error | undefined): Promise<void> =>
  failure === undefined ? Promise.resolve() : Promise.reject(failure);

/** The devices of one kind. */
class FakeDevices {
  available: readonly InputDeviceInfo[];
  current: InputDeviceInfo | null;
  /** How opening another one goes. */
  open: () => Promise<void> = () => Promise.resolve();

  constructor(kind: MediaDeviceKind, names: readonly string[]) {
    this.available = names.map((label, index) => deviceInfo(kind, `${kind}-${index}`, label));
    this.current = this.available[0] ?? null;
  }

  async use(device: MediaDeviceInfo): Promise<void> {
    await this.open();
    this.current = this.available.find(({ deviceId }) => deviceId === device.deviceId) ?? null;
  }
}

function deviceInfo(kind: MediaDeviceKind, deviceId: string, label: string): InputDeviceInfo {
  const facts = { kind, deviceId, label, groupId: '' };
  return { ...facts, getCapabilities: () => ({}), toJSON: () => facts };
}
