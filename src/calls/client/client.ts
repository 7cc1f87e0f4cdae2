import type { LogLevel } from '../../protocol/enumerations.ts';
import { CallError, ErrorCode, invalidValue } from '../../protocol/errors.ts';
import type { UserPayload } from '../../protocol/entities.ts';
import { LIMITS, TIMES } from '../../protocol/limits.ts';
import { DirectCallLogListQuery, type DirectCallLogListQueryParams } from '../direct-call/call-log-query.ts';
import type { DialParams } from '../direct-call/call-options.ts';
import { callSignals } from '../direct-call/call-signals.ts';
import { CustomItemRequests, type CustomItemsHandler } from '../host/custom-item-requests.ts';
import type { DirectCall } from '../direct-call/direct-call.ts';
import { DirectCalls, type DialCallback } from '../direct-call/direct-calls.ts';
import type { WebhookData } from '../direct-call/webhook-data.ts';
import { answerHost } from '../host/call-host.ts';
import { Log } from '../logging/log.ts';
import { LogUpload } from '../logging/log-upload.ts';
import { checkMediaConstraints, MediaAccess, type MediaConstraints } from '../media/media-access.ts';
import type { MediaDevice } from '../media/media-device.ts';
import { MediaDevices } from '../media/media-devices.ts';
import { CallSounds, type CallVoice } from '../media/sounds.ts';
import type { Platform } from '../platform/platform.ts';
import type { SignalConsumer } from '../realtime/dispatcher.ts';
import { addPushToken, callHistory, debugLogs, removePushTokens } from '../rest/requests.ts';
import {
  optionalHost,
  optionalText,
  requireFraction,
  requireId,
  requireObject,
  requireSeconds,
  requireText,
} from '../host/checks.ts';
import { Connection } from '../connection/connection.ts';
import type { CustomItems, CustomItemsResult } from '../host/custom-items.ts';
import { Listeners, type SendBirdCallListener } from './listeners.ts';
import { checkPrerequisites } from './prerequisites.ts';
import { LoggerLevel, requireTokenType, SoundType, type TokenType } from '../host/public-enumerations.ts';
import { RecordingListeners, type SendBirdCallRecordingListener } from './recording-listeners.ts';
import { User } from '../host/user.ts';

/** The user who signs in. */
export interface AuthOption {
  /** The id of the user. */
  userId: string;
  /** The access token of the user. Default: none. An empty string counts as none. */
  accessToken?: string | undefined;
}

export interface ClientOptions {
  /** The address of the exchange for requests, when `init` gets none. */
  readonly defaultApiHost: string;
  /** The address of the exchange for the realtime channel, when `init` gets none. */
  readonly defaultWebsocketHost: string;
  /** The first level of the console log. `setLoggerLevel` changes it. Default: NONE. */
  readonly consoleLevel?: LogLevel;
}

/**
 * A calling client over one platform (§5, §7). The functions of the package are the methods of one such client in the
 * browser. A host may pass every method around unbound.
 */
