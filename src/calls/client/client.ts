import type { EventFrame } from '../../protocol/envelope.ts';
import type { LogLevel } from '../../protocol/enumerations.ts';
import { CallError, invalidValue } from '../../protocol/errors.ts';
import type { UserPayload } from '../../protocol/entities.ts';
import { LIMITS, TIMES } from '../../protocol/limits.ts';
import { DirectCallLogListQuery, type DirectCallLogListQueryParams } from '../direct-call/call-log-query.ts';
import type { DialParams } from '../direct-call/call-options.ts';
import { CustomItemRequests, type CustomItemsHandler } from '../direct-call/custom-item-requests.ts';
import type { DirectCall } from '../direct-call/direct-call.ts';
import { DirectCalls, type DialCallback } from '../direct-call/direct-calls.ts';
import type { WebhookData } from '../direct-call/webhook-data.ts';
import { answerHost } from '../direct-call/notifications.ts';
import { Log } from '../logging/log.ts';
import { LogUpload } from '../logging/log-upload.ts';
import { checkMediaConstraints, MediaAccess, type MediaConstraints } from '../media/media-access.ts';
import type { MediaDevice } from '../media/media-device.ts';
import { MediaDevices } from '../media/media-devices.ts';
import { CallSounds, type CallVoice } from '../media/sounds.ts';
import type { Platform } from '../platform/platform.ts';
import { addPushToken, callHistory, debugLogs, removePushTokens } from '../rest/requests.ts';
import {
  optionalHost,
  optionalText,
  requireFraction,
  requireId,
  requireObject,
  requireSeconds,
  requireText,
} from './checks.ts';
import { Connection } from './connection.ts';
import type { CustomItems, CustomItemsResult } from './custom-items.ts';
import { Listeners, type SendBirdCallListener } from './listeners.ts';
import { checkPrerequisites } from './prerequisites.ts';
import { LoggerLevel, requireTokenType, SoundType, type TokenType } from './public-enumerations.ts';
import { RecordingListeners, type SendBirdCallRecordingListener } from './recording-listeners.ts';
import { User } from './user.ts';

/** Who signs in. */
export interface AuthOption {
  userId: string;
  /** Optional; an empty one counts as none. */
  accessToken?: string | undefined;
}

export interface ClientOptions {
  /** Where the exchange is when `init` does not say. */
  readonly defaultApiHost: string;
  readonly defaultWebsocketHost: string;
  /** What is printed from the start; hosts set it with `setLoggerLevel`. Default NONE. */
  readonly consoleLevel?: LogLevel;
}

