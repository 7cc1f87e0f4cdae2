import type { CallingLibrary } from '../../../react/index.ts';
import type {
  LibraryAcceptParams,
  LibraryCall,
  LibraryCallOption,
  LibraryError,
  LibraryListener,
  LibraryMediaAccess,
  LibraryMetrics,
} from '../../../react/library/calling-library.ts';
import type { LibraryMissingDevice, LibraryUser } from '../../../react/library/library-values.ts';
import { FakeInvitation, type FakeRoom, FakeRooms } from './fake-rooms.ts';

type CallListener = ((call: never) => void) | null;

/** A call whose remote side and network the test controls. */
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
  /** The streams that the views play, when a page can play them. */
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

  /** The effects of an accept in the library: it holds the other calls. */
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

  /** Turns the camera. Default: succeeds. */
  turn: () => Promise<void> = () => Promise.resolve();

  switchCamera(): Promise<void> {
    return this.turn();
  }

  /** Answers a change of hold as the remote side. Default: succeeds. */
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

  /** Chooses the screen to share. Default: succeeds. */
  chooseScreen: () => Promise<void> = () => Promise.resolve();

  async startScreenShare(): Promise<void> {
    await this.chooseScreen();
    this.isSharing = true;
  }

  stopScreenShare(): void {
    this.isSharing = false;
    tell(this.onScreenShareStopped);
  }

  /** Returns the result of a capture. Default: an empty picture. */
  takePicture: () => Promise<{ data: string }> = () => Promise.resolve({ data: 'data:image/png;base64,' });

  captureRemoteVideoView(): Promise<{ data: string }> {
    return this.takePicture();
  }

  setConnectionQualityListener(_mode: 'frequency', listener: (metrics: LibraryMetrics) => void): void {
    this.#measured = listener;
  }

  removeConnectionQualityListener(): void {
    this.#measured = undefined;
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

  /** Holds or resumes the call as one of its sides. */
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

/** Calls a listener without its parameter. The app never reads the call that the library passes. */
function tell(listener: CallListener): void {
  (listener as (() => void) | null)?.();
}

/** A calling library without calls, until the test creates some. */
export class FakeCallingLibrary implements CallingLibrary {
  /** The names of the functions that the app called, in order. */
  readonly steps: string[] = [];
  initArguments: readonly (string | undefined)[] = [];
  authenticatedAs: { userId: string; accessToken?: string } | undefined;
  /** The errors of the next sign-ins and of the next connections, in order. */
  readonly authenticationErrors: Error[] = [];
  readonly connectionErrors: Error[] = [];
  dialled: FakeCall[] = [];
  dialOptions: { userId: string; isVideoCall: boolean; callOption: LibraryCallOption } | undefined;
  dialCallback: ((call?: LibraryCall, error?: LibraryError) => void) | undefined;
  streams: FakeCall['streams'] = {};
  /** The devices of each kind, and the selected one. */
  readonly devices: Record<'audioinput' | 'audiooutput' | 'videoinput', FakeDevices> = {
    audioinput: new FakeDevices('audioinput', ['內建麥克風', '藍牙耳機']),
    audiooutput: new FakeDevices('audiooutput', ['喇叭', '藍牙耳機']),
    videoinput: new FakeDevices('videoinput', ['FaceTime HD']),
  };
  /** The stream of the user's own devices outside of calls, and the devices that are missing. */
  ownStream: MediaStream | undefined;
  ownMissing: readonly LibraryMissingDevice[] = [];
  /** The previews that the app has opened and not closed yet. */
  readonly looks: { audio: boolean; video: boolean }[] = [];
  volume = 1;
  listener: LibraryListener | undefined;
  /** The rooms of the exchange. */
  readonly rooms = new FakeRooms();
  createRoom = this.rooms.createRoom;
  fetchRoomById = this.rooms.fetchRoomById;
  createRoomListQuery = this.rooms.createRoomListQuery;
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

  /** Emits an incoming call. */
  ring(caller: LibraryUser | undefined, isVideoCall: boolean): FakeCall {
    const call = this.#newCall(isVideoCall, caller);
    this.listener?.onRinging(call);
    return call;
  }

  /** Emits an invitation into a room. */
  invite(room: FakeRoom, inviter: LibraryUser): FakeInvitation {
    const invitation = new FakeInvitation(room, inviter, room.me);
    this.listener?.onInvitationReceived(invitation);
    return invitation;
  }

  /** Ends the session as the exchange does. */
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
  /** Opens another device. Default: succeeds. */
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