export class Client {
  readonly #platform: Platform;
  readonly #options: ClientOptions;
  readonly #log: Log;
  readonly #logUpload: LogUpload;
  readonly #listeners: Listeners;
  readonly #recordings: RecordingListeners;
  readonly #devices: MediaDevices;
  readonly #sounds: CallSounds;
  /** The voice of `playDirectCallSound`, which belongs to no call. */
  readonly #sample: CallVoice;
  readonly #calls: DirectCalls;
  readonly #customItems: CustomItemRequests;
  readonly #settings = {
    ringingTimeoutMs: TIMES.ringingTimeoutMs as number,
    connectionTimeoutMs: TIMES.connectionTimeoutMs as number,
    statsIntervalSeconds: LIMITS.statsIntervalSeconds.default as number,
  };
  #appId = '';
  #signOuts = 0;
  #connection: Connection | null = null;
  #user: { readonly payload: UserPayload; readonly user: User } | null = null;

  constructor(platform: Platform, options: ClientOptions) {
    this.#platform = platform;
    this.#options = options;
    this.#log = new Log(platform, () => this.#logUpload.lineKept());
    this.#log.setConsoleLevel(options.consoleLevel ?? 'NONE');
    this.#logUpload = new LogUpload({
      clock: platform.clock,
      log: this.#log,
      send: async (body) => debugLogs(this.#initialised().rest, body),
    });
    this.#listeners = new Listeners(this.#log);
    this.#recordings = new RecordingListeners(this.#log);
    this.#devices = new MediaDevices({
      devices: platform.devices,
      page: platform.page,
      log: this.#log,
      changed: (kind, current, available) => this.#listeners.devicesChanged(kind, current, available),
    });
    this.#sounds = new CallSounds(platform.sounds);
    this.#sample = this.#sounds.voice();
    this.#calls = new DirectCalls({
      platform,
      log: this.#log,
      devices: this.#devices,
      sounds: this.#sounds,
      settings: this.#settings,
      recordings: this.#recordings,
      ringing: (call) => this.#listeners.ringing(call),
      over: () => this.#logUpload.flush(),
    });
    this.#customItems = new CustomItemRequests({
      rest: () => this.#authenticated().connection.rest,
      changed: (callId, change) => this.#calls.customItemsChanged(callId, change),
      log: this.#log,
    });
  }

  get appId(): string {
    return this.#appId;
  }

  /** The user who is signed in. Null before `authenticate` resolves and after `deauthenticate`. */
  get currentUser(): User | null {
    return this.#user?.user ?? null;
  }

  /**
   * Sets the application and the address of its exchange (§5).
   *
   * `apiHost` begins with http: or https:, `websocketHost` with ws: or wss:. Default: the hosts in
   * `globalThis.RINGBACK` ({@link RingbackSetting}), else the exchange that `ringback sim` starts on this machine. A
   * second call with the same values does nothing. A call with other values signs the user out and starts anew.
   *
   * @throws CallNotSupported when the browser or the page cannot make calls.
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for the parameter that it
   *   names.
   */
  init = (appId: string, apiHost?: string, websocketHost?: string): void => {
    const id = requireText(appId, 'appId');
    const api = optionalHost(apiHost, 'apiHost', 'http') ?? this.#options.defaultApiHost;
    const ws = optionalHost(websocketHost, 'websocketHost', 'ws') ?? this.#options.defaultWebsocketHost;
    checkPrerequisites(this.#platform.environment);
    this.#devices.watch();
    if (this.#connection?.isFor(id, api, ws)) return;
    this.#signOut((connection) => connection.close());
    this.#appId = id;
    this.#connection = new Connection({
      appId: id,
      apiHost: api,
      websocketHost: ws,
      platform: this.#platform,
      log: this.#log,
      consumers: (connection) => [callSignals(this.#calls, connection, this.#log), levelSignals(this.#log)],
      sessionLost: () => this.#listeners.sessionLost(),
    });
  };

  /**
   * Signs a user in at the exchange (§5).
   *
   * When another user is signed in, the calls and the channel of that user end first. A handler gets the result of the
   * promise.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; INVALID_PARAMETER_VALUE (1800300) or
   *   INVALID_PARAMETER_TYPE (1800301) for the parameter that it names; USER_NOT_AUTHENTICATED (1800303) when the host
   *   calls `deauthenticate` meanwhile; ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange
   *   when it refuses.
   */
  authenticate = (option: AuthOption, handler?: (user?: User, error?: CallError) => void): Promise<User> =>
    answerHost(this.#log, 'the authenticate handler', this.#authenticate(option), handler);

  async #authenticate(option: AuthOption): Promise<User> {
    const connection = this.#initialised();
    const { userId, accessToken } = requireObject(option, 'option') as Partial<AuthOption>;
    const credentials = {
      userId: requireId(userId, 'userId'),
      accessToken: optionalText(accessToken, 'accessToken'),
    };
    const signOuts = this.#signOuts;
    // A call that is ending must report it with the session that this login ends.
    await Promise.resolve();
    const answer = await connection.login(credentials);
    // After `deauthenticate` an earlier request must not sign a user in.
    if (signOuts !== this.#signOuts) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
    // The channel and the calls belong to another user.
    if (this.#user && this.#user.payload.user_id !== answer.user.user_id) this.deauthenticate();
    connection.startSession(answer.sbcall_session_token, credentials);
    this.#settings.statsIntervalSeconds = answer.stats_interval;
    this.#user = { payload: answer.user, user: new User(answer.user) };
    return this.#user.user;
  }

  /** Signs the user out and ends the calls and the session of the user. Listeners stay registered. */
  deauthenticate = (): void => this.#signOut((connection) => connection.endSession());

  #signOut(leave: (connection: Connection) => void): void {
    this.#signOuts += 1;
    // First, so that a host that dials again when its call ends is refused.
    this.#user = null;
    this.#calls.endAll();
    // When the host signs out in a listener of a call, the call ends after the listener, and still informs the
    // exchange.
    const isEnding = this.#calls.ongoing().length > 0;
    this.#calls.clear();
    this.#sounds.stop();
    this.#logUpload.close();
    const connection = this.#connection;
    if (!connection) return;
    if (isEnding) queueMicrotask(() => leave(connection));
    else leave(connection);
  }

  /**
   * Opens the realtime channel, over which incoming calls arrive (§7). Resolves when the channel is open.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; ERR_WEBSOCKET_CONNECTION_FAILED (1800202) when the channel cannot be opened.
   */
  connectWebSocket = async (): Promise<void> => {
    await this.#authenticated().connection.open();
  };

  /**
   * Registers a listener for incoming calls, a lost session and changed devices. A listener with the same id is
   * replaced.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `id` or `listener`.
   */
  addListener = (id: string | number, listener: SendBirdCallListener): void => {
    this.#listeners.add(id, listener);
  };

  /** Removes the listener with this id. An unknown id does nothing. */
  removeListener = (id: string | number): void => {
    this.#listeners.remove(id);
  };

  /** Removes every listener that `addListener` registered. */
  removeAllListeners = (): void => {
    this.#listeners.removeAll();
  };

  /**
   * Registers a listener for the recordings of all calls. A listener with the same id is replaced.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `id` or `listener`.
   */
  addRecordingListener = (id: string | number, listener: SendBirdCallRecordingListener): void => {
    this.#recordings.add(id, listener);
  };

  /** Removes the recording listener with this id. An unknown id does nothing. */
  removeRecordingListener = (id: string | number): void => {
    this.#recordings.remove(id);
  };

  /** Removes every listener that `addRecordingListener` registered. */
  removeAllRecordingListeners = (): void => {
    this.#recordings.removeAll();
  };

  /**
   * Starts a direct call to a user (§5).
   *
   * Returns the call at once, in the state `idle`. The callback gets the answer of the exchange.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for the parameter
   *   that it names; MY_USER_ID_NOT_ALLOWED (1800101) when the callee is the user who is signed in.
   */
  dial = (params: DialParams, callback?: DialCallback): DirectCall => {
    const { connection, payload } = this.#authenticated();
    return this.#calls.dial(params, callback, payload, connection);
  };

  /**
   * Returns the live call with this id. Undefined when no live call has it.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `callId`.
   */
  getCall = (callId: string): DirectCall | undefined => this.#calls.get(requireText(callId, 'callId'));

  /** Returns the number of live calls. It counts dialling calls, ringing calls and calls on hold. */
  getOngoingCallCount = (): number => this.#calls.ongoing().length;

  /** Returns the live calls. They include dialling calls, ringing calls and calls on hold. */
  getOngoingCalls = (): DirectCall[] => this.#calls.ongoing();

  /**
   * Sets how long a call rings before it ends as `no_answer`, in seconds (§9). Default: 60. Calls that exist keep their
   * time.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `seconds`, which must
   *   be greater than 0.
   */
  setRingingTimeout = (seconds: number): void => {
    this.#settings.ringingTimeoutMs = requireSeconds(seconds, 'seconds') * 1000;
  };

  /**
   * Sets the longest time from accept to connected, in seconds (§9). Default: 60. A call that takes longer ends as
   * `timed_out`.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `seconds`, which must
   *   be greater than 0.
   */
  setCallConnectionTimeout = (seconds: number): void => {
    this.#settings.connectionTimeoutMs = requireSeconds(seconds, 'seconds') * 1000;
  };

  /**
   * Creates a query for the call history of the user (§5). The query belongs to the user who is signed in when a page
   * is requested.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for the parameter that it
   *   names.
   */
  createDirectCallLogListQuery = (params?: DirectCallLogListQueryParams | null): DirectCallLogListQuery =>
    new DirectCallLogListQuery(params, {
      fetch: async (query) => {
        const { connection, payload } = this.#authenticated();
        return callHistory(connection.rest, payload.user_id, query);
      },
      log: this.#log,
    });

  /**
   * Sets custom items of the call with this id, live or ended (D24). The rules are those of {@link
   * DirectCall.updateCustomItems}.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `callId` or
   *   `customItems`; ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  updateCustomItems = (
    callId: string,
    customItems: CustomItems,
    handler?: CustomItemsHandler | null,
  ): Promise<CustomItemsResult> => this.#customItems.update(callId, customItems, handler);

  /**
   * Deletes custom items of the call with this id, live or ended (D24). The rules are those of {@link
   * DirectCall.deleteCustomItems}.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `callId` or
   *   `keys`; ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  deleteCustomItems = (
    callId: string,
    keys: string[],
    handler?: CustomItemsHandler | null,
  ): Promise<CustomItemsResult> => this.#customItems.delete(callId, keys, handler);

  /**
   * Deletes all custom items of the call with this id, live or ended (D24).
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `callId`;
   *   ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  deleteAllCustomItems = (callId: string, handler?: CustomItemsHandler | null): Promise<CustomItemsResult> =>
    this.#customItems.deleteAll(callId, handler);

  /**
   * Delivers the body of a webhook request to the library, so that an incoming call rings on this client.
   *
   * A call rings once, also when its body arrives again. The host must have opened the channel before it accepts the
   * call. Other events than `dial` change nothing.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `data` when it
   *   is empty, no object, or names another callee; ERR_MALFORMED_DATA (1800208) when `data` is no webhook body.
   */
  handleWebhookData = (data: WebhookData): void => {
    const { connection, payload } = this.#authenticated();
    this.#calls.ringFromWebhook(data, payload.user_id, connection);
  };

  /**
   * Registers a push token, so that the user gets push messages about incoming calls (§5). A token belongs to the last
   * user who registered it.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `pushToken` or
   *   `tokenType`; ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  registerPushToken = async (pushToken: string, tokenType: TokenType): Promise<void> => {
    const { connection, payload } = this.#authenticated();
    const token = requireId(pushToken, 'pushToken', LIMITS.pushTokenChars);
    await addPushToken(connection.rest, payload.user_id, requireTokenType(tokenType), token);
  };

  /**
   * Removes a push token of the user.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `pushToken` or
   *   `tokenType`; ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  unregisterPushToken = async (pushToken: string, tokenType: TokenType): Promise<void> => {
    const { connection, payload } = this.#authenticated();
    const token = requireId(pushToken, 'pushToken', LIMITS.pushTokenChars);
    await removePushTokens(connection.rest, payload.user_id, requireTokenType(tokenType), token);
  };

  /**
   * Removes all push tokens of one type of the user.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `tokenType`;
   *   ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  unregisterAllPushTokens = async (tokenType: TokenType): Promise<void> => {
    const { connection, payload } = this.#authenticated();
    await removePushTokens(connection.rest, payload.user_id, requireTokenType(tokenType));
  };

  /**
   * Sets the lowest level that the library prints to the console: INFO, WARNING, ERROR or NONE (§3). Default: NONE.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) for `level`.
   */
  setLoggerLevel = (level: LoggerLevel): void => {
    if (!Object.hasOwn(LoggerLevel, level)) throw invalidValue('level');
    this.#log.setConsoleLevel(level);
  };

  /**
   * Opens the microphone, the camera or both outside a call, for a preview (§5).
   *
   * The browser asks the user for permission when it has to. Returns undefined in a browser without WebRTC.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `constraints`, which
   *   must ask for audio, video or both.
   */
  useMedia = (constraints: MediaConstraints): MediaAccess | undefined => {
    const wanted = checkMediaConstraints(constraints);
    const { environment, devices, rtc } = this.#platform;
    if (!environment.hasRealTimeMedia) return undefined;
    this.#devices.watch();
    return new MediaAccess({ devices, rtc, choice: this.#devices, log: this.#log }, wanted);
  };

  /**
   * Reads the list of devices again, for browsers that do not report a change (§5). Asks the user for no permission.
   * The listeners get what changed.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `constraints`, which
   *   must ask for audio, video or both.
   */
  updateMediaDevices = (constraints: MediaConstraints): void => {
    checkMediaConstraints(constraints);
    this.#devices.watch();
    void this.#devices.refresh();
  };

  /** Returns the microphone that calls use, or will use. Null when there is no microphone. */
  getCurrentAudioInputDevice = (): InputDeviceInfo => this.#current('audioinput');

  /** Returns the camera that calls use, or will use. Null when there is no camera. */
  getCurrentVideoInputDevice = (): InputDeviceInfo => this.#current('videoinput');

  /** Returns the speaker that calls use, or will use. Null when there is no speaker. */
  getCurrentAudioOutputDevice = (): MediaDeviceInfo => this.#current('audiooutput');

  /** Returns the microphones of this machine. Their labels are empty before the user has allowed one. */
  getAvailableAudioInputDevices = (): InputDeviceInfo[] => this.#devices.available('audioinput');

  /** Returns the cameras of this machine. Their labels are empty before the user has allowed one. */
  getAvailableVideoInputDevices = (): InputDeviceInfo[] => this.#devices.available('videoinput');

  /** Returns the speakers of this machine. The list is empty in a browser that does not list speakers. */
  getAvailableAudioOutputDevices = (): MediaDeviceInfo[] => this.#devices.available('audiooutput');

  /**
   * Sets the microphone of the live calls and of later calls (§5).
   *
   * When the device is gone, the first available microphone takes its place. Resolves when every live call sends the
   * new microphone. A host may leave the promise unhandled.
   *
   * @returns a promise that rejects with ERR_CHANGING_AUDIO_DEVICE (1800402) when a call cannot use the microphone. The
   *   former microphone stays in use then.
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `device`, which must be
   *   a microphone.
   */
  selectAudioInputDevice = (device: InputDeviceInfo): Promise<void> => this.#devices.select('audioinput', device);

  /**
   * Sets the camera of the live calls and of later calls (§5). Otherwise as {@link selectAudioInputDevice}.
   *
   * @returns a promise that rejects with ERR_CAMERA_SWITCH (1800401) when a call cannot use the camera.
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `device`, which must be
   *   a camera.
   */
  selectVideoInputDevice = (device: InputDeviceInfo): Promise<void> => this.#devices.select('videoinput', device);

  /**
   * Sets the speaker that plays the remote user, in browsers that support it (§5). Otherwise as {@link
   * selectAudioInputDevice}.
   *
   * @throws CallError ERR_CHANGING_AUDIO_DEVICE (1800402) when the browser cannot use the speaker;
   *   INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `device`, which must be a speaker.
   */
  selectAudioOutputDevice = (device: MediaDeviceInfo): Promise<void> => this.#devices.select('audiooutput', device);

  /**
   * Sets the audio file at `url` as one of the sounds of a call, in place of the built-in sound. Resolves to true when
   * the browser can play the file.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `type` or `url`.
   */
  addDirectCallSound = async (type: SoundType, url: string): Promise<boolean> => {
    if (!Object.hasOwn(SoundType, requireText(type, 'type'))) throw invalidValue('type');
    return this.#sounds.add(type, requireText(url, 'url'));
  };

  /** Restores the built-in sound of a type. Returns true when a file was set. */
  removeDirectCallSound = (type: SoundType): boolean => this.#sounds.remove(type);

  /**
   * Sets the volume of all sounds of calls, from 0 (silent) to 1. Default: 1. A sound that plays changes at once.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `volume`.
   */
  setDirectCallSoundVolume = (volume: number): void => this.#sounds.setVolume(requireFraction(volume, 'volume'));

  /**
   * Plays a sound of a call once, so that a user can hear it in the settings. The sounds of a live call continue.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `type`.
   */
  playDirectCallSound = (type: SoundType): void => {
    if (!Object.hasOwn(SoundType, requireText(type, 'type'))) throw invalidValue('type');
    this.#sample.play(type, false);
  };

  #current(kind: MediaDeviceKind): MediaDevice {
    // The documented type has no null, and hosts use the device without a check.
    return this.#devices.current(kind) as MediaDevice;
  }

  #initialised(): Connection {
    if (!this.#connection) throw new CallError(ErrorCode.INSTANCE_NOT_INITIALIZED);
    return this.#connection;
  }

  #authenticated(): { connection: Connection; payload: UserPayload } {
    const connection = this.#initialised();
    if (!this.#user) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
    return { connection, payload: this.#user.payload };
  }
}

/** Returns the consumer of the level of uploaded logs, which the exchange sets. */
const levelSignals = (log: Pick<Log, 'setUploadLevel'>): SignalConsumer => ({
  receive: (frame) => {
    const isLevel = frame.type === 'log_level';
    if (isLevel) log.setUploadLevel(frame.payload.level);
    return isLevel;
  },
});