/**
 * A calling client: what hosts call, over one platform (calling library §5, §7). The package's functions are those of
 * one such client over the browser. Every method may be passed around unbound.
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
  /** Of no call: a sound that is tried out. */
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

  /** Null before authentication and after deauthentication. */
  get currentUser(): User | null {
    return this.#user?.user ?? null;
  }

  /**
   * Says which application this is and where its exchange is: `apiHost` begins with http: or https:, `websocketHost` with
   * ws: or wss:. A host that is not given is the one in `globalThis.RINGBACK`, which is the setting for a whole
   * application ({@link RingbackSetting}). Again with the same application and hosts it does nothing; another
   * application, or another exchange, wipes what was there and starts over.
   *
   * @throws CallNotSupported where the library cannot work; CallError 1800300 or 1800301 naming the parameter at fault.
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
      event: (frame) => this.#receive(frame),
      liveCalls: () => this.#calls.liveIds(),
      unknownCall: (callId) => this.#calls.unknown(callId),
      sessionLost: () => this.#listeners.sessionLost(),
    });
  };

  /**
   * Signs the user in. Another user than the one signed in takes over: the calls and the channel of the former end.
   *
   * @throws CallError 1800302 before `init`; 1800300 or 1800301 naming the parameter; 1800303 when deauthenticated
   *   meanwhile; what the exchange answers.
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
    // A call that is still ending says so with the session that this ends.
    await Promise.resolve();
    const answer = await connection.login(credentials);
    // Deauthenticated meanwhile: what was asked before must not sign in after.
    if (signOuts !== this.#signOuts) throw new CallError(1800303);
    // The channel and the calls of another user are not this one's.
    if (this.#user && this.#user.payload.user_id !== answer.user.user_id) this.deauthenticate();
    connection.startSession(answer.sbcall_session_token, credentials);
    this.#settings.statsIntervalSeconds = answer.stats_interval;
    this.#user = { payload: answer.user, user: new User(answer.user) };
    return this.#user.user;
  }

  /** Ends the calls, the session and the user. Listeners stay. */
  deauthenticate = (): void => this.#signOut((connection) => connection.endSession());

  #signOut(leave: (connection: Connection) => void): void {
    this.#signOuts += 1;
    // First, so that a host that dials again when its call ends is refused.
    this.#user = null;
    this.#calls.endAll();
    // A call whose host signs out while it is told of something ends after that, and the exchange must hear of it.
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
   * Opens the realtime channel, which brings the calls. While it is open this resolves at once.
   *
   * @throws CallError 1800302 before `init`; 1800303 before authentication; 1800202 when it cannot be opened.
   */
  connectWebSocket = async (): Promise<void> => {
    await this.#authenticated().connection.open();
  };

  /** Registers a device-wide listener; the same id replaces. @throws CallError 1800300 or 1800301. */
  addListener = (id: string | number, listener: SendBirdCallListener): void => {
    this.#listeners.add(id, listener);
  };

  /** Removes a listener; an id that nobody has does nothing. */
  removeListener = (id: string | number): void => {
    this.#listeners.remove(id);
  };

  /** Removes every device-wide listener. */
  removeAllListeners = (): void => {
    this.#listeners.removeAll();
  };

  /** Registers a listener for recordings of any call; the same id replaces. @throws CallError 1800300 or 1800301. */
  addRecordingListener = (id: string | number, listener: SendBirdCallRecordingListener): void => {
    this.#recordings.add(id, listener);
  };

  /** Removes a listener for recordings; an id that nobody has does nothing. */
  removeRecordingListener = (id: string | number): void => {
    this.#recordings.remove(id);
  };

  /** Removes every listener for recordings. */
  removeAllRecordingListeners = (): void => {
    this.#recordings.removeAll();
  };

  /**
   * Dials. The call is there at once; `callback` learns what the exchange said.
   *
   * @throws CallError 1800302 before `init`; 1800303 before authentication; 1800300 or 1800301 naming the parameter;
   *   1800101 when dialling oneself.
   */
  dial = (params: DialParams, callback?: DialCallback): DirectCall => {
    const { connection, payload } = this.#authenticated();
    return this.#calls.dial(params, callback, payload, connection);
  };

  /** The live call with this id. @throws CallError 1800300 or 1800301 naming `callId`. */
  getCall = (callId: string): DirectCall | undefined => this.#calls.get(requireText(callId, 'callId'));

  /** How many calls live: dialling and ringing ones and those on hold included. */
  getOngoingCallCount = (): number => this.#calls.ongoing().length;

  /** The calls that live: dialling and ringing ones and those on hold included. */
  getOngoingCalls = (): DirectCall[] => this.#calls.ongoing();

  /** How long a call rings, seconds; for calls from now on. @throws CallError 1800300 or 1800301 naming `seconds`. */
  setRingingTimeout = (seconds: number): void => {
    this.#settings.ringingTimeoutMs = requireSeconds(seconds, 'seconds') * 1000;
  };

  /** How long a call may take from accept to connected, seconds. @throws CallError 1800300 or 1800301 naming `seconds`. */
  setCallConnectionTimeout = (seconds: number): void => {
    this.#settings.connectionTimeoutMs = requireSeconds(seconds, 'seconds') * 1000;
  };

  /**
   * Lists the calls of the user signed in when a page is asked for. @throws CallError 1800300 or 1800301 naming the
   * parameter at fault.
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
   * Changes the custom items of any call by its id. Else as {@link DirectCall.updateCustomItems}.
   *
   * @throws CallError also 1800302 before `init` and 1800303 before authentication.
   */
  updateCustomItems = (
    callId: string,
    customItems: CustomItems,
    handler?: CustomItemsHandler | null,
  ): Promise<CustomItemsResult> => this.#customItems.update(callId, customItems, handler);

  /**
   * Deletes custom items of any call by its id. Else as {@link DirectCall.deleteCustomItems}.
   *
   * @throws CallError also 1800302 before `init` and 1800303 before authentication.
   */
  deleteCustomItems = (
    callId: string,
    keys: string[],
    handler?: CustomItemsHandler | null,
  ): Promise<CustomItemsResult> => this.#customItems.delete(callId, keys, handler);

  /**
   * Deletes all custom items of any call by its id. Else as {@link DirectCall.deleteAllCustomItems}.
   *
   * @throws CallError also 1800302 before `init` and 1800303 before authentication.
   */
  deleteAllCustomItems = (callId: string, handler?: CustomItemsHandler | null): Promise<CustomItemsResult> =>
    this.#customItems.deleteAll(callId, handler);

  /**
   * Takes the body that the exchange posted to the webhook of a dial: an incoming call rings here as it would from the
   * channel, once however often it comes. To be accepted it needs the channel to have been opened. The other events of a
   * webhook change nothing.
   *
   * @throws CallError 1800302 before `init`; 1800303 before authentication; 1800300 or 1800301 naming `data` when it is
   *   empty, no object, or about another user; 1800208 saying where it is no body of a webhook.
   */
  handleWebhookData = (data: WebhookData): void => {
    const { connection, payload } = this.#authenticated();
    this.#calls.ringFromWebhook(data, payload.user_id, connection);
  };

  /**
   * Registers a push token for incoming calls: it is this user's from now on.
   *
   * @throws CallError 1800302 before `init`; 1800303 before authentication; 1800300 or 1800301 naming `pushToken` or
   *   `tokenType`; as the request fails or the exchange answers.
   */
  registerPushToken = async (pushToken: string, tokenType: TokenType): Promise<void> => {
    const { connection, payload } = this.#authenticated();
    const token = requireId(pushToken, 'pushToken', LIMITS.pushTokenChars);
    await addPushToken(connection.rest, payload.user_id, requireTokenType(tokenType), token);
  };

  /** Takes a push token back. @throws CallError as {@link registerPushToken}. */
  unregisterPushToken = async (pushToken: string, tokenType: TokenType): Promise<void> => {
    const { connection, payload } = this.#authenticated();
    const token = requireId(pushToken, 'pushToken', LIMITS.pushTokenChars);
    await removePushTokens(connection.rest, payload.user_id, requireTokenType(tokenType), token);
  };

  /** Takes back all push tokens of a type. @throws CallError as {@link registerPushToken}. */
  unregisterAllPushTokens = async (tokenType: TokenType): Promise<void> => {
    const { connection, payload } = this.#authenticated();
    await removePushTokens(connection.rest, payload.user_id, requireTokenType(tokenType));
  };

  /** What is printed to the console. @throws CallError 1800300 naming `level`: only INFO, WARNING, ERROR and NONE. */
  setLoggerLevel = (level: LoggerLevel): void => {
    if (!Object.hasOwn(LoggerLevel, level)) throw invalidValue('level');
    this.#log.setConsoleLevel(level);
  };

  /**
   * Opens the microphone, the camera or both for the host to look at, asking the user where the browser has to. Undefined
   * where there is no real-time media.
   *
   * @throws CallError 1800300 or 1800301 naming the parameter: at least one of audio and video must be asked for (§5).
   */
  useMedia = (constraints: MediaConstraints): MediaAccess | undefined => {
    const wanted = checkMediaConstraints(constraints);
    const { environment, devices, rtc } = this.#platform;
    if (!environment.hasRealTimeMedia) return undefined;
    this.#devices.watch();
    return new MediaAccess({ devices, rtc, choice: this.#devices, log: this.#log }, wanted);
  };

  /**
   * Looks which devices there are, for browsers that do not tell when one comes or goes. Asks the user nothing. What is
   * found is told to the listeners.
   *
   * @throws CallError 1800300 or 1800301 naming the parameter: at least one of audio and video must be true (§5).
   */
  updateMediaDevices = (constraints: MediaConstraints): void => {
    checkMediaConstraints(constraints);
    this.#devices.watch();
    void this.#devices.refresh();
  };

  /** The microphone in use, or to be used. Never null while there is one available; null where there is none. */
  getCurrentAudioInputDevice = (): InputDeviceInfo => this.#current('audioinput');

  /** The camera in use, or to be used. Never null while there is one available; null where there is none. */
  getCurrentVideoInputDevice = (): InputDeviceInfo => this.#current('videoinput');

  /** The speaker in use, or to be used. Never null while there is one available; null where there is none. */
  getCurrentAudioOutputDevice = (): MediaDeviceInfo => this.#current('audiooutput');

  /** The microphones. Before the user has allowed one, a browser hides their names. */
  getAvailableAudioInputDevices = (): InputDeviceInfo[] => this.#devices.available('audioinput');

  /** The cameras. Before the user has allowed one, a browser hides their names. */
  getAvailableVideoInputDevices = (): InputDeviceInfo[] => this.#devices.available('videoinput');

  /** The speakers; none where the browser chooses for itself. */
  getAvailableAudioOutputDevices = (): MediaDeviceInfo[] => this.#devices.available('audiooutput');

  /**
   * Chooses the microphone, for calls that live and for those to come. One that is not there any more is replaced by the
   * first available.
   *
   * @returns settles when every live call sends it; rejects with 1800402 when one cannot, and the former choice holds
   *   again. A host may leave it alone.
   * @throws CallError 1800300 or 1800301 naming `device`: none, or of another kind (§5).
   */
  selectAudioInputDevice = (device: InputDeviceInfo): Promise<void> => this.#devices.select('audioinput', device);

  /** Chooses the camera, as {@link selectAudioInputDevice} does the microphone; rejects with 1800401. */
  selectVideoInputDevice = (device: InputDeviceInfo): Promise<void> => this.#devices.select('videoinput', device);

  /**
   * Chooses the speaker that the other side is played through, where the browser can; like
   * {@link selectAudioInputDevice}.
   */
  selectAudioOutputDevice = (device: MediaDeviceInfo): Promise<void> => this.#devices.select('audiooutput', device);

  /** Replaces a sound by a recording. Resolves to whether it can be played. @throws CallError 1800300 or 1800301. */
  addDirectCallSound = async (type: SoundType, url: string): Promise<boolean> => {
    if (!Object.hasOwn(SoundType, requireText(type, 'type'))) throw invalidValue('type');
    return this.#sounds.add(type, requireText(url, 'url'));
  };

  /** Goes back to the synthesised sound. Returns whether there was a recording. */
  removeDirectCallSound = (type: SoundType): boolean => this.#sounds.remove(type);

  /**
   * How loud the sounds of calls are, from 0, where nothing is heard, to 1, as at first; also of one that plays.
   * @throws CallError 1800300 or 1800301 naming `volume`.
   */
  setDirectCallSoundVolume = (volume: number): void => this.#sounds.setVolume(requireFraction(volume, 'volume'));

  /**
   * Lets a sound be heard once, for somebody who chooses how it should be. The sound of a call is not interrupted.
   * @throws CallError 1800300 or 1800301 naming `type`.
   */
  playDirectCallSound = (type: SoundType): void => {
    if (!Object.hasOwn(SoundType, requireText(type, 'type'))) throw invalidValue('type');
    this.#sample.play(type, false);
  };

  #current(kind: MediaDeviceKind): MediaDevice {
    // The documented type knows nothing of null, and hosts read the device unchecked where there is one.
    return this.#devices.current(kind) as MediaDevice;
  }

  #initialised(): Connection {
    if (!this.#connection) throw new CallError(1800302);
    return this.#connection;
  }

  #authenticated(): { connection: Connection; payload: UserPayload } {
    const connection = this.#initialised();
    if (!this.#user) throw new CallError(1800303);
    return { connection, payload: this.#user.payload };
  }

  #receive(frame: EventFrame): void {
    if (frame.type === 'log_level') {
      this.#log.setUploadLevel(frame.payload.level);
      return;
    }
    if (this.#connection) this.#calls.receive(frame, this.#connection);
  }
}
